// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of random ops.
#include "lib/Ops/Random/Shape.h"

#include "lib/OpDefs/Contents.h"
#include "lib/Ops/StatelessRandom/Shape.h"
#include "lib/Support/CheckedMath.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln::shapes {
namespace {

/// The kernel's words for a wrong rank, where the shape function did not see
/// it.
Status checkRank(InferenceContext &context, int i, int rank,
                 std::string_view demand) {
  const SymShape &shape = context.inputShape(i);
  if (context.isBuilding())
    return context.withRank(shape, rank).status();
  if (!shape.rankKnown || shape.rank() == rank)
    return okStatus();
  return context.error(
      strCat(demand, ", got shape ", context.dims().format(shape.dims)));
}

} // namespace

Status inferRandom(InferenceContext &context) {
  const SymShape &vector = context.inputShape(0);
  if (vector.rankKnown && vector.rank() != 1)
    return context.error("shape must be a vector of {int32,int64}, got shape " +
                         context.dims().format(vector.dims));
  KILN_ASSIGN_OR_RETURN(SymShape shape, shapeFromContents(context, 0));
  context.setOutputShape(0, std::move(shape));
  return okStatus();
}

Status inferRandomInt(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(context.withRank(context.inputShape(1), 0).status());
  KILN_RETURN_IF_ERROR(context.withRank(context.inputShape(2), 0).status());
  const Dims *low = context.knownContents(1), *high = context.knownContents(2);
  bool known = low && high && low->size() == 1 && high->size() == 1 &&
               (*low)[0].isKnown() && (*high)[0].isKnown();
  KILN_ASSIGN_OR_RETURN(SymShape shape, shapeFromContents(context, 0));
  // No number of an empty range is asked for where there is an extent of 0.
  bool isAsked = shape.rankKnown && !context.dims().isBuilding() &&
                 std::all_of(shape.dims.begin(), shape.dims.end(), [](Dim dim) {
                   return dim.isKnown() && dim.value != 0;
                 });
  if (known && isAsked && (*low)[0].value >= (*high)[0].value)
    return context.error(strCat("Need minval < maxval, got ", (*low)[0].value,
                                " >= ", (*high)[0].value));
  return inferRandom(context);
}

Status inferSamples(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(inferRandom(context));
  KILN_ASSIGN_OR_RETURN(SymShape shape, shapeFromContents(context, 0));
  const SymShape &parameters = context.inputShape(1);
  if (!shape.rankKnown || !parameters.rankKnown)
    shape = SymShape();
  else
    shape.dims.insert(shape.dims.end(), parameters.dims.begin(),
                      parameters.dims.end());
  // TensorFlow counts the elements before it looks for memory.
  CheckedInt64 count = 1;
  for (const Dim &dim : shape.dims)
    count *= dim.isKnown() ? dim.value : 1;
  if (shape.rankKnown && count.overflowed())
    return context.error(
        strCat("Encountered overflow when multiplying the extents of ",
               context.dims().format(shape.dims)));
  context.setOutputShape(0, std::move(shape));
  return okStatus();
}

Status inferBoundedNormal(InferenceContext &context) {
  constexpr std::string_view names[] = {"", "means", "stddevs", "minvals",
                                        "maxvals"};
  KILN_RETURN_IF_ERROR(setShapeOf(context, 0, inputDemand));
  KILN_ASSIGN_OR_RETURN(SymShape shape, shapeFromContents(context, 0));
  if (!context.isBuilding() && shape.rankKnown && shape.rank() == 0)
    return context.error("Shape tensor must not be empty, got shape: [0]");
  bool isAlike = true;
  for (int i = 1; i <= 4; ++i) {
    const SymShape &parameter = context.inputShape(i);
    if (!parameter.rankKnown)
      return okStatus();
    if (parameter.rank() > 1)
      return context.error(
          context.isBuilding()
              ? strCat("Shape must be at most rank 1 but is rank ",
                       parameter.rank())
              : strCat("Input ", names[i],
                       " should be a scalar or vector, got shape: ",
                       context.dims().format(parameter.dims)));
    isAlike &= parameter.rank() == 0 ||
               (i <= 2 && context.dims().isOne(parameter.dims[0]) == true);
  }
  if (isAlike || context.isBuilding() || !shape.rankKnown)
    return okStatus();
  for (int i = 1; i <= 4; ++i) {
    const Dims &dims = context.inputShape(i).dims;
    if (dims.empty() || context.dims().isOne(dims[0]) == true)
      continue;
    const Dims none;
    const std::string prefix = strCat(
        "Input ", names[i], " should have length 1 or shape[0], got shape: [");
    KILN_RETURN_IF_ERROR(context.dims()
                             .unify(dims[0], shape.dims[0],
                                    {.prefix = prefix,
                                     .suffix = "]",
                                     .lhs = &dims,
                                     .rhs = &none,
                                     .asNumbers = true})
                             .status());
  }
  return okStatus();
}

Status inferShuffle(InferenceContext &context) {
  context.setOutputShape(0, context.inputShape(0));
  return okStatus();
}

Status inferMultinomial(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkRank(context, 0, 2, "logits should be a matrix"));
  KILN_RETURN_IF_ERROR(
      checkRank(context, 1, 0, "num_samples should be a scalar"));
  KILN_ASSIGN_OR_RETURN(SymShape logits,
                        context.withRank(context.inputShape(0), 2));
  const Dim count = scalarAmount(context, 1);
  const Dims counts = {count}, none;
  KILN_RETURN_IF_ERROR(context.dims().require(
      Guard::Kind::NonNegative, count, Dim::known(0),
      {.prefix = "num_samples should be non-negative, got ",
       .lhs = &counts,
       .rhs = &none,
       .asNumbers = true}));
  context.setOutputShape(0, SymShape::of({logits.dims[0], count}));
  return okStatus();
}

Status inferCandidates(InferenceContext &context) {
  KILN_ASSIGN_OR_RETURN(SymShape classes,
                        context.withRank(context.inputShape(0), 2));
  const Dim count = Dim::known(context.intAttr("num_sampled"));
  context.setOutputShape(0, SymShape::of({count}));
  context.setOutputShape(
      1,
      SymShape::of({classes.dims[0], Dim::known(context.intAttr("num_true"))}));
  context.setOutputShape(2, SymShape::of({count}));
  return okStatus();
}

Status inferAccidentalHits(InferenceContext &context) {
  KILN_ASSIGN_OR_RETURN(SymShape classes,
                        context.withRank(context.inputShape(0), 2));
  KILN_RETURN_IF_ERROR(context.withRank(context.inputShape(1), 1).status());
  const Dim hits = context.dims().runDim(0, /*isSize=*/true);
  for (int i = 0; i < context.numOutputs(); ++i)
    context.setOutputShape(i, SymShape::of({hits}));
  return okStatus();
}

} // namespace kiln::shapes
