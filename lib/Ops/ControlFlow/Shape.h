// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape functions of ControlFlow, for its schema table.
#ifndef KILN_LIB_OPS_CONTROLFLOW_SHAPE_H
#define KILN_LIB_OPS_CONTROLFLOW_SHAPE_H

#include "lib/OpDefs/OpDef.h"

namespace kiln::shapes {

Status inferNone(InferenceContext &context);
Status inferIdentity(InferenceContext &context);
Status inferCall(InferenceContext &context);
Status inferMerge(InferenceContext &context);
Status inferSwitch(InferenceContext &context);
Status inferLoopCond(InferenceContext &context);
Status inferOptional(InferenceContext &context);
Status inferToBool(InferenceContext &context);
Status inferIdentityN(InferenceContext &context);

} // namespace kiln::shapes

#endif // KILN_LIB_OPS_CONTROLFLOW_SHAPE_H
