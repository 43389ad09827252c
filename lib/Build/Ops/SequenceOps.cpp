// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Grids, masks of lengths and repetitions, as TensorFlow's Python adds them.
#include "kiln/ops/SequenceOps.h"

#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/ops/Array.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/MathOps.h"
#include "kiln/ops/Reduction.h"
#include "kiln/ops/Selection.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Graph/TensorText.h"
#include "lib/Support/Strings.h"

namespace kiln::ops {
namespace {

/// **Source**: array_ops.convert_to_int_tensor.
Output asCount(const Input &number, std::string_view name) {
  Output tensor = GraphBuilder::current().convert(
      number, {.dtypeHint = DType::Int32, .name = std::string(name)});
  return tensor.node ? rawOps::cast(tensor, DType::Int32) : Output();
}

} // namespace

Output linspace(const Input &start, const Input &stop, const Input &num,
                const OpOptions &options) {
  FunctionScope scope(options.name, "linspace", {&start, &stop});
  Output from = convert(start, "start");
  if (!from.node)
    return {};
  Output to = convert(stop, "stop", from.dtype());
  Output count = asCount(num, "num");
  if (!to.node || !count.node)
    return {};
  cast(count, from.dtype()); // TensorFlow adds it without a use for it
  Output extents = shape(from);
  extents = rawOps::broadcastArgs(extents, shape(to));
  from = rawOps::broadcastTo(from, extents);
  to = rawOps::broadcastTo(to, extents);
  Output first = expandDims(from, 0), last = expandDims(to, 0);
  extents = shape(first);
  Output rank = shape(extents);
  if (!rank.node)
    return {};
  rank = rank[0];
  Output axis = rawOps::selectV2(true, 0, rank + 0);
  Output between = rawOps::maximum(count - 2, 0);
  Output steps = rawOps::maximum(count - 1, 1);
  Output distance = last - first;
  distance = distance / cast(steps, last.dtype());
  if (!distance.node)
    return {};
  first = cast(first, distance.dtype());
  last = cast(last, distance.dtype());
  Output end = rawOps::selectV2(count >= 0, steps, -1);
  Output numbers =
      cast(rangeFrom(1, end, 1, {.dtype = DType::Int64}), distance.dtype());
  Output isAxis = rawOps::equal(axis, range(rank));
  numbers = rawOps::reshape(numbers, rawOps::selectV2(isAxis, between, 1));
  Output inner = first + distance * numbers;
  Output all = concat({first, inner, last}, axis);
  Output begin = zerosLike(extents);
  if (!begin.node || !axis.node)
    return {};
  Output before = extents[{kiln::slice(0, axis)}];
  Output own = rawOps::reshape(count, {1});
  Output behind = extents[{sliceFrom(axis + 1)}];
  return rawOps::slice(all, begin, concat({before, own, behind}, 0));
}

std::vector<Output> meshgrid(const InputList &vectors,
                             const MeshgridOptions &options) {
  const std::vector<Input> &list = vectors.list();
  std::string name = options.name.empty() ? "meshgrid" : options.name;
  if (options.indexing != "xy" && options.indexing != "ij") {
    failed(invalidArgumentError(strCat("Argument `indexing` parameter must be "
                                       "either 'xy' or 'ij', got '",
                                       options.indexing, "'")),
           name);
    return {};
  }
  if (list.empty())
    return {};
  GraphScope graph(builderOf(list[0]));
  NameScope scope(name);
  size_t count = list.size();
  auto along = [&](size_t axis) {
    std::vector<int64_t> extents(count, 1);
    extents[axis] = -1;
    return Input(extents);
  };
  std::vector<Output> grids;
  for (size_t i = 0; i < count; ++i)
    grids.push_back(rawOps::reshape(convert(list[i], "stack"), along(i)));
  std::vector<Input> extents;
  for (const Input &each : list)
    extents.emplace_back(size(each));
  Output first = valueOf(list[0]);
  if (!first.node)
    return {};
  if (options.indexing == "xy" && count > 1) {
    grids[0] = rawOps::reshape(grids[0], along(1));
    grids[1] = rawOps::reshape(grids[1], along(0));
    std::swap(extents[0], extents[1]);
  }
  Output factor = ones(Input(extents), {.dtype = first.dtype()});
  for (Output &each : grids)
    each = each.node && factor.node ? each * factor : Output();
  return grids;
}

namespace {

/// All axes, as TensorFlow's array_ops has them.
Output everyAxis(const Output &tensor) {
  if (!tensor.shape().hasRank())
    return rawOps::range(0, rank(tensor), 1);
  std::vector<int32_t> axes(static_cast<size_t>(tensor.shape().rank()));
  for (size_t i = 0; i < axes.size(); ++i)
    axes[i] = static_cast<int32_t>(i);
  return constant(axes, {.dtype = DType::Int32});
}

} // namespace

Output sequenceMask(const Input &lengths, const SequenceMaskOptions &options) {
  FunctionScope scope(options.name, "SequenceMask", {&lengths});
  Output ends = valueOf(lengths);
  if (!ends.node)
    return {};
  Output most;
  if (options.maxLength) {
    most = valueOf(*options.maxLength);
  } else {
    most = rawOps::max(ends, everyAxis(ends));
    Output zero = constant(0, {.dtype = ends.dtype()});
    most = rawOps::maximum(zero, most);
  }
  if (!most.node)
    return {};
  DType dtype = most.dtype();
  if (most.shape().rank() > 0)
    return failed(
        invalidArgumentError(strCat(
            "Argument `maxlen` must be scalar for sequence_mask, received "
            "`maxlen` = ",
            tensorText(most), " with shape '", most.shape().toTupleString(),
            "' instead")),
        scope);
  Output zero = constant(0, {.dtype = dtype});
  Output places = rawOps::range(zero, most, constant(1, {.dtype = dtype}));
  Output limits = rawOps::cast(expandDims(ends, -1), dtype);
  if (!places.node || !limits.node)
    return {};
  Output mask = places < limits;
  return options.dtype == DType::Bool || options.dtype == DType::Invalid
             ? mask
             : rawOps::cast(mask, options.dtype);
}

namespace {

/// **Source**: array_ops.tile_one_dimension.
Output tileAlong(const Output &data, int64_t axis, const Output &multiple) {
  if (!data.node || !multiple.node)
    return {};
  if (data.shape().hasRank()) {
    Input::List multiples(static_cast<size_t>(data.shape().rank()), Input(1));
    multiples[static_cast<size_t>(axis)] = multiple;
    return rawOps::tile(data, Input(multiples));
  }
  Output all = ones(rank(data), {.dtype = DType::Int32});
  Output before = all[{sliceTo(axis)}];
  Output behind = all[{sliceFrom(axis + 1)}];
  return rawOps::tile(
      data, concat({before, Input(Input::List{multiple}), behind}, 0));
}

/// The tensor, with an axis where it has none.
Output withAxis(const Output &data) {
  if (data.shape().hasRank())
    return data.shape().rank() == 0 ? stack({data}) : data;
  Output extents = shape(data), rank = ops::rank(data);
  Output padded = concat({Input({1}), extents}, 0);
  if (!padded.node || !rank.node)
    return {};
  return rawOps::reshape(data, padded[{sliceFrom(-rank)}]);
}

/// The shape of the data with another extent along the axis.
Output resized(const Output &extents, int64_t axis, const Output &extent) {
  Output before = extents[{sliceTo(axis)}];
  Output behind = extents[{sliceFrom(axis + 1)}];
  return concat({before, Input(Input::List{extent}), behind}, 0);
}

std::optional<int64_t> positiveAxis(int64_t axis, const Shape &shape,
                                    const std::string &scope) {
  int64_t rank = shape.rank();
  if (!shape.hasRank() && axis < 0)
    failed(invalidArgumentError(strCat("axis=", axis,
                                       " may only be negative if rank(data) is "
                                       "statically known.")),
           scope);
  else if (shape.hasRank() && (axis < -rank || axis >= rank))
    failed(
        invalidArgumentError(strCat("axis=", axis, " out of bounds: expected ",
                                    -rank, "<=axis<", rank)),
        scope);
  else
    return axis < 0 ? axis + rank : axis;
  return std::nullopt;
}

/// Repeats by a vector of numbers. **Source**: array_ops.repeat_with_axis.
Output repeatEach(const Output &data, Output repeats, const Output &extents,
                  int64_t axis) {
  repeats = rawOps::broadcastTo(
      repeats, Input(Input::List{extents[static_cast<int>(axis)]}));
  Output original = repeats;
  if (repeats.shape().rank() != axis + 1) {
    Output own = shape(repeats), ownRank = rank(repeats);
    if (!own.node || !ownRank.node)
      return {};
    Output before = extents[{sliceTo(axis + 1 - ownRank)}];
    Output whole = concat({before, own}, 0);
    repeats = withShape(Shape::unknownDims(static_cast<int>(axis + 1)),
                        [&] { return rawOps::broadcastTo(repeats, whole); });
  }
  if (!repeats.node)
    return {};
  Output most = rawOps::max(repeats, everyAxis(repeats));
  if (!most.node)
    return {};
  Output zero = convert(0, "zero", most.dtype());
  most = rawOps::maximum(zero, most);
  Output mask = sequenceMask(repeats, {.maxLength = most});
  Output expanded = expandDims(data, axis + 1);
  Output masked = booleanMask(tileAlong(expanded, axis + 1, most), mask);
  if (axis == 0 || !masked.node)
    return masked;
  Output axes = rawOps::range(0, rank(original), 1);
  Output total = rawOps::sum(original, axes);
  return rawOps::reshape(masked, resized(extents, axis, total));
}

} // namespace

Output repeat(const Input &input, const Input &repeats,
              const RepeatOptions &options) {
  GraphScope graph(builderOf(input));
  Input given = options.axis ? input : Input(rawOps::reshape(input, {-1}));
  FunctionScope scope(options.name, "Repeat", {&given, &repeats});
  Output data = convert(given, "data");
  Output counts = asCount(repeats, "repeats");
  if (!data.node || !counts.node)
    return {};
  data = withAxis(data);
  Output extents = shape(data, {.outType = counts.dtype()});
  if (!extents.node)
    return {};
  auto axis = positiveAxis(options.axis.value_or(0), data.shape(), scope);
  if (!axis)
    return {};
  if (auto number = counts.shape().numElements(); number.ok() && *number == 1) {
    counts = rawOps::reshape(counts, Input(Input::List()));
    Output expanded = expandDims(data, *axis + 1);
    Output tiled = tileAlong(expanded, *axis + 1, counts);
    if (!tiled.node)
      return {};
    Output before = extents[{sliceTo(*axis)}];
    Output extent = counts * extents[static_cast<int>(*axis)];
    Output behind = extents[{sliceFrom(*axis + 1)}];
    return rawOps::reshape(
        tiled, concat({before, Input(Input::List{extent}), behind}, 0));
  }
  return repeatEach(data, counts, extents, *axis);
}

Output searchsorted(const Input &sortedSequence, const Input &values,
                    const SearchsortedOptions &options) {
  GraphScope graph(builderOf(sortedSequence));
  if (options.side != "left" && options.side != "right")
    return failed(
        invalidArgumentError(strCat("Argument `side` must be either 'right' or "
                                    "'left'. Received: `side` = '",
                                    options.side, "'.")),
        options.name);
  Output rows = shapeAsTensor(sortedSequence);
  if (!rows.node)
    return {};
  rows = rows[-1];
  Output columns = shapeAsTensor(values);
  if (!columns.node)
    return {};
  columns = columns[-1];
  Output flat = rawOps::reshape(sortedSequence, Input({-1, rows}));
  Output wanted = rawOps::reshape(values, Input({-1, columns}));
  Output found = options.side == "right"
                     ? rawOps::upperBound(
                           flat, wanted,
                           {.outType = options.outType, .name = options.name})
                     : rawOps::lowerBound(
                           flat, wanted,
                           {.outType = options.outType, .name = options.name});
  return rawOps::reshape(found, shapeAsTensor(values));
}

} // namespace kiln::ops
