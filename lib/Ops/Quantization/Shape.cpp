// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of quantization.
#include "lib/Ops/Quantization/Shape.h"

#include "lib/OpDefs/Inference.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln::shapes {
namespace {

/// Inputs i and i + 1, a range's ends, are of the rank and, where that is 1, as
/// long as `extent`.
Status checkRange(InferenceContext &context, int i, int rank, Dim extent) {
  for (int k = i; k < i + 2; ++k) {
    KILN_ASSIGN_OR_RETURN(SymShape shape,
                          context.withRank(context.inputShape(k), rank));
    if (rank == 1 && !extent.isUnknown()) {
      const Dims wanted = {extent};
      const std::string prefix =
          strCat(k == i ? "min" : "max", " has incorrect size, was ");
      KILN_RETURN_IF_ERROR(context.dims()
                               .unify(shape.dims[0], extent,
                                      {.prefix = prefix,
                                       .joiner = " expected ",
                                       .lhs = &shape.dims,
                                       .rhs = &wanted,
                                       .asNumbers = true})
                               .status());
    }
  }
  return okStatus();
}

/// The extent of the axis that has a range for each of its places; nothing
/// where there is one range.
StatusOr<std::optional<Dim>> channels(InferenceContext &context, int input) {
  const int64_t axis = context.intAttr("axis");
  const SymShape &shape = context.inputShape(input);
  if (axis < -1)
    return context.error(strCat("axis should be at least -1, got ", axis));
  if (axis == -1)
    return std::optional<Dim>();
  if (!shape.rankKnown)
    return std::optional<Dim>(Dim::unknown());
  if (axis >= shape.rank())
    return context.error(strCat("Shape must be at least rank ", axis + 1,
                                " but is rank ", shape.rank()));
  return std::optional<Dim>(shape.dims[static_cast<size_t>(axis)]);
}

bool isPerChannel(const InferenceContext &context) {
  return context.def().canonicalName.find("PerChannel") != std::string::npos;
}

Status checkFakeRange(InferenceContext &context, int inputs) {
  if (context.numInputs() == inputs + 1)
    return okStatus();
  if (!isPerChannel(context))
    return checkRange(context, inputs + 1, 0, Dim::unknown());
  const SymShape &shape = context.inputShape(inputs);
  if (shape.rankKnown && shape.rank() < 1)
    return context.error("Shape must be at least rank 1 but is rank 0");
  return checkRange(context, inputs + 1, 1,
                    shape.rankKnown ? shape.dims.back() : Dim::unknown());
}

} // namespace

Status inferQuantized(InferenceContext &context) {
  KILN_ASSIGN_OR_RETURN(std::optional<Dim> depth, channels(context, 0));
  KILN_RETURN_IF_ERROR(
      checkRange(context, 1, depth ? 1 : 0, depth ? *depth : Dim::unknown()));
  if (context.numInputs() == 4) {
    KILN_RETURN_IF_ERROR(context.withRank(context.inputShape(3), 0).status());
    context.inputContents(3);
  }
  context.setOutputShape(0, context.inputShape(0));
  return okStatus();
}

Status inferQuantizedGrad(InferenceContext &context) {
  KILN_ASSIGN_OR_RETURN(std::optional<Dim> depth, channels(context, 1));
  KILN_RETURN_IF_ERROR(
      checkRange(context, 2, depth ? 1 : 0, depth ? *depth : Dim::unknown()));
  KILN_ASSIGN_OR_RETURN(
      SymShape shape,
      sameShape(context, context.inputShape(0), context.inputShape(1),
                {.prefix = "gradient and input must be the same size: ",
                 .joiner = " vs. "}));
  context.setOutputShape(0, std::move(shape));
  context.setOutputShape(1, context.inputShape(2));
  context.setOutputShape(2, context.inputShape(3));
  return okStatus();
}

/// The shape of the ranges' ends: of each place of the axis, or scalars.
static StatusOr<SymShape> rangeShape(InferenceContext &context) {
  KILN_ASSIGN_OR_RETURN(std::optional<Dim> depth, channels(context, 0));
  SymShape shape;
  for (int i = 1; i < 3; ++i) {
    KILN_ASSIGN_OR_RETURN(
        shape, context.withRank(context.inputShape(i), depth ? 1 : 0));
    if (!depth)
      continue;
    KILN_ASSIGN_OR_RETURN(
        shape.dims[0],
        context.dims().unify(shape.dims[0], *depth,
                             {.prefix = "Dimensions must be equal, but are ",
                              .joiner = " and ",
                              .lhs = &shape.dims,
                              .asNumbers = true}));
  }
  return shape;
}

Status inferQuantize(InferenceContext &context) {
  KILN_ASSIGN_OR_RETURN(SymShape range, rangeShape(context));
  context.setOutputShape(0, context.inputShape(0));
  context.setOutputShape(1, range);
  context.setOutputShape(2, std::move(range));
  return okStatus();
}

Status inferDequantize(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(rangeShape(context).status());
  context.setOutputShape(0, context.inputShape(0));
  return okStatus();
}

Status inferFakeQuant(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkFakeRange(context, 0));
  context.setOutputShape(0, context.inputShape(0));
  return okStatus();
}

Status inferFakeQuantGrad(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkFakeRange(context, 1));
  KILN_ASSIGN_OR_RETURN(
      SymShape shape,
      sameShape(context, context.inputShape(0), context.inputShape(1),
                {.prefix = "gradient and input must be the same size: ",
                 .joiner = " vs. "}));
  context.setOutputShape(0, std::move(shape));
  for (int i = 1; i < context.numOutputs(); ++i)
    context.setOutputShape(i, context.inputShape(i + 1));
  return okStatus();
}

} // namespace kiln::shapes
