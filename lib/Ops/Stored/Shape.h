// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of tensors that a session keeps.
#ifndef KILN_LIB_OPS_STORED_SHAPE_H
#define KILN_LIB_OPS_STORED_SHAPE_H

#include "lib/OpDefs/Inference.h"

namespace kiln::shapes {

Status inferStoredScalar(InferenceContext &context);
Status inferStoredTensor(InferenceContext &context);
Status inferStoredNothing(InferenceContext &context);
Status inferStoredSparse(InferenceContext &context);
Status inferStoredSparses(InferenceContext &context);
Status inferTakenSparses(InferenceContext &context);

} // namespace kiln::shapes

#endif // KILN_LIB_OPS_STORED_SHAPE_H
