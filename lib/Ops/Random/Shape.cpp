// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of random ops.
#include "lib/Ops/Random/Shape.h"

#include "lib/Ops/Contents.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln::shapes {

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

} // namespace kiln::shapes
