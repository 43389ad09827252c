// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of Convolution.
#ifndef KILN_LIB_OPS_CONVOLUTION_SHAPE_H
#define KILN_LIB_OPS_CONVOLUTION_SHAPE_H

#include "kiln/Status.h"

namespace kiln {
class InferenceContext;
}

namespace kiln::shapes {

Status inferConv(InferenceContext &context);
Status inferConv2D(InferenceContext &context);
Status inferConv3D(InferenceContext &context);
Status inferConv2DInputGradient(InferenceContext &context);
Status inferConv3DInputGradient(InferenceContext &context);
Status inferConv2DFilterGradient(InferenceContext &context);
Status inferConv3DFilterGradient(InferenceContext &context);
Status inferDepthwise(InferenceContext &context);
Status inferDepthwiseInputGradient(InferenceContext &context);
Status inferDepthwiseFilterGradient(InferenceContext &context);

} // namespace kiln::shapes

#endif // KILN_LIB_OPS_CONVOLUTION_SHAPE_H
