// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of summaries and messages.
#ifndef KILN_LIB_OPS_SUMMARY_SHAPE_H
#define KILN_LIB_OPS_SUMMARY_SHAPE_H

#include "lib/OpDefs/Inference.h"

namespace kiln::shapes {

Status inferMessage(InferenceContext &context);
Status inferParsedTensor(InferenceContext &context);

} // namespace kiln::shapes

#endif // KILN_LIB_OPS_SUMMARY_SHAPE_H
