// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape functions of TensorList, for its schema table and for ops that take
// lists among others.
#ifndef KILN_LIB_OPS_TENSORLIST_SHAPE_H
#define KILN_LIB_OPS_TENSORLIST_SHAPE_H

#include "lib/OpDefs/OpDef.h"

namespace kiln::shapes {

Status inferListMake(InferenceContext &context);
Status inferListFromTensor(InferenceContext &context);
Status inferListScatter(InferenceContext &context);
Status inferListSplit(InferenceContext &context);
Status inferListPush(InferenceContext &context);
Status inferListPushBatch(InferenceContext &context);
Status inferListPop(InferenceContext &context);
Status inferListGet(InferenceContext &context);
Status inferListSet(InferenceContext &context);
Status inferListScatterInto(InferenceContext &context);
Status inferListResize(InferenceContext &context);
Status inferListLength(InferenceContext &context);
Status inferListElementShape(InferenceContext &context);
Status inferListStack(InferenceContext &context);
Status inferListGather(InferenceContext &context);
Status inferListConcat(InferenceContext &context);
Status inferListConcatLists(InferenceContext &context);
/// Ops that are elementwise otherwise, on a list.
Status inferListZerosLike(InferenceContext &context);
Status inferListAddN(InferenceContext &context);
Status inferListPack(InferenceContext &context);
Status inferListUnpack(InferenceContext &context);

} // namespace kiln::shapes

#endif // KILN_LIB_OPS_TENSORLIST_SHAPE_H
