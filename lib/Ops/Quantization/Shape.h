// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape functions of Quantization, for its schema table.
#ifndef KILN_LIB_OPS_QUANTIZATION_SHAPE_H
#define KILN_LIB_OPS_QUANTIZATION_SHAPE_H

#include "lib/OpDefs/OpDef.h"

namespace kiln::shapes {

Status inferDequantize(InferenceContext &context);
Status inferFakeQuant(InferenceContext &context);
Status inferFakeQuantGrad(InferenceContext &context);
Status inferQuantize(InferenceContext &context);
Status inferQuantized(InferenceContext &context);
Status inferQuantizedActivation(InferenceContext &context);
Status inferQuantizedBatchNorm(InferenceContext &context);
Status inferQuantizedBiasAdd(InferenceContext &context);
Status inferQuantizedBinary(InferenceContext &context);
Status inferQuantizedConcat(InferenceContext &context);
Status inferQuantizedConv2D(InferenceContext &context);
Status inferQuantizedDepthwise(InferenceContext &context);
Status inferQuantizedGrad(InferenceContext &context);
Status inferQuantizedInstanceNorm(InferenceContext &context);
Status inferQuantizedMatMul(InferenceContext &context);
Status inferQuantizedReshape(InferenceContext &context);
Status inferQuantizedResize(InferenceContext &context);
Status inferRangeOfChannels(InferenceContext &context);
Status inferRequantizationRange(InferenceContext &context);
Status inferRequantize(InferenceContext &context);
Status inferRequantizeChannels(InferenceContext &context);

} // namespace kiln::shapes

#endif // KILN_LIB_OPS_QUANTIZATION_SHAPE_H
