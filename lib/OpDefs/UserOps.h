// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops that users add, and the shape function of all of them.
#ifndef KILN_LIB_OPDEFS_USEROPS_H
#define KILN_LIB_OPDEFS_USEROPS_H

#include "kiln/Status.h"

#include <vector>

namespace kiln {

class InferenceContext;
struct OpDef;
struct OpSchema;

/// Calls the op's own function (OpDef::userShape).
Status inferUserOp(InferenceContext &context);
/// The definition that a schema is, without shape function and flags.
/// **Errors**: INVALID_ARGUMENT for an attribute's type that is none, and for
/// arguments whose type no attribute tells.
StatusOr<OpDef> opDefOf(const OpSchema &schema);
/// Those that were added so far (addUserOp()), the latest first.
std::vector<const OpDef *> allUserOps();

} // namespace kiln

#endif // KILN_LIB_OPDEFS_USEROPS_H
