// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape functions of Selection, for its schema table.
#ifndef KILN_LIB_OPS_SELECTION_SHAPE_H
#define KILN_LIB_OPS_SELECTION_SHAPE_H

#include "lib/OpDefs/OpDef.h"

namespace kiln::shapes {

Status inferDynamicPartition(InferenceContext &context);
Status inferDynamicStitch(InferenceContext &context);
Status inferListDiff(InferenceContext &context);
Status inferNearest(InferenceContext &context);
Status inferSearch(InferenceContext &context);
Status inferSparseSlice(InferenceContext &context);
Status inferUnique(InferenceContext &context);
Status inferUniqueV2(InferenceContext &context);
Status inferUnravel(InferenceContext &context);
Status inferWhere(InferenceContext &context);

} // namespace kiln::shapes

#endif // KILN_LIB_OPS_SELECTION_SHAPE_H
