// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a node of each op is made: tables of recipes, one a group of families.
#ifndef KILN_TEST_FUZZ_GRAPHS_RECIPES_H
#define KILN_TEST_FUZZ_GRAPHS_RECIPES_H

#include "test/fuzz/graphs/Call.h"

#include <span>

namespace kiln::fuzz {

/// Adds the inputs and the node; false where it was refused.
using MakeFn = bool (*)(Call &);

struct Recipe {
  /// Names of ops, separated by spaces.
  std::string_view ops;
  MakeFn make;
  /// Whether it may stand in a branch, a loop or a function.
  bool isForRegions = true;
};

// Each in its own file.
std::span<const Recipe> arrayRecipes();
std::span<const Recipe> complexRecipes();
std::span<const Recipe> controlFlowRecipes();
std::span<const Recipe> imageRecipes();
std::span<const Recipe> indexRecipes();
std::span<const Recipe> layoutRecipes();
std::span<const Recipe> linalgRecipes();
std::span<const Recipe> listRecipes();
std::span<const Recipe> mathRecipes();
std::span<const Recipe> parsingRecipes();
std::span<const Recipe> pipelineRecipes();
std::span<const Recipe> queueRecipes();
std::span<const Recipe> randomRecipes();
std::span<const Recipe> sparseRecipes();
std::span<const Recipe> specialRecipes();
std::span<const Recipe> stagingRecipes();
std::span<const Recipe> stateRecipes();
std::span<const Recipe> stringRecipes();
std::span<const Recipe> windowRecipes();

/// Null for an op without one.
const Recipe *findRecipe(std::string_view op);
/// Adds a node of the op, where it has a recipe that may stand here.
bool makeByRecipe(Maker &maker, const OpDef &def);
/// An op of those that fuse: arithmetic, moves, reductions.
std::string_view usualOp(Random &random);
/// An op that wants extents which fit.
std::string_view sizedOp(Random &random);

/// The op that the program of a seed has in any case: each in its turn.
std::string subjectOf(unsigned seed);

/// An op, or a family of them, that no program has, with the reason.
struct LeftOut {
  std::string_view name, reason;
};
std::span<const LeftOut> leftOutOps();
std::span<const LeftOut> leftOutFamilies();

} // namespace kiln::fuzz

#endif // KILN_TEST_FUZZ_GRAPHS_RECIPES_H
