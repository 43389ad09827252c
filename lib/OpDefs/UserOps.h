// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops that users add, and the shape function of all of them.
#ifndef KILN_LIB_OPDEFS_USEROPS_H
#define KILN_LIB_OPDEFS_USEROPS_H

#include "kiln/Status.h"

#include <vector>

namespace kiln {

class InferenceContext;
struct OpDef;

/// Calls the op's own function (OpDef::userShape).
Status inferUserOp(InferenceContext &context);
/// Those that were added so far (addUserOp()), the latest first.
std::vector<const OpDef *> allUserOps();

} // namespace kiln

#endif // KILN_LIB_OPDEFS_USEROPS_H
