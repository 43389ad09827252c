// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of ops on sparse tensors.
#ifndef KILN_LIB_OPS_SPARSE_SHAPE_H
#define KILN_LIB_OPS_SPARSE_SHAPE_H

#include "lib/OpDefs/Inference.h"

namespace kiln::shapes {

Status inferUnknownShapes(InferenceContext &context);
Status inferDenseSets(InferenceContext &context);
Status inferDenseAndSparseSets(InferenceContext &context);
Status inferSerializedRows(InferenceContext &context);
Status inferSerializedSparse(InferenceContext &context);
Status inferSparseSets(InferenceContext &context);
Status inferSparseReorder(InferenceContext &context);
Status inferSparseReshape(InferenceContext &context);
Status inferSparseConcat(InferenceContext &context);
Status inferSparseSplit(InferenceContext &context);
Status inferSparseSliceGrad(InferenceContext &context);
Status inferSparseFill(InferenceContext &context);
Status inferSparseReduce(InferenceContext &context);
Status inferSparseSoftmax(InferenceContext &context);
Status inferSparseDense(InferenceContext &context);
Status inferSparseExtremes(InferenceContext &context);
Status inferSparseAdd(InferenceContext &context);
Status inferSparseAddGrad(InferenceContext &context);
Status inferOntoDense(InferenceContext &context);
Status inferSparseBincount(InferenceContext &context);
Status inferDenseCounts(InferenceContext &context);
Status inferSparseCounts(InferenceContext &context);
Status inferRaggedCounts(InferenceContext &context);
Status inferDeserializedRows(InferenceContext &context);
Status inferDeserializedSparse(InferenceContext &context);
Status inferEditDistance(InferenceContext &context);
Status inferGatherTree(InferenceContext &context);
Status inferSparseCross(InferenceContext &context);
Status inferCtcLoss(InferenceContext &context);
Status inferCtcGreedy(InferenceContext &context);
Status inferCtcBeam(InferenceContext &context);

} // namespace kiln::shapes

#endif // KILN_LIB_OPS_SPARSE_SHAPE_H
