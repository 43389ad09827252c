// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds nodes that are right by their op's schema: what only guesses bytes never
// gets a graph of several nodes past the checks.
#ifndef KILN_TEST_FUZZ_GRAPHGROWER_H
#define KILN_TEST_FUZZ_GRAPHGROWER_H

#include "kiln/Graph.h"

#include <random>

namespace kiln::fuzz {

enum class Extents {
  Small,   ///< a graph that can be run
  Extreme, ///< up to the largest integer: for shape functions alone
};

/// Adds a node of a random op whose inputs are outputs of the graph, new
/// placeholders or small constants of the right dtype. Nothing is added when
/// the shapes did not fit in a few trials.
void growGraph(Graph &graph, std::mt19937 &random,
               Extents extents = Extents::Small);

} // namespace kiln::fuzz

#endif // KILN_TEST_FUZZ_GRAPHGROWER_H
