// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Predicates and numbers of iterations that each set of feeds has its own of.
#ifndef KILN_TEST_FUZZ_GRAPHS_GUARDS_H
#define KILN_TEST_FUZZ_GRAPHS_GUARDS_H

#include "test/fuzz/graphs/Maker.h"

namespace kiln::fuzz {

/// A predicate, and where its two branches run, as far as it is known.
struct Guard {
  Value pred;
  Sets ifTrue = everySet, ifFalse = everySet;
};

/// A bool that is fed, or what a comparison of sizes gives. Once in a while
/// the branches are made for the sets in which they do not run.
Guard chooseGuard(Maker &maker);

/// How often a loop iterates, an integer that is fed or a size, and where it
/// does at all.
struct Iterations {
  Value limit;
  Sets any = everySet;
};
Iterations chooseIterations(Maker &maker, int64_t start);

/// Adds a node that fails wherever the region does not run, for its sizes or
/// its elements.
bool addRisky(Maker &maker);

} // namespace kiln::fuzz

#endif // KILN_TEST_FUZZ_GRAPHS_GUARDS_H
