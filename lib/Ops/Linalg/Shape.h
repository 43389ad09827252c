// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape functions of Linalg, for its schema table.
#ifndef KILN_LIB_OPS_LINALG_SHAPE_H
#define KILN_LIB_OPS_LINALG_SHAPE_H

#include "lib/Ops/OpDef.h"

namespace kiln::shapes {

Status inferMatMul(InferenceContext &context);
Status inferBatchMatMul(InferenceContext &context);
Status inferMatrixInverse(InferenceContext &context);

} // namespace kiln::shapes

#endif // KILN_LIB_OPS_LINALG_SHAPE_H
