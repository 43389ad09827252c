// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape functions of Recurrent, for its schema table.
#ifndef KILN_LIB_OPS_RECURRENT_SHAPE_H
#define KILN_LIB_OPS_RECURRENT_SHAPE_H

#include "lib/OpDefs/OpDef.h"

namespace kiln::shapes {

Status inferLstmCell(InferenceContext &context);
Status inferLstmCellGrad(InferenceContext &context);
Status inferBlockLstm(InferenceContext &context);
Status inferBlockLstmGrad(InferenceContext &context);
Status inferGruCell(InferenceContext &context);
Status inferGruCellGrad(InferenceContext &context);

} // namespace kiln::shapes

#endif // KILN_LIB_OPS_RECURRENT_SHAPE_H
