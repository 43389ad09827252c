// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape functions of Losses, for its schema table.
#ifndef KILN_LIB_OPS_LOSSES_SHAPE_H
#define KILN_LIB_OPS_LOSSES_SHAPE_H

#include "lib/OpDefs/OpDef.h"

namespace kiln::shapes {

Status inferCrossEntropy(InferenceContext &context);
Status inferSparseCrossEntropy(InferenceContext &context);
Status inferInTopK(InferenceContext &context);

} // namespace kiln::shapes

#endif // KILN_LIB_OPS_LOSSES_SHAPE_H
