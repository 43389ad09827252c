// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape functions of Array, for its schema table.
#ifndef KILN_LIB_OPS_ARRAY_SHAPE_H
#define KILN_LIB_OPS_ARRAY_SHAPE_H

#include "lib/OpDefs/OpDef.h"

namespace kiln {
struct SymShape;
}

namespace kiln::shapes {

/// Output i is a vector of these extents.
void setExtents(InferenceContext &context, int i, const SymShape &shape);

Status inferShape(InferenceContext &context);
Status inferShapeN(InferenceContext &context);
Status inferSize(InferenceContext &context);
Status inferRank(InferenceContext &context);
Status inferReshape(InferenceContext &context);
Status inferExpandDims(InferenceContext &context);
Status inferSqueeze(InferenceContext &context);
Status inferEnsureShape(InferenceContext &context);
Status inferBitcast(InferenceContext &context);
Status inferFill(InferenceContext &context);
Status inferEmpty(InferenceContext &context);
Status inferDeepCopy(InferenceContext &context);
Status inferDeviceIndex(InferenceContext &context);
Status inferFakeParam(InferenceContext &context);
Status inferTile(InferenceContext &context);
Status inferBroadcastTo(InferenceContext &context);
Status inferBroadcastArgs(InferenceContext &context);
Status inferBroadcastGradientArgs(InferenceContext &context);
Status inferPack(InferenceContext &context);
Status inferUnpack(InferenceContext &context);
Status inferConcatV2(InferenceContext &context);
Status inferConcat(InferenceContext &context);
Status inferParallelConcat(InferenceContext &context);
Status inferConcatOffset(InferenceContext &context);
Status inferSplit(InferenceContext &context);
Status inferSplitV(InferenceContext &context);
Status inferSlice(InferenceContext &context);
Status inferStridedSlice(InferenceContext &context);
Status inferStridedSliceGrad(InferenceContext &context);
Status inferStridedSliceUpdate(InferenceContext &context);
Status inferRange(InferenceContext &context);
Status inferLinSpace(InferenceContext &context);
Status inferGatherV2(InferenceContext &context);
Status inferGather(InferenceContext &context);
Status inferResourceGather(InferenceContext &context);
Status inferTranspose(InferenceContext &context);
Status inferInvertPermutation(InferenceContext &context);
Status inferReverse(InferenceContext &context);
Status inferReverseV2(InferenceContext &context);
Status inferPad(InferenceContext &context);
Status inferOneHot(InferenceContext &context);

} // namespace kiln::shapes

#endif // KILN_LIB_OPS_ARRAY_SHAPE_H
