// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape functions of Logging, for its schema table.
#ifndef KILN_LIB_OPS_LOGGING_SHAPE_H
#define KILN_LIB_OPS_LOGGING_SHAPE_H

#include "lib/OpDefs/OpDef.h"

namespace kiln::shapes {

Status inferAssert(InferenceContext &context);
Status inferPrint(InferenceContext &context);
Status inferPrintText(InferenceContext &context);
Status inferStringFormat(InferenceContext &context);
Status inferTimestamp(InferenceContext &context);

} // namespace kiln::shapes

#endif // KILN_LIB_OPS_LOGGING_SHAPE_H
