// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of collectives, with Horovod's texts. How many rows come of
// other ranks only the run knows.
#include "lib/Ops/Collective/Shape.h"

#include "lib/OpDefs/Inference.h"
#include "lib/Support/Strings.h"

namespace kiln::shapes {
namespace {

/// Which dimension of the run is the one of output i.
Dim rowsOf(InferenceContext &context, int output) {
  return context.dims().runDim(output, /*isSize=*/true);
}

} // namespace

Status inferReduced(InferenceContext &context) {
  for (int i = 0; i < context.numInputs(); ++i)
    context.setOutputShape(i, context.inputShape(i));
  return okStatus();
}

Status inferGathered(InferenceContext &context) {
  for (int i = 0; i < context.numInputs(); ++i) {
    SymShape shape = context.inputShape(i);
    if (shape.rankKnown && shape.rank() == 0)
      return context.error("Shape must be at least rank 1 but is rank 0");
    if (shape.rankKnown)
      shape.dims[0] = rowsOf(context, i);
    context.setOutputShape(i, std::move(shape));
  }
  return okStatus();
}

Status inferScattered(InferenceContext &context) {
  for (int i = 0; i < context.numInputs(); ++i)
    if (context.inputShape(i).rankKnown && context.inputShape(i).rank() == 0)
      return context.error(
          strCat(context.def().name, " does not support scalar inputs."));
  return inferGathered(context);
}

Status inferExchanged(InferenceContext &context) {
  SymShape shape = context.inputShape(0), splits = context.inputShape(1);
  if (shape.rankKnown && shape.rank() == 0)
    return context.error("Shape must be at least rank 1 but is rank 0");
  if (shape.rankKnown)
    shape.dims[0] = rowsOf(context, 0);
  // Without splits the rows are even, and the run gives as many numbers as
  // there are ranks.
  if (!context.isBuilding() && splits.rankKnown && splits.rank() == 1 &&
      splits.dims[0].isKnown(0))
    splits.dims[0] = rowsOf(context, 1);
  context.setOutputShape(0, std::move(shape));
  context.setOutputShape(1, std::move(splits));
  return okStatus();
}

Status inferRankNumber(InferenceContext &context) {
  context.setOutputShape(0, SymShape::scalar());
  return okStatus();
}

} // namespace kiln::shapes
