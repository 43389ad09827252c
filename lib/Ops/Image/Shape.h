// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of Image.
#ifndef KILN_LIB_OPS_IMAGE_SHAPE_H
#define KILN_LIB_OPS_IMAGE_SHAPE_H

#include "kiln/Status.h"

namespace kiln {
class InferenceContext;
}

namespace kiln::shapes {

Status inferResize(InferenceContext &context);
Status inferResizeLike(InferenceContext &context);
Status inferAdjusted(InferenceContext &context);
Status inferColors(InferenceContext &context);
Status inferDrawnBoxes(InferenceContext &context);
Status inferCrops(InferenceContext &context);
Status inferCropsOfImage(InferenceContext &context);
Status inferCropsOfBoxes(InferenceContext &context);
Status inferSampledBox(InferenceContext &context);
Status inferSuppression(InferenceContext &context);
Status inferCombinedSuppression(InferenceContext &context);
Status inferResizeGradient(InferenceContext &context);
Status inferTransformed(InferenceContext &context);
Status inferGlimpses(InferenceContext &context);
Status inferScaled(InferenceContext &context);
Status inferScaledGradient(InferenceContext &context);

} // namespace kiln::shapes

#endif // KILN_LIB_OPS_IMAGE_SHAPE_H
