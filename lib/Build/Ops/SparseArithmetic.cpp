// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic with sparse tensors as TensorFlow's Python adds it.
#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/ops/Array.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/Indexing.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/MathOps.h"
#include "kiln/ops/Sparse.h"
#include "kiln/ops/SparseOps.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln::ops {
namespace {

bool isThere(const SparseTensor &tensor) {
  return tensor.indices.node && tensor.values.node && tensor.denseShape.node;
}

/// The shape of the sum of two, which broadcast. **Errors**: INVALID_ARGUMENT
/// with TensorFlow's text.
StatusOr<Shape> shapeOfSum(const Shape &a, const Shape &b) {
  if (!a.isCompatibleWith(b))
    return invalidArgumentError(strCat("Shapes ", a.toTupleString(), " and ",
                                       b.toTupleString(), " are incompatible"));
  if (!a.hasRank() || !b.hasRank())
    return Shape::unknownRank();
  Shape sum = a;
  for (int i = 0; i < a.rank(); ++i) {
    int64_t x = a.dim(i), y = b.dim(i);
    if (x < 0 || y < 0)
      sum.setDim(i, std::max(x, y) > 1 ? std::max(x, y) : Shape::unknownDim);
  }
  return sum;
}

} // namespace

SparseTensor sparseAdd(const SparseTensor &a, const SparseTensor &b,
                       const Input &threshold) {
  GraphScope graph(GraphBuilder::of(a.indices));
  if (!isThere(a) || !isThere(b))
    return {};
  Output least = convert(threshold, "threshold", a.dtype());
  auto found = rawOps::sparseAdd(a.indices, a.values, a.denseShape, b.indices,
                                 b.values, b.denseShape, least);
  auto shape = shapeOfSum(shapeOf(a), shapeOf(b));
  if (!shape.ok()) {
    failed(shape.status(), "SparseAdd");
    return {};
  }
  Input extents = found.sumShape;
  if (shape->isFullyDefined())
    extents = std::vector<int64_t>(shape->dims().begin(), shape->dims().end());
  return makeSparseTensor(found.sumIndices, found.sumValues, extents);
}

Output sparseAddDense(const SparseTensor &a, const Input &b) {
  return rawOps::sparseTensorDenseAdd(a.indices, a.values, a.denseShape, b);
}

SparseTensor multiplyByDense(const SparseTensor &a, const Input &b) {
  Input values(a.values);
  FunctionScope scope("", "mul", {&values, &b});
  if (!isThere(a))
    return {};
  Output dense = convert(b, "y", a.dtype());
  Output product = rawOps::sparseDenseCwiseMul(
      a.indices, a.values, a.denseShape, dense, {.name = scope});
  return makeSparseTensor(a.indices, product, a.denseShape);
}

SparseTensor divideByDense(const SparseTensor &a, const Input &b) {
  Input values(a.values);
  FunctionScope scope("", "truediv", {&values, &b});
  if (!isThere(a))
    return {};
  Output dense = convert(b, "y", a.dtype());
  Output dividend = a.values;
  if (isInteger(a.dtype())) {
    DType wide = dtypeSize(a.dtype()) < 4 ? DType::Float32 : DType::Float64;
    dividend = rawOps::cast(dividend, wide);
    dense = rawOps::cast(dense, wide);
  }
  Output quotient = rawOps::sparseDenseCwiseDiv(
      a.indices, dividend, a.denseShape, dense, {.name = scope});
  return makeSparseTensor(a.indices, quotient, a.denseShape);
}

Output sparseTensorDenseMatMul(const SparseTensor &a, const Input &b,
                               const SparseDenseMatMulOptions &options) {
  Input values(a.values);
  FunctionScope scope(options.name, "SparseTensorDenseMatMul", {&values, &b});
  if (!isThere(a))
    return {};
  Output dense = convert(b, "b");
  return rawOps::sparseTensorDenseMatMul(
      a.indices, a.values, a.denseShape, dense,
      {.adjointA = options.adjointA, .adjointB = options.adjointB});
}

Output sparseTensorDenseMatMul(const Input &a, const SparseTensor &b,
                               const SparseDenseMatMulOptions &options) {
  GraphScope graph(GraphBuilder::of(b.values));
  bool isMixed = options.adjointA != options.adjointB;
  SparseDenseMatMulOptions turned{
      .adjointA = isMixed ? options.adjointA : !options.adjointA,
      .adjointB = isMixed ? options.adjointB : !options.adjointB};
  return transpose(sparseTensorDenseMatMul(b, a, turned));
}

SparseTensor sparseSoftmax(const SparseTensor &input,
                           const OpOptions &options) {
  Input values(input.values);
  FunctionScope scope(options.name, "SparseSoftmax", {&values});
  if (!isThere(input))
    return {};
  Output found =
      rawOps::sparseSoftmax(input.indices, input.values, input.denseShape);
  return makeSparseTensor(input.indices, found, input.denseShape);
}

SparseTensor sparseMaximum(const SparseTensor &a, const SparseTensor &b,
                           const OpOptions &options) {
  Input values(a.values);
  GraphScope graph(builderOf(values));
  if (!isThere(a) || !isThere(b))
    return {};
  rawOps::SparseSparseMaximumResult found;
  {
    NameScope scope(options.name, "SparseSparseMaximum");
    found = rawOps::sparseSparseMaximum(a.indices, a.values, a.denseShape,
                                        b.indices, b.values, b.denseShape,
                                        {.name = scope.name()});
  }
  return makeSparseTensor(found.outputIndices, found.outputValues,
                          a.denseShape);
}

SparseTensor sparseMinimum(const SparseTensor &a, const SparseTensor &b,
                           const OpOptions &options) {
  Input values(a.values);
  GraphScope graph(builderOf(values));
  if (!isThere(a) || !isThere(b))
    return {};
  rawOps::SparseSparseMinimumResult found;
  {
    NameScope scope(options.name, "SparseSparseMinimum");
    found = rawOps::sparseSparseMinimum(a.indices, a.values, a.denseShape,
                                        b.indices, b.values, b.denseShape,
                                        {.name = scope.name()});
  }
  return makeSparseTensor(found.outputIndices, found.outputValues,
                          a.denseShape);
}

namespace {

/// The axes of a reduction.
Input axesOf(const SparseTensor &input, const SparseReduceOptions &options) {
  if (options.axis)
    return *options.axis;
  Shape shape = shapeOf(input);
  if (shape.rank() > 0) {
    std::vector<int32_t> axes(static_cast<size_t>(shape.rank()));
    for (size_t i = 0; i < axes.size(); ++i)
      axes[i] = static_cast<int32_t>(i);
    return valueOf(axes);
  }
  Output rank;
  {
    NameScope scope("Rank");
    rank = rawOps::size(input.denseShape, {.name = scope.name()});
  }
  return range(0, rank);
}

} // namespace

Output sparseReduceSum(const SparseTensor &input,
                       const SparseReduceOptions &options) {
  GraphScope graph(GraphBuilder::of(input.values));
  if (!isThere(input))
    return {};
  Input axes = axesOf(input, options);
  return rawOps::sparseReduceSum(input.indices, input.values, input.denseShape,
                                 axes, {.keepDims = options.keepDims});
}
Output sparseReduceMax(const SparseTensor &input,
                       const SparseReduceOptions &options) {
  GraphScope graph(GraphBuilder::of(input.values));
  if (!isThere(input))
    return {};
  Input axes = axesOf(input, options);
  return rawOps::sparseReduceMax(input.indices, input.values, input.denseShape,
                                 axes, {.keepDims = options.keepDims});
}
SparseTensor sparseReduceSumSparse(const SparseTensor &input,
                                   const SparseReduceOptions &options) {
  GraphScope graph(GraphBuilder::of(input.values));
  if (!isThere(input))
    return {};
  Input axes = axesOf(input, options);
  auto found = rawOps::sparseReduceSumSparse(input.indices, input.values,
                                             input.denseShape, axes,
                                             {.keepDims = options.keepDims});
  return makeSparseTensor(found.outputIndices, found.outputValues,
                          found.outputShape);
}
SparseTensor sparseReduceMaxSparse(const SparseTensor &input,
                                   const SparseReduceOptions &options) {
  GraphScope graph(GraphBuilder::of(input.values));
  if (!isThere(input))
    return {};
  Input axes = axesOf(input, options);
  auto found = rawOps::sparseReduceMaxSparse(input.indices, input.values,
                                             input.denseShape, axes,
                                             {.keepDims = options.keepDims});
  return makeSparseTensor(found.outputIndices, found.outputValues,
                          found.outputShape);
}

} // namespace kiln::ops
