// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape functions of TensorArray, for its schema table.
#ifndef KILN_LIB_OPS_TENSORARRAY_SHAPE_H
#define KILN_LIB_OPS_TENSORARRAY_SHAPE_H

#include "lib/OpDefs/OpDef.h"

namespace kiln::shapes {

Status inferTensorArray(InferenceContext &context);
Status inferTensorArrayGrad(InferenceContext &context);
Status inferTensorArrayWrite(InferenceContext &context);
Status inferTensorArrayRead(InferenceContext &context);
Status inferTensorArrayGather(InferenceContext &context);
Status inferTensorArrayScatter(InferenceContext &context);
Status inferTensorArrayConcat(InferenceContext &context);
Status inferTensorArraySplit(InferenceContext &context);
Status inferTensorArraySize(InferenceContext &context);
Status inferTensorArrayClose(InferenceContext &context);
Status inferStack(InferenceContext &context);
Status inferStackPush(InferenceContext &context);
Status inferStackPop(InferenceContext &context);

} // namespace kiln::shapes

#endif // KILN_LIB_OPS_TENSORARRAY_SHAPE_H
