// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape functions of Files, for its schema table.
#ifndef KILN_LIB_OPS_FILES_SHAPE_H
#define KILN_LIB_OPS_FILES_SHAPE_H

#include "lib/OpDefs/OpDef.h"

namespace kiln::shapes {

Status inferReader(InferenceContext &context);
Status inferFileScalar(InferenceContext &context);
Status inferFileNothing(InferenceContext &context);
Status inferReadUpTo(InferenceContext &context);
Status inferMatchingFiles(InferenceContext &context);
Status inferRecordInput(InferenceContext &context);

} // namespace kiln::shapes

#endif // KILN_LIB_OPS_FILES_SHAPE_H
