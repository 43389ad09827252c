// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handles and names are scalars; elements have the shapes that the node says.
#include "lib/Ops/Pipeline/Shape.h"

#include "lib/OpDefs/Inference.h"

namespace kiln::shapes {

Status inferPlace(InferenceContext &context) {
  context.setOutputShape(0, SymShape::scalar());
  return okStatus();
}

Status inferNextElement(InferenceContext &context) {
  const auto shapes =
      context.node().attrOr<std::vector<Shape>>("output_shapes", {});
  if (shapes.size() != static_cast<size_t>(context.numOutputs()))
    return context.error("expected as many output_shapes as output_types");
  for (int i = 0; i < context.numOutputs(); ++i)
    context.setOutputShape(i, toSymShape(shapes[static_cast<size_t>(i)]));
  return okStatus();
}

Status inferPipelineNone(InferenceContext &) { return okStatus(); }

} // namespace kiln::shapes
