// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape function of all ops that users add.
#ifndef KILN_LIB_OPDEFS_USEROPS_H
#define KILN_LIB_OPDEFS_USEROPS_H

#include "kiln/Status.h"

namespace kiln {

class InferenceContext;

/// Calls the op's own function (OpDef::userShape).
Status inferUserOp(InferenceContext &context);

} // namespace kiln

#endif // KILN_LIB_OPDEFS_USEROPS_H
