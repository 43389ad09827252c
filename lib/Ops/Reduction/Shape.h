// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape functions of Reduction, for its schema table.
#ifndef KILN_LIB_OPS_REDUCTION_SHAPE_H
#define KILN_LIB_OPS_REDUCTION_SHAPE_H

#include "lib/OpDefs/OpDef.h"

namespace kiln::shapes {

Status inferReduction(InferenceContext &context);
Status inferArgReduction(InferenceContext &context);
Status inferScan(InferenceContext &context);

} // namespace kiln::shapes

#endif // KILN_LIB_OPS_REDUCTION_SHAPE_H
