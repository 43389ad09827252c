// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rearrangements of sparse tensors as TensorFlow's Python adds them.
#include "kiln/ops/SparseOps.h"

#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/ops/Array.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/CheckOps.h"
#include "kiln/ops/ControlOps.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/MathOps.h"
#include "kiln/ops/Selection.h"
#include "kiln/ops/Sparse.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <numeric>

namespace kiln::ops {
namespace {

bool isThere(const SparseTensor &tensor) {
  return tensor.indices.node && tensor.values.node && tensor.denseShape.node;
}

std::vector<int64_t> extentsOf(const Shape &shape) {
  return {shape.dims().begin(), shape.dims().end()};
}

} // namespace

SparseTensor sparseReorder(const SparseTensor &input,
                           const OpOptions &options) {
  GraphScope graph(GraphBuilder::of(input.indices));
  if (!isThere(input))
    return {};
  auto found = rawOps::sparseReorder(input.indices, input.values,
                                     input.denseShape, options);
  Shape shape = shapeOf(input);
  if (shape.isFullyDefined())
    return makeSparseTensor(found.outputIndices, found.outputValues,
                            extentsOf(shape));
  Output extents{addIdentity(input.denseShape, ""), 0};
  SparseTensor made =
      makeSparseTensor(found.outputIndices, found.outputValues, extents);
  made.known = shape;
  return made;
}

namespace {

/// The shape with what -1 stands for, where the graph knows all of it.
/// **Errors**: INVALID_ARGUMENT with TensorFlow's texts.
StatusOr<std::optional<Shape>> resolved(const Shape &before,
                                        const Output &wanted) {
  Shape shape = constantShape(wanted);
  auto count = before.numElements();
  if (!shape.hasRank() || !count.ok())
    return std::optional<Shape>();
  std::vector<int64_t> extents = extentsOf(shape);
  auto open = std::ranges::count(extents, Shape::unknownDim);
  auto value = constantValue(wanted);
  if (value && open > 1)
    return invalidArgumentError(
        strCat("At most one dimension can be inferred (-1). Found: [",
               strJoin(extents, " "), "]"));
  bool hasZero = std::ranges::count(extents, 0) > 0;
  if (open > 1 || (open == 1 && hasZero))
    return std::optional<Shape>();
  int64_t product = 1;
  for (int64_t extent : extents)
    product *= extent < 0 ? 1 : extent;
  for (int64_t &extent : extents)
    if (extent < 0)
      extent = *count / std::max<int64_t>(product, 1);
  int64_t size = 1;
  for (int64_t extent : extents)
    size *= extent;
  if (size != *count)
    return invalidArgumentError(
        strCat("Cannot reshape a tensor with ", *count, " elements to shape [",
               strJoin(extentsOf(shape), ", "), "] (", size, " elements)."));
  return std::optional(Shape(extents));
}

} // namespace

SparseTensor sparseReshape(const SparseTensor &input, const Input &shape,
                           const OpOptions &options) {
  Input indices(input.indices);
  GraphScope graph(builderOf(indices));
  if (!isThere(input))
    return {};
  Output wanted = cast(shape, DType::Int64);
  FunctionScope scope(options.name, "SparseReshape", {&indices});
  auto found = rawOps::sparseReshape(input.indices, input.denseShape, wanted,
                                     {.name = scope});
  if (!found.outputIndices.node)
    return {};
  auto known = resolved(shapeOf(input), wanted);
  if (!known.ok()) {
    failed(known.status(), scope);
    return {};
  }
  Output extents = found.outputShape;
  if (*known)
    extents = constant(extentsOf(**known), {.dtype = DType::Int64});
  Output values{addIdentity(input.values, ""), 0};
  return makeSparseTensor(found.outputIndices, values, extents);
}

SparseTensor sparseTranspose(const SparseTensor &input,
                             const SparseTransposeOptions &options) {
  Input indices(input.indices);
  FunctionScope scope(options.name, "SparseTranspose", {&indices});
  if (!isThere(input))
    return {};
  Shape shape = shapeOf(input);
  Input perm = 0;
  if (options.perm) {
    perm = *options.perm;
  } else if (shape.hasRank()) {
    std::vector<int64_t> reversed(static_cast<size_t>(shape.rank()));
    std::iota(reversed.rbegin(), reversed.rend(), 0);
    perm =
        Tensor::fromValues<int64_t>({shape.rank()}, reversed).valueOr(Tensor());
  } else {
    Output rank;
    {
      NameScope inner("Rank");
      rank = rawOps::size(input.denseShape, {.name = inner.name()});
    }
    if (!rank.node)
      return {};
    Output last = rank - 1;
    perm = last - rangeFrom(0, rank, 1);
  }
  Output columns = gather(transpose(indices), perm);
  Output moved = transpose(columns);
  auto known = constantValue(valueOf(perm));
  auto order = known ? knownIntegers(*known) : std::nullopt;
  Input extents = 0;
  if (order && shape.isFullyDefined()) {
    std::vector<int64_t> numbers;
    for (int64_t axis : *order)
      numbers.push_back(shape.dim(static_cast<int>(axis)));
    extents = numbers;
  } else {
    extents = gather(input.denseShape, perm);
  }
  return sparseReorder(makeSparseTensor(moved, input.values, extents));
}

SparseTensor sparseExpandDims(const SparseTensor &input,
                              const SparseExpandDimsOptions &options) {
  GraphScope graph(GraphBuilder::of(input.indices));
  if (!isThere(input))
    return {};
  Input rank = input.denseShape.shape().dim(0);
  if (input.denseShape.shape().dim(0) < 0)
    rank = shape(input.denseShape)[0];
  NameScope scope(options.name, "expand_dims");
  Output axis = options.axis.output()
                    ? *options.axis.output()
                    : convert(options.axis, "axis", DType::Int32);
  if (!axis.node)
    return {};
  Output isFromStart = axis >= 0;
  Output place = binary("add", axis, rank) + 1;
  axis = rawOps::selectV2(isFromStart, axis, place);
  Output rows = shape(input.indices);
  if (!rows.node || !axis.node)
    return {};
  rows = rows[0];
  using List = Input::List;
  Output zero = zeros(Input(List{rows, 1}), {.dtype = DType::Int64});
  Output before = rawOps::slice(input.indices, {0, 0}, Input(List{-1, axis}));
  Output behind = rawOps::slice(input.indices, Input(List{0, axis}), {-1, -1});
  Output indices = concat({before, zero, behind}, 1);
  Output first = rawOps::slice(input.denseShape, {0}, Input(List{axis}));
  Output last = rawOps::slice(input.denseShape, Input(List{axis}), {-1});
  Output own = convert({1}, "new_shape", DType::Int64);
  Output extents = concat({first, own, last}, 0);
  return makeSparseTensor(indices, input.values, extents);
}

namespace {

/// Shapes that are alike but for the axis: the others are the largest.
std::vector<Output> expanded(const std::vector<Output> &shapes, int64_t axis) {
  std::vector<Input> rows;
  for (const Output &each : shapes)
    rows.emplace_back(rawOps::reshape(each, {1, -1}));
  Output most = reduceMaxOver(concat(rows, 0), 0);
  if (!most.node)
    return {};
  std::vector<Output> all;
  for (const Output &each : shapes) {
    Output before = most[{sliceTo(axis)}];
    Output own = axis == -1 ? each[{sliceFrom(-1)}]
                            : each[{kiln::slice(axis, axis + 1)}];
    Input behind =
        axis == -1 ? Input(Input::List()) : Input(most[{sliceFrom(axis + 1)}]);
    all.push_back(concat({before, own, behind}, 0));
  }
  return all;
}

/// The shape of what is joined, as far as the graph knows it.
Shape joinedShape(const std::vector<SparseTensor> &inputs, int64_t axis,
                  bool expands) {
  Shape joined = shapeOf(inputs[0]);
  if (!joined.hasRank())
    return joined;
  int place = static_cast<int>(axis < 0 ? axis + joined.rank() : axis);
  for (size_t i = 1; i < inputs.size(); ++i) {
    Shape shape = shapeOf(inputs[i]);
    if (!shape.hasRank())
      return Shape::unknownRank();
    for (int dim = 0; dim < joined.rank(); ++dim) {
      int64_t a = joined.dim(dim), b = shape.dim(dim);
      if (dim == place)
        joined.setDim(dim, a < 0 || b < 0 ? Shape::unknownDim : a + b);
      else if (expands)
        joined.setDim(dim, a < 0 || b < 0 ? Shape::unknownDim : std::max(a, b));
    }
  }
  return joined;
}

} // namespace

SparseTensor sparseConcat(int64_t axis, const std::vector<SparseTensor> &inputs,
                          const SparseConcatOptions &options) {
  if (inputs.size() == 1)
    return inputs[0];
  if (inputs.empty()) {
    failed(invalidArgumentError("expected sparse tensors, got none"),
           options.name.empty() ? "SparseConcat" : options.name);
    return {};
  }
  GraphScope graph(GraphBuilder::of(inputs[0].indices));
  std::vector<Output> indices, values, shapes;
  for (const SparseTensor &each : inputs) {
    indices.push_back(each.indices);
    values.push_back(each.values);
    shapes.push_back(each.denseShape);
  }
  if (options.expandNonconcatDim)
    shapes = expanded(shapes, axis);
  auto found = rawOps::sparseConcat(indices, values, shapes, axis,
                                    {.name = options.name});
  Shape known = joinedShape(inputs, axis, options.expandNonconcatDim);
  bool isKnown = std::ranges::all_of(inputs, [](const SparseTensor &each) {
    return shapeOf(each).isFullyDefined();
  });
  if (isKnown) {
    Output extents = convert(extentsOf(known), "", DType::Int64);
    return makeSparseTensor(found.outputIndices, found.outputValues, extents);
  }
  SparseTensor made = makeSparseTensor(found.outputIndices, found.outputValues,
                                       found.outputShape);
  made.known = known;
  return made;
}

std::vector<SparseTensor> sparseSplit(const SparseTensor &input,
                                      int64_t numSplit, const Input &axis,
                                      const OpOptions &options) {
  GraphScope graph(GraphBuilder::of(input.indices));
  if (!isThere(input))
    return {};
  auto found = rawOps::sparseSplit(axis, input.indices, input.values,
                                   input.denseShape, numSplit, options);
  std::vector<SparseTensor> parts;
  for (size_t i = 0; i < found.outputIndices.size(); ++i)
    parts.push_back(makeSparseTensor(
        found.outputIndices[i], found.outputValues[i], found.outputShape[i]));
  return parts;
}

SparseTensor sparseSlice(const SparseTensor &input, const Input &start,
                         const Input &size, const OpOptions &options) {
  Input indices(input.indices);
  GraphScope graph(builderOf(indices));
  if (!isThere(input))
    return {};
  Output first = convert(start, "", DType::Int64);
  Output count = convert(size, "", DType::Int64);
  FunctionScope scope(options.name, "SparseSlice", {&indices});
  auto found =
      rawOps::sparseSlice(input.indices, input.values, input.denseShape, first,
                          count, {.name = scope});
  return makeSparseTensor(found.outputIndices, found.outputValues,
                          found.outputShape);
}

SparseTensor sparseRetain(const SparseTensor &input, const Input &toRetain) {
  GraphScope graph(GraphBuilder::of(input.indices));
  Output stays = valueOf(toRetain);
  if (!isThere(input) || !stays.node)
    return {};
  if (stays.shape().hasRank() && stays.shape().rank() != 1) {
    failed(invalidArgumentError(strCat("Shape ", stays.shape().toTupleString(),
                                       " must have rank 1")),
           "");
    return {};
  }
  if (!input.values.shape().isCompatibleWith(stays.shape())) {
    failed(invalidArgumentError(
               strCat("Dimensions ", input.values.shape().dim(0), " and ",
                      stays.shape().dim(0), " are not compatible")),
           "");
    return {};
  }
  Output places = rawOps::reshape(where(stays), {-1});
  Output indices = gather(input.indices, places);
  Output values = gather(input.values, places);
  return makeSparseTensor(indices, values,
                          Output{addIdentity(input.denseShape, ""), 0});
}

SparseTensor sparseResetShape(const SparseTensor &input,
                              const std::optional<Input> &newShape) {
  GraphScope graph(GraphBuilder::of(input.indices));
  if (!isThere(input))
    return {};
  Output indices{addIdentity(input.indices, ""), 0};
  Output values{addIdentity(input.values, ""), 0};
  Output before{addIdentity(input.denseShape, ""), 0};
  if (!newShape) {
    Output least = reduceMaxOver(indices, 0);
    Output zero = constant(0, {.dtype = DType::Int64});
    Output extents = rawOps::maximum(zero, add(least, onesLike(before)));
    return makeSparseTensor(indices, values, extents);
  }
  Output wanted = valueOf(*newShape);
  if (!wanted.node)
    return {};
  wanted = cast(wanted, DType::Int64);
  const Shape &known = wanted.shape(), &own = before.shape();
  if (known.rank() == 1 && own.rank() == 1 && !own.isCompatibleWith(known)) {
    failed(invalidArgumentError(strCat("Dimensions ", known.dim(0), " and ",
                                       own.dim(0), " are not compatible")),
           "");
    return {};
  }
  auto value = constantValue(wanted);
  auto extents = value ? knownIntegers(*value) : std::nullopt;
  Shape shape = shapeOf(input);
  if (extents && shape.isFullyDefined()) {
    for (size_t i = 0; i < extents->size(); ++i)
      if (shape.dim(static_cast<int>(i)) > (*extents)[i]) {
        failed(invalidArgumentError(strCat(
                   "Requested new_shape should have dimension sizes >= "
                   "sp_input.shape.  Found new_shape ([",
                   strJoin(extentsOf(shape), " "), "]), sp_input.shape ([",
                   strJoin(*extents, " "), "]).")),
               "");
        return {};
      }
    return makeSparseTensor(indices, values, *extents);
  }
  Output rank = ops::shape(before);
  wanted = withDependencies({assertEqual(rank, ops::shape(wanted))}, wanted);
  wanted = withDependencies({assertLessEqual(before, wanted)}, wanted);
  return makeSparseTensor(indices, values, wanted);
}

FilledRows sparseFillEmptyRows(const SparseTensor &input,
                               const Input &defaultValue,
                               const OpOptions &options) {
  Input indices(input.indices);
  FunctionScope scope(options.name, "SparseFillEmptyRows", {&indices});
  if (!isThere(input))
    return {};
  Output filling = convert(defaultValue, "", input.dtype());
  auto found = rawOps::sparseFillEmptyRows(input.indices, input.values,
                                           input.denseShape, filling);
  return {makeSparseTensor(found.outputIndices, found.outputValues,
                           input.denseShape),
          found.emptyRowIndicator};
}

SparseTensor sparseMerge(const std::vector<SparseTensor> &ids,
                         const SparseTensor &values,
                         const InputList &vocabSizes,
                         const SparseMergeOptions &options) {
  if (ids.empty() || ids.size() != vocabSizes.size()) {
    failed(invalidArgumentError(
               "sp_ids and vocab_size have to have equal lengths."),
           options.name.empty() ? "SparseMerge" : options.name);
    return {};
  }
  Input given(ids[0].indices);
  FunctionScope scope(options.name, "SparseMerge", {&given});
  if (!isThere(ids[0]) || !isThere(values))
    return {};
  std::vector<Input> columns;
  for (const SparseTensor &each : ids) {
    Output numbers = cast(each.values, DType::Int64);
    columns.emplace_back(expandDims(numbers, 1));
  }
  Input::List sizes;
  for (const Input &each : vocabSizes.list())
    sizes.emplace_back(cast(each, DType::Int64));
  columns.insert(columns.begin(),
                 Input(ids[0].indices[{sliceAll(), sliceTo(-1)}]));
  Output indices = concat(columns, 1);
  Output before = ids[0].denseShape[{sliceTo(-1)}];
  Output extents = concat({before, Input(sizes)}, 0);
  SparseTensor merged = makeSparseTensor(indices, values.values, extents);
  if (options.alreadySorted)
    return merged;
  SparseTensor sorted = sparseReorder(merged);
  return makeSparseTensor(sorted.indices, sorted.values, extents);
}

IndexedSlices sparseMask(const IndexedSlices &a, const Input &maskIndices,
                         const OpOptions &options) {
  Input values(a.values);
  FunctionScope scope(options.name, "sparse_mask", {&values, &maskIndices});
  auto left = rawOps::listDiff(a.indices, maskIndices);
  return {gather(a.values, left.idx, {.name = scope}), left.out, a.denseShape};
}

} // namespace kiln::ops
