// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of ops whose outputs have as many elements as the run finds.
#include "lib/Ops/Selection/Shape.h"

#include "lib/OpDefs/Contents.h"
#include "lib/OpDefs/Inference.h"
#include "lib/Shape/Rules.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln::shapes {
namespace {

/// As many as the run finds out, its k-th such number.
Dim found(InferenceContext &context, int k = 0) {
  return context.dims().runDim(k, /*isSize=*/true);
}

Status checkVector(InferenceContext &context, int i, const char *message) {
  const SymShape &shape = context.inputShape(i);
  return shape.rankKnown && shape.rank() != 1 ? context.error(message)
                                              : okStatus();
}

/// The distinct slices, the place of each, and how many there are.
void setUnique(InferenceContext &context, SymShape y, Dim count, Dim extent) {
  context.setOutputShape(0, std::move(y));
  context.setOutputShape(1, SymShape::of({extent}));
  if (context.numOutputs() > 2)
    context.setOutputShape(2, SymShape::of({count}));
}

/// What a stitch of constant indices gives: how many rows, and, of rows of one
/// number, the numbers: gradients put shapes together so.
struct StitchedNumbers {
  std::optional<int64_t> extent;
  Dims contents;
};

StitchedNumbers stitchNumbers(const InferenceContext &context, int lists) {
  std::vector<std::vector<int64_t>> indices;
  int64_t last = -1;
  for (int j = 0; j < lists; ++j) {
    auto numbers = knownNumbers(context.knownContents(j));
    if (!numbers)
      return {};
    for (int64_t index : *numbers) {
      if (index < 0) // the run's error
        return {};
      last = std::max(last, index);
    }
    indices.push_back(*std::move(numbers));
  }
  StitchedNumbers result{last + 1, {}};
  if (last >= static_cast<int64_t>(maxContents))
    return result;
  result.contents.assign(static_cast<size_t>(last + 1), Dim::unknown());
  for (int j = 0; j < lists; ++j) {
    const Dims *data = context.knownContents(lists + j);
    const auto &places = indices[static_cast<size_t>(j)];
    for (size_t i = 0; i < places.size(); ++i)
      result.contents[static_cast<size_t>(places[i])] =
          data && data->size() == places.size() ? (*data)[i] : Dim::unknown();
  }
  return result;
}

} // namespace

Status inferWhere(InferenceContext &context) {
  const SymShape &input = context.inputShape(0);
  if (input.rankKnown && input.rank() == 0 && !context.isBuilding())
    return context.error("WhereOp : Unhandled input dimensions: 0");
  Dim rank = input.rankKnown ? Dim::known(input.rank()) : Dim::unknown();
  context.setOutputShape(0, SymShape::of({found(context), rank}));
  return okStatus();
}

Status inferUnique(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkVector(context, 0, "unique expects a 1D vector."));
  const SymShape &x = context.inputShape(0);
  Dim count = found(context);
  setUnique(context, SymShape::of({count}), count,
            x.rankKnown ? x.dims[0] : Dim::unknown());
  return okStatus();
}

Status inferUniqueV2(InferenceContext &context) {
  const SymShape &x = context.inputShape(0);
  const SymShape &axisShape = context.inputShape(1);
  const Dims *axes = context.inputContents(1);
  bool isEmpty = axisShape.rank() == 1 && axisShape.dims[0].isKnown(0);
  if (isEmpty)
    return inferUnique(context);
  if (axes && axes->size() != 1)
    return context.error("axis does not support input tensors larger than 1 "
                         "elements");
  if (!x.rankKnown || !axes || !axes->front().isKnown()) {
    setUnique(context,
              x.rankKnown ? SymShape::unknownDims(x.dims.size()) : SymShape(),
              Dim::unknown(), Dim::unknown());
    return okStatus();
  }
  std::optional<int> axis = normalizeAxis(axes->front().value, x.rank());
  if (!axis)
    return context.error(strCat("axis has to be between 0 and ", x.rank(),
                                ", got ", axes->front().value));
  SymShape y = x;
  Dim count = found(context), extent = x.dims[static_cast<size_t>(*axis)];
  y.dims[static_cast<size_t>(*axis)] = count;
  setUnique(context, std::move(y), count, extent);
  return okStatus();
}

Status inferListDiff(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkVector(context, 0, "x should be a 1D vector."));
  KILN_RETURN_IF_ERROR(checkVector(context, 1, "y should be a 1D vector."));
  Dim count = found(context);
  context.setOutputShape(0, SymShape::of({count}));
  context.setOutputShape(1, SymShape::of({count}));
  return okStatus();
}

Status inferDynamicPartition(InferenceContext &context) {
  const SymShape &data = context.inputShape(0);
  const SymShape &partitions = context.inputShape(1);
  if (!data.rankKnown || !partitions.rankKnown) {
    for (int i = 0; i < context.numOutputs(); ++i)
      context.setOutputShape(i, SymShape());
    return okStatus();
  }
  GuardInfo info{.prefix = "data.shape must start with partitions.shape, got "
                           "data.shape = ",
                 .joiner = ", partitions.shape = ",
                 .lhs = &data.dims,
                 .rhs = &partitions.dims};
  if (data.rank() < partitions.rank())
    return context.dims().error(info);
  for (size_t d = 0; d < partitions.dims.size(); ++d)
    KILN_RETURN_IF_ERROR(
        context.dims().unify(data.dims[d], partitions.dims[d], info).status());
  for (int i = 0; i < context.numOutputs(); ++i) {
    Dims dims = {found(context, i)};
    dims.insert(dims.end(),
                data.dims.begin() +
                    static_cast<ptrdiff_t>(partitions.dims.size()),
                data.dims.end());
    context.setOutputShape(i, SymShape::of(std::move(dims)));
  }
  return okStatus();
}

Status inferDynamicStitch(InferenceContext &context) {
  int lists = context.numInputs() / 2;
  std::optional<Dims> inner;
  for (int j = 0; j < lists; ++j) {
    const SymShape &indices = context.inputShape(j);
    const SymShape &data = context.inputShape(lists + j);
    if (!indices.rankKnown || !data.rankKnown) {
      context.setOutputShape(0, SymShape());
      return okStatus();
    }
    std::string prefix = strCat("data[", j, "].shape = "),
                joiner =
                    strCat(" does not start with indices[", j, "].shape = ");
    GuardInfo info{.prefix = prefix,
                   .joiner = joiner,
                   .lhs = &data.dims,
                   .rhs = &indices.dims};
    if (data.rank() < indices.rank())
      return context.dims().error(info);
    auto split = static_cast<ptrdiff_t>(indices.dims.size());
    for (size_t d = 0; d < indices.dims.size(); ++d)
      KILN_RETURN_IF_ERROR(
          context.dims().unify(data.dims[d], indices.dims[d], info).status());
    Dims rest(data.dims.begin() + split, data.dims.end());
    if (!inner) {
      inner = std::move(rest);
      continue;
    }
    KILN_ASSIGN_OR_RETURN(
        *inner, unifyShapes(context.dims(), *inner, rest,
                            {.prefix = "expected rows of one shape, got ",
                             .joiner = " and "}));
  }
  StitchedNumbers stitched = stitchNumbers(context, lists);
  Dims dims = {stitched.extent ? Dim::known(*stitched.extent) : found(context)};
  dims.insert(dims.end(), inner->begin(), inner->end());
  context.setOutputShape(0, SymShape::of(std::move(dims)));
  if (stitched.extent && inner->empty())
    context.setOutputContents(0, std::move(stitched.contents));
  return okStatus();
}

Status inferNearest(InferenceContext &context) {
  constexpr std::string_view names[] = {"points", "centers"};
  for (int i = 0; i < 2; ++i) {
    const SymShape &shape = context.inputShape(i);
    if (!context.isBuilding() && shape.rankKnown && shape.rank() != 2)
      return context.error(strCat("Input ", names[i], " should be a matrix."));
    KILN_RETURN_IF_ERROR(context.withRank(shape, 2).status());
  }
  const SymShape &amount = context.inputShape(2);
  if (!context.isBuilding() && amount.rankKnown && amount.rank() != 0)
    return context.error("Input k should be a scalar.");
  KILN_RETURN_IF_ERROR(context.withRank(amount, 0).status());
  const SymShape &points = context.inputShape(0),
                 &centers = context.inputShape(1);
  if (points.rankKnown && centers.rankKnown) {
    const Dims own = {points.dims[1]}, other = {centers.dims[1]};
    KILN_RETURN_IF_ERROR(
        context.dims()
            .unify(
                own[0], other[0],
                {.prefix = "Expected point_dimensions == center_dimensions: ",
                 .joiner = " vs ",
                 .suffix = ".",
                 .lhs = &own,
                 .rhs = &other,
                 .asNumbers = true})
            .status());
  }
  const Dim count = scalarAmount(context, 2);
  const Dims counts = {count}, none;
  if (!context.isBuilding() && points.rankKnown)
    KILN_RETURN_IF_ERROR(context.dims().require(
        Guard::Kind::NonNegative,
        context.dims().sub(points.dims[0], Dim::known(1)), Dim::known(0),
        {.prefix = "Expected points.rows() > 0.",
         .lhs = &none,
         .rhs = &none,
         .asNumbers = true}));
  KILN_RETURN_IF_ERROR(
      context.dims().require(Guard::Kind::NonNegative, count, Dim::known(0),
                             {.prefix = "expected k >= 0, got ",
                              .lhs = &counts,
                              .rhs = &none,
                              .asNumbers = true}));
  const Dim rows = points.rankKnown ? points.dims[0] : Dim::unknown(),
            all = centers.rankKnown ? centers.dims[0] : Dim::unknown();
  for (int i = 0; i < 2; ++i)
    context.setOutputShape(
        i, SymShape::of({rows, context.dims().min(count, all)}));
  return okStatus();
}

Status inferSearch(InferenceContext &context) {
  constexpr std::string_view names[] = {"sorted_inputs", "values"};
  for (int i = 0; i < 2; ++i) {
    const SymShape &shape = context.inputShape(i);
    if (shape.rankKnown && shape.rank() != 2)
      return context.error(strCat("Shape must be rank 2 but is rank ",
                                  shape.rank(),
                                  context.isBuilding() ? "" : " for `",
                                  context.isBuilding() ? "" : names[i],
                                  context.isBuilding() ? "" : "` argument"));
  }
  const SymShape &rows = context.inputShape(0), &values = context.inputShape(1);
  if (rows.rankKnown && values.rankKnown) {
    const Dims none;
    KILN_RETURN_IF_ERROR(
        context.dims()
            .unify(rows.dims[0], values.dims[0],
                   {.prefix = "Leading dim_size of both tensors must match.",
                    .lhs = &none,
                    .rhs = &none,
                    .asNumbers = true})
            .status());
  }
  context.setOutputShape(0, values);
  return okStatus();
}

Status inferUnravel(InferenceContext &context) {
  const SymShape &indices = context.inputShape(0),
                 &dims = context.inputShape(1);
  if (indices.rankKnown && indices.rank() > 1)
    return context.error(
        strCat("The indices can only be scalar or vector, got ",
               context.dims().format(indices.dims)));
  if (dims.rankKnown && dims.rank() != 1)
    return context.isBuilding()
               ? context.withRank(dims, 1).status()
               : context.error(strCat("The indices can only be 1-D, got ",
                                      context.dims().format(dims.dims)));
  if (!indices.rankKnown || !dims.rankKnown)
    return okStatus();
  SymShape shape = dims;
  shape.dims.insert(shape.dims.end(), indices.dims.begin(), indices.dims.end());
  context.setOutputShape(0, std::move(shape));
  return okStatus();
}

} // namespace kiln::shapes
