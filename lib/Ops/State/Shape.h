// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape functions of State, for its schema table.
#ifndef KILN_LIB_OPS_STATE_SHAPE_H
#define KILN_LIB_OPS_STATE_SHAPE_H

#include "lib/OpDefs/Inference.h"
#include "lib/OpDefs/OpDef.h"
#include "lib/Shape/DimSpace.h"

namespace kiln::shapes {

/// The shape of the variable that input i refers to or has the handle of.
SymShape variableShape(const InferenceContext &context, int i);

Status inferVariable(InferenceContext &context);
Status inferTemporaryVariable(InferenceContext &context);
Status inferDestroyTemporary(InferenceContext &context);
Status inferNoOutputs(InferenceContext &context);
Status inferVarHandle(InferenceContext &context);
Status inferIsInitialized(InferenceContext &context);
Status inferVariableShape(InferenceContext &context);
Status inferReadVariable(InferenceContext &context);
Status inferAssign(InferenceContext &context);
Status inferAssignUpdate(InferenceContext &context);
Status inferCountUpTo(InferenceContext &context);
Status inferResourceAssign(InferenceContext &context);
Status inferResourceUpdate(InferenceContext &context);

/// The shape of a variable given by reference or by handle.
SymShape variableShape(const InferenceContext &context, int i);

} // namespace kiln::shapes

#endif // KILN_LIB_OPS_STATE_SHAPE_H
