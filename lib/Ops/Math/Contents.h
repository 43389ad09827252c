// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise arithmetic on the elements of small integer tensors, for shape
// functions.
#ifndef KILN_LIB_OPS_MATH_CONTENTS_H
#define KILN_LIB_OPS_MATH_CONTENTS_H

#include "lib/OpDefs/Inference.h"

namespace kiln::shapes {

// Each sets the contents of output 0 where they follow, and passes on only what
// is known: nothing is demanded.
Status setBinaryContents(InferenceContext &context, const SymShape &shape);
Status setSelectContents(InferenceContext &context, const SymShape &shape);
void setUnaryContents(InferenceContext &context);
void setCastContents(InferenceContext &context);

} // namespace kiln::shapes

#endif // KILN_LIB_OPS_MATH_CONTENTS_H
