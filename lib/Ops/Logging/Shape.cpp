// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of ops that print, or end a run.
#include "lib/Ops/Logging/Shape.h"

#include "lib/OpDefs/Inference.h"
#include "lib/Support/Strings.h"

namespace kiln::shapes {

Status inferAssert(InferenceContext &context) {
  return context.withRank(context.inputShape(0), 0).status();
}

Status inferPrint(InferenceContext &context) {
  context.setOutputShape(0, context.inputShape(0));
  return okStatus();
}

Status inferPrintText(InferenceContext &context) {
  return context.withRank(context.inputShape(0), 0).status();
}

Status inferStringFormat(InferenceContext &context) {
  std::string text = context.stringAttr("template"),
              place = context.stringAttr("placeholder");
  if (place.empty())
    return context.error("expected a placeholder, got the empty string");
  int places = 0;
  for (size_t at = text.find(place); at != text.npos;
       at = text.find(place, at + place.size()))
    ++places;
  if (places != context.numInputs())
    return context.error(strCat(
        "num placeholders in template and num inputs must match: ", places,
        " vs. ", context.numInputs()));
  context.setOutputShape(0, SymShape::scalar());
  return okStatus();
}

Status inferTimestamp(InferenceContext &context) {
  context.setOutputShape(0, SymShape::scalar());
  return okStatus();
}

} // namespace kiln::shapes
