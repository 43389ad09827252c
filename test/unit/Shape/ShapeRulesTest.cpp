// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape rules, on known, symbolic and unknown dimensions.
#include "lib/Shape/Rules.h"

#include "test/unit/StatusMatchers.h"

#include <gtest/gtest.h>

namespace kiln {
namespace {

using testing::fails;
using ::testing::HasSubstr;
using testing::isOk;

Dims known(std::initializer_list<int64_t> values) {
  Dims dims;
  for (int64_t value : values)
    dims.push_back(Dim::known(value));
  return dims;
}

const Dim any = Dim::unknown();

class ShapeRules : public ::testing::Test {
protected:
  DimSpace space;
  Dim s0 = space.feedDim(0, 0, 5);
  Dim s1 = space.feedDim(1, 0, 7);
};

TEST_F(ShapeRules, BroadcastAlignsAtTheRight) {
  EXPECT_EQ(*broadcastShapes(space, known({4, 1}), known({3})), known({4, 3}));
  EXPECT_EQ(*broadcastShapes(space, known({}), known({2, 3})), known({2, 3}));
  EXPECT_EQ(*broadcastShapes(space, known({0}), known({1})), known({0}));
  EXPECT_THAT(broadcastShapes(space, known({4, 5}), known({2, 3})),
              fails(StatusCode::InvalidArgument,
                    "Incompatible shapes: [4,5] vs. [2,3]"));
}

TEST_F(ShapeRules, BroadcastOfUnknownKeepsWhatIsSure) {
  EXPECT_EQ(*broadcastShapes(space, {any, any}, known({3, 1})),
            (Dims{Dim::known(3), any}));
}

TEST_F(ShapeRules, MatmulNamesBothShapes) {
  EXPECT_EQ(
      *matmulShape(space, {s0, Dim::known(9)}, known({9, 1}), false, false),
      (Dims{s0, Dim::known(1)}));
  EXPECT_EQ(*matmulShape(space, {s0, Dim::known(9)}, {s0, Dim::known(1)}, true,
                         false),
            known({9, 1}));
  EXPECT_THAT(matmulShape(space, known({2, 5}), known({3, 4}), false, false),
              fails(StatusCode::InvalidArgument,
                    "Matrix size-incompatible: In[0]: [2,5], In[1]: [3,4]"));
}

TEST_F(ShapeRules, BatchMatmulBroadcastsLeadingDimensions) {
  EXPECT_EQ(*batchMatmulShape(space, known({1, 2, 5}), known({3, 5, 4}), false,
                              false, true),
            known({3, 2, 4}));
  EXPECT_THAT(
      batchMatmulShape(space, known({2, 2, 5}), known({3, 5, 4}), false, false,
                       true),
      fails(StatusCode::InvalidArgument,
            HasSubstr("must have compatible batch dimensions: [2,2,5] vs. ")));
}

TEST_F(ShapeRules, ReduceChecksAxes) {
  std::vector<int64_t> last = {-1}, outside = {2}, twice = {0, -2};
  EXPECT_EQ(*reduceShape(space, {s0, Dim::known(3)}, last, false), (Dims{s0}));
  EXPECT_EQ(*reduceShape(space, {s0, Dim::known(3)}, last, true),
            (Dims{s0, Dim::known(1)}));
  EXPECT_THAT(
      reduceShape(space, known({2, 2}), outside, false),
      fails(StatusCode::InvalidArgument,
            "Invalid reduction dimension (2 for input with 2 dimension(s)"));
  EXPECT_THAT(
      reduceShape(space, known({2, 2}), twice, false),
      fails(StatusCode::InvalidArgument, HasSubstr("duplicate dimension: 0")));
}

TEST_F(ShapeRules, ReshapeFindsWhatRemains) {
  Dim minus = Dim::known(-1), nine = Dim::known(9);
  EXPECT_EQ(*reshapeShape(space, {s0, nine}, {minus}),
            (Dims{space.mul(s0, nine)}));
  EXPECT_EQ(*reshapeShape(space, {space.mul(s0, nine)}, {minus, nine}),
            (Dims{s0, nine}));
  EXPECT_EQ(*reshapeShape(space, {s0, nine}, {s0, minus}), (Dims{s0, nine}));
  EXPECT_EQ(*reshapeShape(space, known({0, 3}), {Dim::known(0), minus}),
            known({0, 3}));
  EXPECT_TRUE(space.symbols().guards.empty());
}

TEST_F(ShapeRules, ReshapeChecksCounts) {
  EXPECT_THAT(reshapeShape(space, known({2, 3}), known({4, 2})),
              fails(StatusCode::InvalidArgument,
                    "Input to reshape is a tensor with 6 values, but the "
                    "requested shape has 8"));
  EXPECT_THAT(reshapeShape(space, known({2, 3}), known({4, -1})),
              fails(StatusCode::InvalidArgument,
                    HasSubstr("requires a multiple of 4")));
  EXPECT_THAT(reshapeShape(space, known({2, 3}), known({-1, -1})),
              fails(StatusCode::InvalidArgument,
                    "Only one input size may be -1, not both 0 and 1"));
  EXPECT_THAT(reshapeShape(space, known({2, 3}), known({-2, 3})),
              fails(StatusCode::InvalidArgument,
                    "Size 0 must be non-negative, not -2"));
}

// Neither a 0 in the target nor, beside it, one of the input counts.
TEST_F(ShapeRules, ReshapeCountsNoZeros) {
  auto reshaped = [&](std::initializer_list<int64_t> from,
                      std::initializer_list<int64_t> to) {
    return *reshapeShape(space, known(from), known(to));
  };
  EXPECT_EQ(reshaped({0, 4, 5}, {0, -1}), known({0, 20}));
  EXPECT_EQ(reshaped({0}, {-1, 0}), known({1, 0}));
  EXPECT_EQ(reshaped({0, 4, 5}, {3, -1, 0}), known({3, 6, 0}));
  EXPECT_EQ(reshaped({0, 4, 5}, {-1, 20}), known({0, 20}));
  EXPECT_THAT(reshapeShape(space, known({12}), known({3, -1, 0})),
              fails(StatusCode::InvalidArgument,
                    HasSubstr("12 values, but the requested shape has 0")));
  EXPECT_THAT(reshapeShape(space, known({2, 4, 5}), known({3, -1, 0})),
              fails(StatusCode::InvalidArgument,
                    HasSubstr("40 values, but the requested shape requires a "
                              "multiple of 3")));
}

// The size that is fed may be 0 in a run and is not in another.
TEST_F(ShapeRules, ReshapeOfSizesThatMayBeZero) {
  Dim fed = space.feedDim(7, 0, 2), minus = Dim::known(-1);
  Dims shape =
      *reshapeShape(space, {s0, Dim::known(4), Dim::known(5)}, {fed, minus});
  std::vector<int64_t> values;
  for (int64_t count : {0, 2}) {
    std::vector<std::vector<int64_t>> extents(8, {count, count});
    std::vector<FeedShape> feeds(extents.begin(), extents.end());
    ASSERT_EQ(space.symbols().evaluate(feeds, values), okStatus());
    EXPECT_EQ(evaluateDim(shape[1], values), 20);
  }
}

TEST_F(ShapeRules, ConcatAddsAlongTheAxis) {
  std::vector<Dims> parts = {{s0, Dim::known(3)}, {s1, Dim::known(3)}},
                    wrong = {known({2, 2}), known({3, 3})};
  EXPECT_EQ(*concatShape(space, parts, 0),
            (Dims{space.add(s0, s1), Dim::known(3)}));
  EXPECT_THAT(concatShape(space, wrong, 0),
              fails(StatusCode::InvalidArgument,
                    "ConcatOp : Dimension 1 in both shapes must be equal: "
                    "shape[0] = [2,2] vs. shape[1] = [3,3]"));
}

TEST_F(ShapeRules, SliceChecksBounds) {
  EXPECT_EQ(
      *sliceShape(space, {s0, Dim::known(4)}, known({0, 1}), known({-1, 2})),
      (Dims{s0, Dim::known(2)}));
  EXPECT_THAT(sliceShape(space, known({2, 2}), known({0, 1}), known({2, 2})),
              fails(StatusCode::InvalidArgument,
                    "Expected size[1] in [0, 1], but got 2"));
}

TEST_F(ShapeRules, SqueezeWithoutAxesAsksForTheClass) {
  EXPECT_EQ(**squeezeShape(space, {s0, Dim::known(1)}, {}), (Dims{s0}));
  EXPECT_EQ(space.symbols().classes.size(), 1u);
  EXPECT_FALSE(squeezeShape(space, {any}, {})->has_value());
}

TEST_F(ShapeRules, GradientAxesOfEqualSymbolsAreNone) {
  auto axes =
      broadcastGradientAxes(space, {s0, Dim::known(1)}, {s0, Dim::known(1)});
  ASSERT_TRUE(axes.ok() && *axes);
  EXPECT_TRUE((*axes)->a.empty() && (*axes)->b.empty());
}

TEST_F(ShapeRules, GradientAxesFollowTensorFlow) {
  auto check = [&](Dims a, Dims b, std::vector<int64_t> wantA,
                   std::vector<int64_t> wantB) {
    auto axes = broadcastGradientAxes(space, a, b);
    ASSERT_TRUE(axes.ok() && *axes);
    EXPECT_EQ((*axes)->a, wantA);
    EXPECT_EQ((*axes)->b, wantB);
  };
  check(known({3, 1}), known({3, 1}), {}, {});
  check(known({3, 1}), known({1}), {1}, {0, 1});
  check(known({2, 3}), known({3}), {}, {0});
  check(known({0, 1}), known({1, 3}), {1}, {0});
  check({s0, Dim::known(9)}, known({9}), {}, {0});
  check(known({1, 9}), {s1, Dim::known(9)}, {0}, {});
}

StridedSlicePlan plan(DimSpace &space, const Dims &input, Dims begin, Dims end,
                      Dims strides, int shrink = 0, int beginMask = 0,
                      int endMask = 0) {
  StridedSliceSpec spec;
  spec.numEntries = static_cast<int>(begin.size());
  spec.begin = std::move(begin);
  spec.end = std::move(end);
  spec.strides = std::move(strides);
  spec.shrinkAxisMask = shrink;
  spec.beginMask = beginMask;
  spec.endMask = endMask;
  auto result = planStridedSlice(space, input, spec);
  EXPECT_THAT(result, isOk());
  return result.ok() ? *result : StridedSlicePlan();
}

TEST_F(ShapeRules, StridedSliceCountsAsPythonDoes) {
  // x[::-1], x[1:10:2], x[-2:], x[5:2] for x of 7 elements, compared with
  // len(range(7)[...]).
  EXPECT_EQ(
      plan(space, known({7}), known({0}), known({0}), known({-1}), 0, 1, 1)
          .shape,
      known({7}));
  EXPECT_EQ(plan(space, known({7}), known({1}), known({10}), known({2})).shape,
            known({3}));
  EXPECT_EQ(
      plan(space, known({7}), known({-2}), known({0}), known({1}), 0, 0, 1)
          .shape,
      known({2}));
  EXPECT_EQ(plan(space, known({7}), known({5}), known({2}), known({1})).shape,
            known({0}));
  EXPECT_EQ(plan(space, known({7}), known({5}), known({1}), known({-2})).shape,
            known({2}));
}

TEST_F(ShapeRules, StridedSliceOfASymbol) {
  EXPECT_EQ(plan(space, {s0, Dim::known(3)}, known({0}), known({0}), known({1}),
                 0, 1, 1)
                .shape,
            (Dims{s0, Dim::known(3)}));
  Dims tail =
      plan(space, {s0}, known({1}), known({0}), known({1}), 0, 0, 1).shape;
  EXPECT_EQ(space.sampleOf(tail[0]), 4);
  EXPECT_EQ(plan(space, {s0, s1}, known({-1}), known({0}), known({1}), 1).shape,
            (Dims{s1}));
}

TEST_F(ShapeRules, StridedSliceChecksIndices) {
  StridedSliceSpec spec{.begin = known({3}),
                        .end = known({4}),
                        .strides = known({1}),
                        .numEntries = 1,
                        .shrinkAxisMask = 1};
  EXPECT_THAT(planStridedSlice(space, known({3, 2}), spec),
              fails(StatusCode::InvalidArgument,
                    "slice index 3 of dimension 0 out of bounds."));
  spec.strides = known({0});
  EXPECT_THAT(
      planStridedSlice(space, known({3, 2}), spec),
      fails(StatusCode::InvalidArgument, "strides[0] must be non-zero"));
}

TEST_F(ShapeRules, RangeCountsTowardsTheLimit) {
  auto number = [](int64_t value) { return Dim::known(value); };
  EXPECT_EQ(*rangeLength(space, number(0), number(10), number(3)), number(4));
  EXPECT_EQ(*rangeLength(space, number(5), number(0), number(-2)), number(3));
  EXPECT_EQ(*rangeLength(space, number(0), s0, number(1)), s0);
  EXPECT_THAT(rangeLength(space, number(5), number(3), number(1)),
              fails(StatusCode::InvalidArgument,
                    "Requires start <= limit when delta > 0: 5/3"));
}

TEST_F(ShapeRules, GatherReplacesTheAxis) {
  EXPECT_EQ(*gatherShape(space, {s0, Dim::known(4)}, known({2, 3}), 0, 0),
            known({2, 3, 4}));
  EXPECT_EQ(*gatherShape(space, {s0, Dim::known(4)}, {s0, Dim::known(3)}, 1, 1),
            (Dims{s0, Dim::known(3)}));
  EXPECT_THAT(gatherShape(space, known({3, 2}), known({1}), 2, 0),
              fails(StatusCode::InvalidArgument,
                    "Shape must be at least rank 3 but is rank 2"));
}

TEST_F(ShapeRules, PaddingAndTilingCheckSigns) {
  EXPECT_EQ(*padShape(space, known({3}), known({1, 2})), known({6}));
  EXPECT_THAT(padShape(space, known({3}), known({0, -1})),
              fails(StatusCode::InvalidArgument,
                    "Paddings must be non-negative: 0 -1"));
  EXPECT_EQ(*tileShape(space, {s0}, known({2})),
            (Dims{space.mul(s0, Dim::known(2))}));
  EXPECT_THAT(tileShape(space, known({2, 3}), known({1, -1})),
              fails(StatusCode::InvalidArgument,
                    "Expected multiples[1] >= 0, but got -1"));
}

} // namespace
} // namespace kiln
