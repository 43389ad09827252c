// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Changes of a program that keep it a program.
#ifndef KILN_TEST_FUZZ_GRAPHS_EDIT_H
#define KILN_TEST_FUZZ_GRAPHS_EDIT_H

#include "test/fuzz/graphs/Program.h"

#include <set>

namespace kiln::fuzz {

/// "node" of "node:1", "^node" and "node:out:1".
std::string_view nodeOf(std::string_view input);

/// Removes nodes, functions and feeds that nothing asks for.
void prune(Program &program);

/// What nodes give in each run, by "node:0": those alone that can be fetched.
using Computed = std::map<std::string, std::vector<Tensor>>;

/// Runs the program in the evaluator, and fetches what nodes give, sources and
/// what cannot be fed left out. Feeds must be one set a run.
Computed computeAll(const Program &program);

/// Feeds what these nodes give instead of computing it. False where one of them
/// has an output without a value.
bool cut(Program &program, const std::set<std::string> &nodes,
         const Computed &computed);

/// Lets the users of a node's first output take its input number \p input.
void bypass(proto::GraphDef &graph, const std::string &node, int input);
void bypass(proto::FunctionDef &function, const std::string &node, int input);

/// Extents above 1 that tensors of the program have.
std::set<int64_t> extentsOf(const Program &program);
/// Cuts tensors to \p smaller wherever they have extent \p extent; declared
/// shapes and integers of that value follow.
void shrink(Program &program, int64_t extent, int64_t smaller);

} // namespace kiln::fuzz

#endif // KILN_TEST_FUZZ_GRAPHS_EDIT_H
