// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the recipe of an op.
#include "test/fuzz/graphs/Recipes.h"

#include <unordered_map>

namespace kiln::fuzz {
namespace {

std::unordered_map<std::string_view, const Recipe *> makeIndex() {
  std::unordered_map<std::string_view, const Recipe *> index;
  for (std::span<const Recipe> table :
       {arrayRecipes(),     complexRecipes(), controlFlowRecipes(),
        imageRecipes(),     indexRecipes(),   layoutRecipes(),
        linalgRecipes(),    listRecipes(),    mathRecipes(),
        mediaRecipes(),     parsingRecipes(), pipelineRecipes(),
        quantizedRecipes(), queueRecipes(),   randomRecipes(),
        recurrentRecipes(), sparseRecipes(),  specialRecipes(),
        stagingRecipes(),   stateRecipes(),   stringRecipes(),
        windowRecipes()})
    for (const Recipe &recipe : table)
      for (std::string_view rest = recipe.ops; !rest.empty();) {
        size_t end = rest.find(' ');
        index.emplace(rest.substr(0, end), &recipe);
        rest = end == rest.npos ? "" : rest.substr(end + 1);
      }
  return index;
}

constexpr LeftOut leftOut[] = {
#define KILN_LEFT_OUT(op, reason) {#op, reason},
#include "test/fuzz/graphs/LeftOut.def"
};

constexpr LeftOut leftOutByFamily[] = {
#define KILN_LEFT_OUT_FAMILY(family, reason) {#family, reason},
#include "test/fuzz/graphs/LeftOut.def"
};

} // namespace

std::span<const LeftOut> leftOutOps() { return leftOut; }
std::span<const LeftOut> leftOutFamilies() { return leftOutByFamily; }

const Recipe *findRecipe(std::string_view op) {
  static const auto index = makeIndex();
  auto found = index.find(op);
  return found == index.end() ? nullptr : found->second;
}

bool makeByRecipe(Maker &maker, const OpDef &def) {
  const Recipe *recipe = findRecipe(def.name);
  if (!recipe || (!maker.isMain() && !recipe->isForRegions))
    return false;
  Call call(maker, def);
  return recipe->make(call);
}

std::string subjectOf(unsigned seed) {
  static const std::vector<const OpDef *> all = allOps();
  // Neighbours are of one family: far apart, so that any few hundred seeds
  // have some of each.
  return all[seed * 211u % all.size()]->name;
}

std::string_view usualOp(Random &random) {
  return random.among<std::string_view>({"AddV2",
                                         "Sub",
                                         "Mul",
                                         "RealDiv",
                                         "Maximum",
                                         "Relu",
                                         "Tanh",
                                         "Exp",
                                         "Square",
                                         "Neg",
                                         "Sum",
                                         "Mean",
                                         "Max",
                                         "Transpose",
                                         "Reshape",
                                         "ConcatV2",
                                         "Slice",
                                         "StridedSlice",
                                         "GatherV2",
                                         "MatMul",
                                         "SelectV2",
                                         "Cast",
                                         "Less",
                                         "Tile",
                                         "Pad",
                                         "Softmax",
                                         "BroadcastTo",
                                         "Pack",
                                         "Squeeze",
                                         "ExpandDims",
                                         "ArgMax",
                                         "Cumsum",
                                         "Sigmoid",
                                         "BiasAdd",
                                         "If",
                                         "While",
                                         "UnsortedSegmentSum",
                                         "OneHot"});
}

std::string_view sizedOp(Random &random) {
  return random.among<std::string_view>(
      {"Slice",
       "StridedSlice",
       "Pad",
       "MirrorPad",
       "Tile",
       "GatherV2",
       "GatherNd",
       "Reshape",
       "AddV2",
       "Mul",
       "ConcatV2",
       "Pack",
       "MatMul",
       "BatchMatMulV2",
       "BiasAdd",
       "SelectV2",
       "BroadcastTo",
       "Split",
       "SplitV",
       "Unpack",
       "TopKV2",
       "Conv2D",
       "MaxPool",
       "ArgMax",
       "Squeeze",
       "EnsureShape",
       "TensorScatterUpdate",
       "SegmentSum",
       "DynamicStitch",
       "ReverseSequence",
       "SparseSoftmaxCrossEntropyWithLogits"});
}

} // namespace kiln::fuzz
