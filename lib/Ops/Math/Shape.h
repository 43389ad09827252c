// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape functions of Math, for its schema table.
#ifndef KILN_LIB_OPS_MATH_SHAPE_H
#define KILN_LIB_OPS_MATH_SHAPE_H

#include "lib/OpDefs/OpDef.h"

namespace kiln::shapes {

Status inferBinary(InferenceContext &context);
Status inferAccumulated(InferenceContext &context);
Status inferAddN(InferenceContext &context);
Status inferUnary(InferenceContext &context);
Status inferSame(InferenceContext &context);
Status inferZerosLike(InferenceContext &context);
Status inferNumberedGrad(InferenceContext &context);
Status inferCwiseGrad(InferenceContext &context);
Status inferApproximate(InferenceContext &context);
Status inferCompare(InferenceContext &context);
Status inferSelect(InferenceContext &context);
Status inferSelectV2(InferenceContext &context);
Status inferCast(InferenceContext &context);
Status inferBiasAdd(InferenceContext &context);
Status inferBiasAddGrad(InferenceContext &context);
Status inferSoftmax(InferenceContext &context);
Status inferScalar(InferenceContext &context);
Status inferClip(InferenceContext &context);

} // namespace kiln::shapes

#endif // KILN_LIB_OPS_MATH_SHAPE_H
