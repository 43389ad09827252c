// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape functions of Data, for its schema table.
#ifndef KILN_LIB_OPS_DATA_SHAPE_H
#define KILN_LIB_OPS_DATA_SHAPE_H

#include "lib/OpDefs/OpDef.h"

namespace kiln::shapes {

Status inferConst(InferenceContext &context);
Status inferPlaceholder(InferenceContext &context);
Status inferPlaceholderWithDefault(InferenceContext &context);

} // namespace kiln::shapes

#endif // KILN_LIB_OPS_DATA_SHAPE_H
