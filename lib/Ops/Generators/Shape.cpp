// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of random generators.
#include "lib/Ops/Generators/Shape.h"

#include "lib/Ops/StatelessRandom/Shape.h"
#include "lib/Support/StatusMacros.h"

namespace kiln::shapes {

Status inferGenerated(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkScalar(context, 1));
  return setShapeOf(context, 2);
}

Status inferGeneratedIntegers(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkBounds(context, 3));
  return inferGenerated(context);
}

Status inferGeneratedBinomial(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(setShapeOf(context, 2, inputDemand));
  if (!context.isBuilding())
    KILN_RETURN_IF_ERROR(checkScalar(context, 1));
  return checkBatch(context, 2, 3,
                    "counts and probs must have compatible batch dimensions: ");
}

Status inferGeneratedByTag(InferenceContext &context) {
  return setShapeOf(context, 1);
}

Status inferSkip(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkScalar(context, 1));
  return checkScalar(context, 2);
}

Status inferReadAndSkip(InferenceContext &context) {
  context.setOutputShape(0, SymShape::of({Dim::known(3)}));
  return inferSkip(context);
}

Status inferSystemNumbers(InferenceContext &context) {
  return setShapeOf(context, 0);
}

} // namespace kiln::shapes
