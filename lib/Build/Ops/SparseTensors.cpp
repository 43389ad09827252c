// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What makes sparse tensors, and dense tensors of them, as TensorFlow's Python
// adds it.
#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/Data.h"
#include "kiln/ops/Indexing.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/MathOps.h"
#include "kiln/ops/SparseOps.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln::ops {
namespace {

/// **Errors**: INVALID_ARGUMENT with TensorFlow's texts.
Status check(const SparseTensor &made) {
  const Shape &indices = made.indices.shape(), &values = made.values.shape(),
              &extents = made.denseShape.shape();
  for (auto [shape, rank] :
       {std::pair(&indices, 2), {&values, 1}, {&extents, 1}})
    if (shape->hasRank() && shape->rank() != rank)
      return invalidArgumentError(
          strCat("Shape ", shape->toTupleString(), " must have rank ", rank));
  auto areSame = [](int64_t a, int64_t b) { return a < 0 || b < 0 || a == b; };
  for (auto [a, b] : {std::pair(indices.dim(0), values.dim(0)),
                      std::pair(indices.dim(1), extents.dim(0))})
    if (!areSame(a, b))
      return invalidArgumentError(
          strCat("Dimensions ", a, " and ", b, " are not compatible"));
  return okStatus();
}

} // namespace

SparseTensor makeSparseTensor(const Input &indices, const Input &values,
                              const Input &denseShape) {
  FunctionScope scope("", "SparseTensor", {&indices, &values, &denseShape});
  SparseTensor made;
  made.indices = convert(indices, "indices", DType::Int64);
  made.values = convert(values, "values");
  made.denseShape = convert(denseShape, "dense_shape", DType::Int64);
  if (!made.indices.node || !made.values.node || !made.denseShape.node)
    return {};
  if (Status status = check(made); !status.ok()) {
    failed(status, scope);
    return {};
  }
  return made;
}

Shape shapeOf(const SparseTensor &tensor) {
  Shape shape = constantShape(tensor.denseShape);
  return shape.merge(tensor.known).valueOr(shape);
}

SparseTensor sparsePlaceholder(DType dtype,
                               const SparsePlaceholderOptions &options) {
  auto named = [&](std::string_view part) {
    return options.name.empty() ? std::string()
                                : strCat(options.name, "/", part);
  };
  int64_t rank = Shape::unknownDim;
  Shape known = Shape::unknownRank();
  Output denseShape;
  if (!options.shape) {
    denseShape = placeholder(DType::Int64, {Shape::unknownDim},
                             {.name = named("shape")});
  } else if (const Output *given = options.shape->output()) {
    if (!given->node)
      return {};
    rank = given->shape().dim(0);
    known = constantShape(*given);
    denseShape = rawOps::placeholderWithDefault(*given, given->shape(),
                                                {.name = named("shape")});
  } else {
    std::vector<int64_t> extents;
    if (const Shape *shape = std::get_if<Shape>(&options.shape->value()))
      extents.assign(shape->dims().begin(), shape->dims().end());
    else
      extents = knownIntegers(*options.shape).value_or(extents);
    rank = static_cast<int64_t>(extents.size());
    known = Shape(extents);
    Output shape = convert(extents, named("shape_default"), DType::Int64);
    denseShape = rawOps::placeholderWithDefault(shape, Shape{rank},
                                                {.name = named("shape")});
  }
  Output values =
      placeholder(dtype, {Shape::unknownDim}, {.name = named("values")});
  Output indices = placeholder(DType::Int64, {Shape::unknownDim, rank},
                               {.name = named("indices")});
  SparseTensor made = makeSparseTensor(indices, values, denseShape);
  made.known = known;
  return made;
}

SparseTensor sparseFromDense(const Input &tensor, const OpOptions &options) {
  FunctionScope scope(options.name, "dense_to_sparse", {&tensor});
  Output dense = valueOf(tensor);
  if (!dense.node)
    return {};
  Output isThere = rawOps::notEqual(dense, zerosLike(dense));
  Output indices = where(isThere);
  Output values = rawOps::gatherNd(dense, indices);
  return makeSparseTensor(indices, values,
                          shape(dense, {.outType = DType::Int64}));
}

namespace {

/// **Source**: sparse_ops._make_int64_tensor.
Output asInt64(const Input &number, std::string_view name) {
  if (!number.output())
    return convert(number, name, DType::Int64);
  return number.output()->node ? cast(number, DType::Int64) : Output();
}

} // namespace

SparseTensor sparseEye(const Input &numRows, const SparseEyeOptions &options) {
  FunctionScope scope(options.name, "eye", {&numRows});
  Output rows = asInt64(numRows, "num_rows");
  Output columns =
      options.numColumns ? asInt64(*options.numColumns, "num_columns") : rows;
  if (!rows.node || !columns.node)
    return {};
  Output count = rawOps::minimum(rows, columns);
  Output places = range(count, {.dtype = DType::Int64});
  Output indices = stack({places, places}, {.axis = 1});
  Output values = ones(count, {.dtype = options.dtype});
  return makeSparseTensor(indices, values, Input(Input::List{rows, columns}));
}

Output sparseToDense(const Input &sparseIndices, const Input &outputShape,
                     const Input &sparseValues,
                     const SparseToDenseOptions &options) {
  return rawOps::sparseToDense(
      sparseIndices, outputShape, sparseValues, options.defaultValue,
      {.validateIndices = options.validateIndices, .name = options.name});
}

Output sparseTensorToDense(const SparseTensor &input,
                           const SparseTensorToDenseOptions &options) {
  GraphScope graph(GraphBuilder::of(input.values));
  if (!input.values.node)
    return {};
  Input otherwise = options.defaultValue
                        ? *options.defaultValue
                        : Input(zeros(Shape(), {.dtype = input.dtype()}));
  return rawOps::sparseToDense(
      input.indices, input.denseShape, input.values, otherwise,
      {.validateIndices = options.validateIndices, .name = options.name});
}

Output sparseToIndicator(const SparseTensor &input, const Input &vocabSize,
                         const OpOptions &options) {
  Input indices(input.indices);
  FunctionScope scope(options.name, "SparseToIndicator", {&indices});
  Output count = shape(indices);
  if (!count.node)
    return {};
  Output length = expandDims(count[0], 0);
  Output truths = fill(length, true);
  SparseTensor values =
      makeSparseTensor(input.indices, truths, input.denseShape);
  SparseTensor merged =
      sparseMerge({input}, values, {vocabSize}, {.name = scope});
  return sparseTensorToDense(
      merged, {.defaultValue = false, .validateIndices = false, .name = scope});
}

} // namespace kiln::ops
