// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape functions of Indexing, for its schema table.
#ifndef KILN_LIB_OPS_INDEXING_SHAPE_H
#define KILN_LIB_OPS_INDEXING_SHAPE_H

#include "lib/OpDefs/OpDef.h"

namespace kiln::shapes {

Status inferScatter(InferenceContext &context);
Status inferScatterNdVariable(InferenceContext &context);
Status inferTensorScatter(InferenceContext &context);
Status inferScatterNd(InferenceContext &context);
Status inferGatherNd(InferenceContext &context);
Status inferInplace(InferenceContext &context);
Status inferSparseToDense(InferenceContext &context);
Status inferSparseTensorDenseMatMul(InferenceContext &context);
Status inferUnsortedSegment(InferenceContext &context);
Status inferSegment(InferenceContext &context);
Status inferSparseSegment(InferenceContext &context);
Status inferSparseSegmentGrad(InferenceContext &context);
Status inferSparseSegmentGradV2(InferenceContext &context);

} // namespace kiln::shapes

#endif // KILN_LIB_OPS_INDEXING_SHAPE_H
