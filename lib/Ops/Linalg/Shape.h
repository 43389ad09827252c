// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape functions of Linalg, for its schema table.
#ifndef KILN_LIB_OPS_LINALG_SHAPE_H
#define KILN_LIB_OPS_LINALG_SHAPE_H

#include "lib/OpDefs/OpDef.h"

namespace kiln::shapes {

Status inferMatMul(InferenceContext &context);
Status inferBatchMatMul(InferenceContext &context);

Status inferCholeskyGrad(InferenceContext &context);
Status inferCross(InferenceContext &context);
Status inferDeterminant(InferenceContext &context);
Status inferEinsum(InferenceContext &context);
Status inferLu(InferenceContext &context);
Status inferMatrixSolve(InferenceContext &context);
Status inferMatrixSolveLs(InferenceContext &context);
Status inferQr(InferenceContext &context);
Status inferSelfAdjointEig(InferenceContext &context);
Status inferSelfAdjointEigRows(InferenceContext &context);
Status inferSquare(InferenceContext &context);
Status inferSvd(InferenceContext &context);
Status inferBandedTriangularSolve(InferenceContext &context);
Status inferTriangularSolve(InferenceContext &context);
Status inferTridiagonalMatMul(InferenceContext &context);
Status inferTridiagonalSolve(InferenceContext &context);

} // namespace kiln::shapes

#endif // KILN_LIB_OPS_LINALG_SHAPE_H
