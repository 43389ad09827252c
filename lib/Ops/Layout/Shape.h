// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape functions of Layout, for its schema table.
#ifndef KILN_LIB_OPS_LAYOUT_SHAPE_H
#define KILN_LIB_OPS_LAYOUT_SHAPE_H

#include "lib/OpDefs/OpDef.h"

namespace kiln::shapes {

Status inferApproxTopK(InferenceContext &context);
Status inferBatchToSpace(InferenceContext &context);
Status inferDataFormatDimMap(InferenceContext &context);
Status inferDataFormatVecPermute(InferenceContext &context);
Status inferDepthToSpace(InferenceContext &context);
Status inferDiag(InferenceContext &context);
Status inferDiagPart(InferenceContext &context);
Status inferMatrixBandPart(InferenceContext &context);
Status inferMatrixDiag(InferenceContext &context);
Status inferMatrixDiagPart(InferenceContext &context);
Status inferMatrixSetDiag(InferenceContext &context);
Status inferMirrorPad(InferenceContext &context);
Status inferMirrorPadGrad(InferenceContext &context);
Status inferNthElement(InferenceContext &context);
Status inferPatches(InferenceContext &context);
Status inferReverseSequence(InferenceContext &context);
Status inferRoll(InferenceContext &context);
Status inferSpaceToBatch(InferenceContext &context);
Status inferSpaceToDepth(InferenceContext &context);
Status inferTopK(InferenceContext &context);

} // namespace kiln::shapes

#endif // KILN_LIB_OPS_LAYOUT_SHAPE_H
