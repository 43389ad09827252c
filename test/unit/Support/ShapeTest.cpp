// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shapes: what is known, compatible and countable.
#include "kiln/Shape.h"

#include "test/unit/StatusMatchers.h"

#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace kiln {
namespace {

using testing::fails;
using ::testing::HasSubstr;
using testing::isOk;

constexpr int64_t huge = std::numeric_limits<int64_t>::max();

TEST(Shape, PrintsInTensorFlowsStyles) {
  EXPECT_EQ(Shape({-1, 3}).toString(), "[?,3]");
  EXPECT_EQ(Shape({-1, 3}).toTupleString(), "(?, 3)");
  EXPECT_EQ(Shape({3}).toTupleString(), "(3,)");
  EXPECT_EQ(Shape().toString(), "[]");
  EXPECT_EQ(Shape().toTupleString(), "()");
  EXPECT_EQ(Shape::unknownRank().toString(), "<unknown>");
  EXPECT_EQ(Shape::unknownRank().toTupleString(), "<unknown>");
}

TEST(Shape, DimensionsCountFromTheEndToo) {
  Shape shape({2, 3, 4});
  EXPECT_EQ(shape.dim(0), 2);
  EXPECT_EQ(shape.dim(-1), 4);
  EXPECT_EQ(shape.dim(3), Shape::unknownDim);
  EXPECT_EQ(shape.dim(-4), Shape::unknownDim);
  EXPECT_EQ(Shape::unknownRank().dim(0), Shape::unknownDim);
}

TEST(Shape, MovesBetweenInlineAndHeapStorage) {
  Shape small({1, 2}), large({1, 2, 3, 4, 5, 6});
  Shape copy = large;
  small.appendDim(3);
  EXPECT_EQ(small, Shape({1, 2, 3}));
  std::swap(small, large);
  EXPECT_EQ(small, copy);
  EXPECT_EQ(large, Shape({1, 2, 3}));
  small = large;
  EXPECT_EQ(small.rank(), 3);
  small = Shape::unknownRank();
  EXPECT_FALSE(small.hasRank());
  copy = Shape::unknownRank();
  EXPECT_EQ(copy, small);
  for (int64_t i = 0; i < 6; ++i)
    large.appendDim(i);
  EXPECT_EQ(large.rank(), 9);
  EXPECT_EQ(large.dim(-1), 5);
}

TEST(Shape, CountsElementsWithoutOverflow) {
  EXPECT_EQ(*Shape({2, 3, 4}).numElements(), 24);
  EXPECT_EQ(*Shape().numElements(), 1);
  EXPECT_EQ(*Shape({huge, 0, huge}).numElements(), 0);
  EXPECT_EQ(*Shape({huge}).numElements(), huge);
  EXPECT_THAT(Shape({huge, 2}).numElements(),
              fails(StatusCode::InvalidArgument, HasSubstr("2^63")));
  EXPECT_THAT(Shape({-1}).numElements(), fails(StatusCode::InvalidArgument,
                                               HasSubstr("unknown dimension")));
  EXPECT_THAT(Shape({-2}).numElements(),
              fails(StatusCode::InvalidArgument, HasSubstr("negative")));
  EXPECT_THAT(Shape::unknownRank().numElements(),
              fails(StatusCode::InvalidArgument, HasSubstr("unknown rank")));
}

TEST(Shape, FromDimsRefusesWhatAFileMayClaim) {
  EXPECT_THAT(Shape::fromDims(std::vector<int64_t>{2, -1}), isOk());
  EXPECT_THAT(Shape::fromDims(std::vector<int64_t>{2, -3}),
              fails(StatusCode::InvalidArgument, HasSubstr("is -3")));
  EXPECT_THAT(Shape::fromDims(std::vector<int64_t>(254, 1)), isOk());
  EXPECT_THAT(
      Shape::fromDims(std::vector<int64_t>(255, 1)),
      fails(StatusCode::InvalidArgument, HasSubstr("too many dimensions")));
  EXPECT_THAT(Shape::fromDims(std::vector<int64_t>{huge, -1, 3}),
              fails(StatusCode::InvalidArgument, HasSubstr("2^63")));
  EXPECT_THAT(Shape::fromDims(std::vector<int64_t>{huge, 0, 3}), isOk());
}

TEST(Shape, MergesWhatIsCompatible) {
  EXPECT_EQ(*Shape({-1, 3}).merge(Shape({2, -1})), Shape({2, 3}));
  EXPECT_EQ(*Shape::unknownRank().merge(Shape({2})), Shape({2}));
  EXPECT_EQ(*Shape({2}).merge(Shape::unknownRank()), Shape({2}));
  EXPECT_THAT(Shape({2}).merge(Shape({3})),
              fails(StatusCode::InvalidArgument,
                    "Dimension 0 in both shapes must be equal, but are 2 and "
                    "3. Shapes are [2] and [3]."));
  EXPECT_THAT(Shape({2}).merge(Shape({2, 3})),
              fails(StatusCode::InvalidArgument,
                    "Shapes must be equal rank, but are 1 and 2"));
  EXPECT_FALSE(Shape({2}).isCompatibleWith(Shape({2, 2})));
  EXPECT_TRUE(Shape({-1}).isCompatibleWith(Shape({7})));
  EXPECT_FALSE(Shape({-1}).isFullyDefined());
  EXPECT_TRUE(Shape({0, 1}).isFullyDefined());
}

} // namespace
} // namespace kiln
