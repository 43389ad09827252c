// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of ops on ragged tensors: what they know before a run.
#include "lib/Ops/Ragged/Shape.h"

#include "lib/OpDefs/Contents.h"
#include "lib/OpDefs/Ranks.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln::shapes {
namespace {

/// The first `count` inputs are row splits. **Errors**: for other ranks than 1.
Status demandSplits(InferenceContext &context, int count) {
  for (int i = 0; i < count; ++i)
    KILN_RETURN_IF_ERROR(demandRanks(context, {1}, i));
  return okStatus();
}

/// The product of an input's extents.
Dim elementsOf(InferenceContext &context, int input) {
  const SymShape &shape = context.inputShape(input);
  if (!context.isBuilding() || !shape.rankKnown)
    return Dim::unknown();
  return context.dims().product(shape.dims);
}

} // namespace

Status inferRaggedToSparse(InferenceContext &context) {
  const auto splits = static_cast<int>(context.intAttr("RAGGED_RANK"));
  KILN_RETURN_IF_ERROR(demandRankAtLeast(context, splits, 1));
  KILN_RETURN_IF_ERROR(demandSplits(context, splits));
  const SymShape &values = context.inputShape(splits);
  const Dim rank = context.isBuilding() && values.rankKnown
                       ? Dim::known(values.rank() + splits)
                       : Dim::unknown();
  const Dim count = elementsOf(context, splits);
  context.setOutputShape(0, SymShape::of({count, rank}));
  context.setOutputShape(1, SymShape::of({count}));
  context.setOutputShape(2, SymShape::of({rank}));
  return okStatus();
}

Status inferRaggedRange(InferenceContext &context) {
  Dim rows = Dim::unknown();
  bool areScalars = context.isBuilding();
  for (int i = 0; i < 3; ++i) {
    KILN_RETURN_IF_ERROR(demandRankAtMost(context, i, 1));
    const SymShape &shape = context.inputShape(i);
    areScalars &= shape.rankKnown && shape.rank() == 0;
    KILN_ASSIGN_OR_RETURN(rows,
                          sameExtent(context, rows, extentOf(context, i, 0)));
  }
  if (areScalars)
    rows = Dim::known(1);
  context.setOutputShape(
      0, SymShape::of({context.dims().add(rows, Dim::known(1))}));
  context.setOutputShape(1, SymShape::of({Dim::unknown()}));
  return okStatus();
}

Status inferRaggedToVariant(InferenceContext &context) {
  const auto splits = static_cast<int>(context.intAttr("RAGGED_RANK"));
  if (splits > 0)
    KILN_RETURN_IF_ERROR(demandRankAtLeast(context, splits, 1));
  KILN_RETURN_IF_ERROR(demandSplits(context, splits));
  context.setOutputShape(0, context.boolAttr("batched_input")
                                ? SymShape::of({Dim::unknown()})
                                : SymShape::of({}));
  return okStatus();
}

Status inferRaggedFromVariant(InferenceContext &context) {
  const auto splits = static_cast<int>(context.intAttr("output_ragged_rank"));
  for (int i = 0; i < splits; ++i)
    context.setOutputShape(i, SymShape::of({Dim::unknown()}));
  context.setOutputShape(splits, SymShape::unknownRank());
  return okStatus();
}

/// The extents that "shape" names; those of an element of the values.
Status inferRaggedToTensor(InferenceContext &context) {
  context.setOutputShape(0, SymShape::unknownRank());
  const SymShape &values = context.inputShape(1);
  const auto types = context.node().attrOr<std::vector<std::string>>(
      "row_partition_types", {});
  if (!context.isBuilding() || !values.rankKnown || types.empty())
    return okStatus();
  const int raggedRank =
      static_cast<int>(types.size()) - (types[0] == "FIRST_DIM_SIZE" ? 1 : 0);
  if (const SymShape &fill = context.inputShape(2);
      fill.rankKnown && fill.rank() >= values.rank())
    return context.error(strCat(
        "default_value.rank = ", fill.rank(),
        "  must be less than rt_input.flat_values.rank = ", values.rank()));
  Dims dims(static_cast<size_t>(raggedRank + values.rank()), Dim::unknown());
  if (const Dims *wanted = context.knownContents(0);
      wanted && context.inputShape(0).rank() == 1) {
    if (wanted->size() != dims.size())
      return context.error(strCat("rt_input.rank = ", dims.size(),
                                  " but shape.rank = ", wanted->size()));
    for (size_t i = 0; i < dims.size(); ++i)
      if (Dim dim = (*wanted)[i]; dim.isKnown() && dim.value >= 0)
        dims[i] = dim;
  }
  for (int i = 1; i < values.rank(); ++i) {
    Dim &dim = dims[static_cast<size_t>(raggedRank + i)];
    KILN_ASSIGN_OR_RETURN(
        dim, sameExtent(context, dim, values.dims[static_cast<size_t>(i)]));
  }
  context.setOutputShape(0, SymShape::of(std::move(dims)));
  return okStatus();
}

Status inferRaggedFill(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(demandRanks(context, {1, 1, 0, 0}));
  KILN_ASSIGN_OR_RETURN(Dim count, sameExtent(context, extentOf(context, 0, 0),
                                              extentOf(context, 1, 0)));
  for (int i = 0; i < 3; ++i)
    context.setOutputShape(i, SymShape::of({Dim::unknown()}));
  context.setOutputShape(3, SymShape::of({count}));
  return okStatus();
}

Status inferFillGradient(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(demandRanks(context, {1, 1}));
  for (int i = 0; i < 2 && !context.isBuilding(); ++i)
    if (const SymShape &shape = context.inputShape(i);
        shape.rankKnown && shape.rank() != 1)
      return context.error(strCat(
          i == 0 ? "reverse_index_map" : "grad_values",
          " must be a vector, saw: ", context.dims().format(shape.dims)));
  const SymShape &map = context.inputShape(0);
  context.setOutputShape(
      0, SymShape::of({map.rankKnown ? map.dims[0] : Dim::unknown()}));
  context.setOutputShape(1, SymShape::scalar());
  return okStatus();
}

Status inferRaggedGather(InferenceContext &context) {
  const auto params = static_cast<int>(context.intAttr("PARAMS_RAGGED_RANK")),
             splits = static_cast<int>(context.intAttr("OUTPUT_RAGGED_RANK"));
  KILN_RETURN_IF_ERROR(demandRanks(context, {splits - params + 1}, params + 1));
  KILN_RETURN_IF_ERROR(demandSplits(context, params));
  KILN_RETURN_IF_ERROR(demandRankAtLeast(context, params, 1));
  for (int i = 0; i < splits; ++i)
    context.setOutputShape(i, SymShape::of({Dim::unknown()}));
  SymShape values = context.inputShape(params);
  if (!context.isBuilding() || !values.rankKnown || values.dims.empty())
    values = SymShape::unknownRank();
  else
    values.dims[0] = Dim::unknown();
  context.setOutputShape(splits, std::move(values));
  return okStatus();
}

Status inferRaggedBincount(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(demandRanks(context, {anyRank, anyRank, 0}));
  Dim size = Dim::unknown();
  if (context.isBuilding())
    if (const Dims *known = context.knownContents(2); known && !known->empty())
      size = (*known)[0];
  if (size.isKnown() && size.value < 0)
    return context.error(
        strCat("size (", size.value, ") must be non-negative"));
  context.setOutputShape(0, SymShape::of({Dim::unknown(), size}));
  return okStatus();
}

} // namespace kiln::shapes
