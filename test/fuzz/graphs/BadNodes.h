// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes that TensorFlow takes into a graph, and that fail whenever they run.
#ifndef KILN_TEST_FUZZ_GRAPHS_BADNODES_H
#define KILN_TEST_FUZZ_GRAPHS_BADNODES_H

#include "test/fuzz/graphs/Maker.h"

namespace kiln::fuzz {

/// The beginning of their names.
inline constexpr std::string_view badPrefix = "bad_";

/// Adds some to the program, that nothing asks for.
void addBadNodes(Maker &maker);

} // namespace kiln::fuzz

#endif // KILN_TEST_FUZZ_GRAPHS_BADNODES_H
