// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that are made of several ops add TensorFlow's nodes: arithmetic,
// reductions, counts, sequences. Graphs and values are recorded by
// test/golden_kiln/make_composed_math_cases.py.
#include "kiln/BuildOps.h"
#include "test/unit/Build/CompositionFixture.h"

namespace kiln {
namespace {

class MathCompositions : public CompositionFixture {};

TEST_F(MathCompositions, Arithmetic) {
  using namespace ops;
  Output x = input(float32, {-1, 3}, "x"), y = input(float32, {3}, "y");
  Output n = input(int32, {3}, "n"), b = input(DType::Bool, {2}, "b");
  Output w = input(float64, Shape::unknownRank(), "w");
  Output s = input(DType::Int16, {3}, "s");
  scalarMul(2, x);
  scalarMul(ops::constant(0.5), x, {.name = "half"});
  logicalXor(b, {true, false});
  logicalXor(b, b, {.name = "never"});
  round(x);
  round(n);
  round(2.5, {.name = "two"});
  sign(x);
  sign(-3.0);
  logSigmoid(x);
  logSigmoid(1.0, {.name = "one"});
  divNoNan(x, y);
  divNoNan(1.0, y, {.name = "inverse"});
  divNoNan(n, n);
  divNoNan(s, 2);
  multiplyNoNan(x, y);
  multiplyNoNan(x, 0.0, {.name = "gone"});
  reciprocalNoNan(y);
  xdivy(x, y);
  xdivy(x, 2.0, {.name = "by_two"});
  xlog1py(x, 1.0);
  erfinv(tanh(x));
  ndtri(sigmoid(w));
  saturateCast(x, DType::UInt8);
  saturateCast(w, int32, {.name = "ints"});
  saturateCast(n, float32);
  saturateCast(n, DType::Int8);
  saturateCast(w, float32);
  accumulateN({x, x, x});
  EXPECT_EQ(accumulateN({x}), x);
  accumulateN({x}, {.name = "same"});
  accumulateN({y, {1.0, 2.0, 3.0}},
              {.shape = Shape{3}, .tensorDType = float32, .name = "sum"});
  polyval({1.0, x, 3.0}, x);
  polyval({2.0}, w, {.name = "constant"});
  polyval({}, x);
  matMul(x, transpose(x), {.aIsSparse = true});
  matMul(x, x, {.transposeA = true, .bIsSparse = true, .name = "sparse"});
  matMul(w, w, {.aIsSparse = true});
  expectGraph("composed_arithmetic");
}

TEST_F(MathCompositions, Reductions) {
  using namespace ops;
  Output x = input(float32, {2, -1, 3}, "x");
  Output u = input(float32, Shape::unknownRank(), "u");
  Output d = input(float64, {3, 4}, "d"), n = input(int32, {3, -1}, "n");
  Output t = input(DType::String, {3}, "t"),
         b = input(DType::Bool, {2, 2}, "b");
  Output i = input(int32, {}, "i");
  for (auto reduce :
       {reduceLogSumExp, reduceVariance, reduceStd, reduceEuclideanNorm}) {
    reduce(x, {});
    reduce(x, {.axis = 1});
    reduce(x, {.axis = Input({0, -1}), .keepDims = true});
    EXPECT_EQ(reduce(u, {}).shape(), Shape());
    reduce(d, {.keepDims = true, .name = "whole"});
    reduce(d, {.axis = i, .name = "one"});
  }
  reduceLogSumExp({1.0, 2.0});
  reduceStd(waves({2, 3}), {.axis = 0});
  countNonzero(x);
  countNonzero(n, {.axis = 0, .dtype = int32});
  countNonzero(t);
  countNonzero(b, {.axis = 1, .keepDims = true, .name = "true"});
  countNonzero({1, 0, 2});
  zeroFraction(x);
  zeroFraction(n, {.name = "zeros"});
  zeroFraction(d);
  lbeta(d);
  lbeta({1.0, 2.0}, {.name = "pair"});
  Output ids = input(int32, {3}, "ids");
  unsortedSegmentMean(d, ids, 3);
  unsortedSegmentMean(d, ids, ops::constant(4), {.name = "mean"});
  unsortedSegmentSqrtN(d, ids, 2);
  unsortedSegmentMean(d[{sliceAll(), 0}], {0, 1, 0}, 2);
  EXPECT_EQ(reduceSum(u).shape(), Shape());
  Output zero = zeros({2});
  EXPECT_EQ((zero + reduceMax(u)).shape(), Shape{2});
  expectGraph("composed_reductions");
}

TEST_F(MathCompositions, Counts) {
  using namespace ops;
  Output x = input(int32, {-1}, "x"), y = input(DType::Int64, {4}, "y");
  Output p = input(int32, {4, 1}, "p");
  Output u = input(int32, Shape::unknownRank(), "u");
  Output w = input(float32, {4}, "w"), v = input(float32, {2, 3}, "v");
  confusionMatrix(x, y);
  confusionMatrix(y, p, {.numClasses = 5});
  Output six = ops::constant(6);
  confusionMatrix(
      y, x,
      {.numClasses = six, .dtype = float32, .name = "weighted", .weights = w});
  confusionMatrix(x, u, {.numClasses = 4});
  confusionMatrix(u, y);
  confusionMatrix({1, 2, 4}, {2, 2, 4});
  confusionMatrix(y, {3, 0, 1, 2}, {.numClasses = 4, .dtype = DType::Int64});
  histogramFixedWidth(v, {0.0, 2.0});
  histogramFixedWidth(v, {-1.0, 1.0},
                      {.nbins = 5, .dtype = DType::Int64, .name = "five"});
  histogramFixedWidthBins(v, {0.0, 2.0});
  histogramFixedWidthBins(v, {-1.0, 1.0}, {.nbins = 5, .name = "bins"});
  bincount(x);
  bincount(y, {.minLength = 6, .dtype = DType::Int64});
  bincount(x, {.minLength = 1, .maxLength = 2});
  bincount(x, {.weights = w});
  bincount(v, {.dtype = float32});
  expectGraph("composed_counts");
}

TEST_F(MathCompositions, Sequences) {
  using namespace ops;
  Output x = input(float32, {-1, 3}, "x");
  Output u = input(float32, Shape::unknownRank(), "u");
  Output n = input(int32, {3}, "n"), k = input(int32, {}, "k");
  Output s = input(DType::UInt8, {2, 4}, "s");
  Output m = input(DType::Int64, {2, 2}, "m");
  linspace(0.0, 1.0, 5);
  linspace(x[0], 2.0, k, {.name = "rows"});
  linspace(ops::constant(1.0, {.dtype = float64}), 3, 1);
  meshgrid({n, {1, 2}});
  Output row = x[0], column = x[{sliceAll(), 0}];
  meshgrid({{1.0, 2.0}, row, column}, {.indexing = "ij", .name = "three"});
  meshgrid({n});
  meshgrid({n, n, {5, 6}});
  sequenceMask(n);
  sequenceMask(n, {.maxLength = 5});
  sequenceMask(n, {.maxLength = k, .dtype = float32, .name = "masks"});
  sequenceMask({{1, 2}, {0, 3}}, {.dtype = int32});
  sequenceMask(m);
  sequenceMask(cast(u, int32), {.maxLength = 4});
  sequenceMask(k);
  repeat(n, 2);
  repeat(x, {1, 0, 2}, {.axis = 1});
  repeat(x, n, {.axis = -1, .name = "columns"});
  repeat(m, 3);
  repeat(m, {2, 1}, {.axis = 0});
  repeat(3, 4);
  sort(x);
  sort(n, {.direction = "DESCENDING"});
  sort(x, {.axis = 0});
  sort(s);
  sort(m, {.axis = 0, .name = "rows_of_m"});
  sort(u, {.axis = 0});
  sort(u, {.axis = -2, .direction = "DESCENDING"});
  argsort(x);
  argsort(n, {.direction = "DESCENDING", .name = "down"});
  argsort(x, {.axis = 0});
  argsort(s, {.stable = true});
  argsort({3, 1, 2});
  searchsorted(sort(x), x);
  searchsorted({1, 3, 5}, n, {.side = "right", .name = "right"});
  searchsorted(Input({{1.0, 2.0}}), Input({{0.0, 1.0}}),
               {.outType = DType::Int64});
  expectGraph("composed_sequences");
}

} // namespace
} // namespace kiln
