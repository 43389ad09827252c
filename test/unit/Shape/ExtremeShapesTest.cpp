// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape arithmetic with extents around the ends of the integers: an error, or
// extents that exist; under UndefinedBehaviorSanitizer, no overflow.
#include "lib/Shape/Rules.h"
#include "test/fuzz/GraphGrower.h"
#include "test/unit/StatusMatchers.h"

#include "kiln/Ops.h"

#include <gtest/gtest.h>

namespace kiln {
namespace {

constexpr int64_t extremes[] = {
    -1, 0, 1, int64_t{1} << 31, int64_t{1} << 32, int64_t{1} << 62, INT64_MAX};
/// Sizes, strides and the like may be negative.
constexpr int64_t numbers[] = {
    INT64_MIN,        -(int64_t{1} << 32), -1,       0, 1,
    int64_t{1} << 31, int64_t{1} << 62,    INT64_MAX};

Dim extent(int64_t value) {
  return value < 0 ? Dim::unknown() : Dim::known(value);
}

void expectPossible(const Dims &dims) {
  for (Dim dim : dims)
    EXPECT_TRUE(!dim.isKnown() || dim.value >= 0) << dim.value;
}

template <class T> void expectPossible(const StatusOr<T> &result) {
  if (!result.ok())
    return;
  if constexpr (std::is_same_v<T, Dims>)
    expectPossible(*result);
  else if constexpr (std::is_same_v<T, Dim>)
    expectPossible(Dims{*result});
}

/// Calls `visit` with every pair of shapes of two extents.
template <class Visit> void forEachPair(Visit visit) {
  for (int64_t a : extremes)
    for (int64_t b : extremes)
      for (int64_t c : extremes)
        for (int64_t d : extremes)
          visit(Dims{extent(a), extent(b)}, Dims{extent(c), extent(d)});
}

TEST(ExtremeShapes, RulesOfTwoShapes) {
  forEachPair([](const Dims &a, const Dims &b) {
    DimSpace space;
    expectPossible(broadcastShapes(space, a, b));
    expectPossible(matmulShape(space, a, b, false, true));
    expectPossible(reshapeShape(space, a, b));
    const Dims both[] = {a, b};
    expectPossible(concatShape(space, both, 0));
    expectPossible(concatShape(space, both, -1));
    expectPossible(packShape(space, both, 2));
    expectPossible(gatherShape(space, a, b, 1, 0));
    (void)broadcastGradientAxes(space, a, b);
  });
}

TEST(ExtremeShapes, RulesOfAShapeAndNumbers) {
  for (int64_t a : extremes)
    for (int64_t b : extremes)
      for (int64_t c : numbers)
        for (int64_t d : numbers) {
          DimSpace space;
          Dims shape = {extent(a), extent(b)};
          Dims pair = {Dim::known(c), Dim::known(d)};
          int64_t axes[] = {c, d};
          expectPossible(tileShape(space, shape, pair));
          expectPossible(sliceShape(space, shape, pair, pair));
          expectPossible(reshapeShape(space, shape, pair));
          expectPossible(
              padShape(space, shape, {pair[0], pair[1], pair[1], pair[0]}));
          expectPossible(reduceShape(space, shape, axes, true));
          expectPossible(transposeShape(space, shape, axes));
          expectPossible(expandDimsShape(space, shape, c));
          (void)squeezeShape(space, shape, axes);
        }
}

TEST(ExtremeShapes, Ranges) {
  for (int64_t start : numbers)
    for (int64_t limit : numbers)
      for (int64_t delta : numbers) {
        DimSpace space;
        expectPossible(rangeLength(space, Dim::known(start), Dim::known(limit),
                                   Dim::known(delta)));
      }
}

TEST(ExtremeShapes, StridedSlices) {
  for (int64_t dim : extremes)
    for (int64_t begin : numbers)
      for (int64_t end : numbers)
        for (int64_t stride : numbers)
          for (int64_t mask : {0, 1}) {
            DimSpace space;
            StridedSliceSpec spec;
            spec.begin = Dims{Dim::known(begin)};
            spec.end = Dims{Dim::known(end)};
            spec.strides = Dims{Dim::known(stride)};
            spec.numEntries = 1;
            spec.beginMask = mask;
            spec.shrinkAxisMask = 1 - mask;
            auto plan = planStridedSlice(space, {extent(dim)}, spec);
            if (plan.ok())
              expectPossible(plan->shape);
          }
}

/// Random nodes of every op on placeholders and constants that are extreme.
TEST(ExtremeShapes, ShapeFunctionsOfAllOps) {
  constexpr unsigned seed = 7;
  std::mt19937 random(seed);
  SCOPED_TRACE("seed " + std::to_string(seed));
  for (int round = 0; round < 600; ++round) {
    Graph graph(makeNodeChecker());
    for (int i = 0; i < 20; ++i)
      fuzz::growGraph(graph, random, fuzz::Extents::Extreme);
    for (int id = 0; id < graph.numNodes(); ++id) {
      const Node &node = *graph.node(id);
      for (int i = 0; i < node.numOutputs(); ++i)
        for (int64_t dim : node.outputShape(i).dims())
          EXPECT_GE(dim, -1) << node.op();
    }
  }
}

} // namespace
} // namespace kiln
