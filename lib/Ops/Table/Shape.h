// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of tables.
#ifndef KILN_LIB_OPS_TABLE_SHAPE_H
#define KILN_LIB_OPS_TABLE_SHAPE_H

#include "lib/OpDefs/Inference.h"

namespace kiln::shapes {

Status inferTable(InferenceContext &context);
Status inferTableFind(InferenceContext &context);
Status inferTableSize(InferenceContext &context);
Status inferTableExport(InferenceContext &context);
Status inferTableNothing(InferenceContext &context);

} // namespace kiln::shapes

#endif // KILN_LIB_OPS_TABLE_SHAPE_H
