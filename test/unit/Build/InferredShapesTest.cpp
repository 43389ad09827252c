// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of shapes while a graph is built, where it comes from the
// contents of shapes and from other inputs: what TensorFlow's functions know.
#include "kiln/BuildOps.h"
#include "test/unit/StatusMatchers.h"

#include <gmock/gmock.h>

namespace kiln {
namespace {

class InferredShapes : public ::testing::Test {
protected:
  static Output floats(const Shape &shape) {
    return ops::placeholder(DType::Float32, shape);
  }
  std::string shapeOf(const Output &x) {
    Status status = graph.takeStatus();
    return status.ok() && x.node ? x.shape().toTupleString()
                                 : status.toString();
  }
  /// Of a tensor of the shape of `x` with `paddings` around the shape.
  std::string shapeOfPadded(const Output &x, const Input &paddings,
                            int64_t value) {
    Output shape = ops::pad(ops::shape(x), paddings, {.constantValues = value});
    return shapeOf(ops::zeros(shape));
  }

  GraphBuilder graph;
  GraphScope scope{graph};
};

TEST_F(InferredShapes, PaddedShapes) {
  Output x = floats({2, 4, 3});
  EXPECT_EQ(shapeOfPadded(x, {{0, 1}}, 1), "(2, 4, 3, 1)");
  EXPECT_EQ(shapeOfPadded(x, {{2, 0}}, 5), "(5, 5, 2, 4, 3)");
  EXPECT_EQ(shapeOfPadded(x, {{0, 0}}, 5), "(2, 4, 3)");
  EXPECT_EQ(shapeOfPadded(x, {{1, 0}}, 0), "(0, 2, 4, 3)");
  EXPECT_EQ(shapeOfPadded(floats({2, -1, 3}), {{0, 1}}, 1), "(?, ?, ?, ?)");
  EXPECT_EQ(shapeOfPadded(floats(Shape::unknownRank()), {{0, 1}}, 1),
            "<unknown>");
  Output paddings = ops::placeholder(DType::Int32, {1, 2});
  EXPECT_EQ(shapeOfPadded(x, paddings, 1), "<unknown>");
}

TEST_F(InferredShapes, StackedPartsOfUnknownRankAreAsTheOthers) {
  auto integers = [](const Shape &shape) {
    return ops::placeholder(DType::Int32, shape);
  };
  Output any = integers(Shape::unknownRank()), scalar = integers({});
  EXPECT_EQ(shapeOf(ops::stack({any, scalar})), "(2,)");
  EXPECT_EQ(shapeOf(ops::stack({any, integers({3, -1}), integers({-1, 4})},
                               {.axis = 1})),
            "(3, 3, 4)");
  EXPECT_EQ(shapeOf(ops::stack({any, any})), "<unknown>");
  EXPECT_EQ(shapeOf(ops::reshape(floats({-1, 64}), {any, scalar, 64})),
            "(?, ?, 64)");
  EXPECT_EQ(shapeOf(ops::zeros({any, 3})), "(?, 3)");
}

TEST_F(InferredShapes, ReversedSequences) {
  auto reversed = [&](const Shape &shape, const Shape &lengths,
                      int64_t batchDim) {
    return shapeOf(ops::reverseSequence(floats(shape),
                                        ops::placeholder(DType::Int64, lengths),
                                        1 - batchDim, {.batchDim = batchDim}));
  };
  EXPECT_EQ(reversed({-1, 7, 3}, {4}, 0), "(4, 7, 3)");
  EXPECT_EQ(reversed({7, -1, 3}, {4}, 1), "(7, 4, 3)");
  EXPECT_EQ(reversed({-1, 7, 3}, {-1}, 0), "(?, 7, 3)");
  EXPECT_EQ(reversed({4, 7, 3}, Shape::unknownRank(), 0), "(4, 7, 3)");
  EXPECT_THAT(reversed({5, 7}, {4}, 0),
              ::testing::HasSubstr(
                  "Length of seq_lengths != input.dims(0), (4 vs. 5)"));
}

} // namespace
} // namespace kiln
