// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of ops on ragged tensors.
#ifndef KILN_LIB_OPS_RAGGED_SHAPE_H
#define KILN_LIB_OPS_RAGGED_SHAPE_H

#include "lib/OpDefs/Inference.h"

namespace kiln::shapes {

Status inferRaggedToSparse(InferenceContext &context);
Status inferRaggedRange(InferenceContext &context);
Status inferRaggedToTensor(InferenceContext &context);
Status inferRaggedToVariant(InferenceContext &context);
Status inferRaggedFromVariant(InferenceContext &context);
Status inferRaggedFill(InferenceContext &context);
Status inferFillGradient(InferenceContext &context);
Status inferRaggedGather(InferenceContext &context);
Status inferRaggedBincount(InferenceContext &context);

} // namespace kiln::shapes

#endif // KILN_LIB_OPS_RAGGED_SHAPE_H
