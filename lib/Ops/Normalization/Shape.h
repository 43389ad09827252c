// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of Normalization.
#ifndef KILN_LIB_OPS_NORMALIZATION_SHAPE_H
#define KILN_LIB_OPS_NORMALIZATION_SHAPE_H

#include "kiln/Status.h"

namespace kiln {
class InferenceContext;
}

namespace kiln::shapes {

Status inferBatchNorm(InferenceContext &context);
Status inferBatchNormGradient(InferenceContext &context);
Status inferGlobalNorm(InferenceContext &context);
Status inferGlobalNormGradient(InferenceContext &context);
Status inferResponseNorm(InferenceContext &context);
Status inferResponseNormGradient(InferenceContext &context);

} // namespace kiln::shapes

#endif // KILN_LIB_OPS_NORMALIZATION_SHAPE_H
