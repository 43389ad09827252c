// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of Pooling.
#ifndef KILN_LIB_OPS_POOLING_SHAPE_H
#define KILN_LIB_OPS_POOLING_SHAPE_H

#include "kiln/Status.h"

namespace kiln {
class InferenceContext;
}

namespace kiln::shapes {

Status inferPool2D(InferenceContext &context);
Status inferPool3D(InferenceContext &context);
/// As inferPool2D(), with the ends of a range behind the image.
Status inferQuantizedPool(InferenceContext &context);
/// As inferPool2D(), with ksize and strides as inputs.
Status inferPoolComputed(InferenceContext &context);
/// What has the shape of input 0, and a gradient that has the pool's.
Status inferPoolGradient2D(InferenceContext &context);
Status inferPoolGradient3D(InferenceContext &context);
Status inferPoolGradientComputed(InferenceContext &context);
Status inferPoolGradientOfGradient2D(InferenceContext &context);
Status inferPoolGradientOfGradient3D(InferenceContext &context);
Status inferPoolGradientOfGradientComputed(InferenceContext &context);
/// input, gradient, places of the largest elements.
Status inferPoolGradientOfPlaces(InferenceContext &context);
/// image, filter, whose strides and rates have four numbers.
Status inferDilation(InferenceContext &context);
/// As inferDilation(), and the gradient of that; of input 0 or 1.
Status inferDilationGradient(InferenceContext &context);
/// As above, of a shape that input 0 tells.
Status inferAveragePoolGradient2D(InferenceContext &context);
Status inferAveragePoolGradient3D(InferenceContext &context);

/// Images, and pools whose windows are of two sizes.
Status inferFractionalPool(InferenceContext &context);
Status inferFractionalMaxPoolGrad(InferenceContext &context);
/// As above, of a shape that input 0 tells.
Status inferFractionalAvgPoolGrad(InferenceContext &context);

} // namespace kiln::shapes

#endif // KILN_LIB_OPS_POOLING_SHAPE_H
