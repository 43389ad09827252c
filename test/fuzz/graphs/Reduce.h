// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes a program that fails smaller while it still fails.
#ifndef KILN_TEST_FUZZ_GRAPHS_REDUCE_H
#define KILN_TEST_FUZZ_GRAPHS_REDUCE_H

#include "test/fuzz/graphs/Program.h"

namespace kiln::fuzz {

/// Whether a program still shows the fault.
using IsFaulty = std::function<bool(const Program &)>;

/// Removes runs and fetches, then nodes: what a node gave, as the evaluator
/// computes it, is fed in its place, for half of the nodes and ever fewer; or a
/// node stands for one of its inputs. Then extents become smaller.
Program reduceProgram(Program program, const IsFaulty &isFaulty);
/// As above, of a program whose outcome is a fault.
Program reduceProgram(Program program);

} // namespace kiln::fuzz

#endif // KILN_TEST_FUZZ_GRAPHS_REDUCE_H
