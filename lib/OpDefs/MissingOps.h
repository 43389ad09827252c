// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The error of a run that reaches ops that Kiln does not have.
#ifndef KILN_LIB_OPDEFS_MISSINGOPS_H
#define KILN_LIB_OPDEFS_MISSINGOPS_H

#include "kiln/Node.h"
#include "kiln/Status.h"
#include "lib/Graph/Function.h"

#include <span>

namespace kiln {

/// Checks that Kiln has the ops of all these nodes. **Errors**: NOT_FOUND with
/// TensorFlow's text and the first node whose op it has not; names all such op
/// types, up to a limit, with a node of each.
Status checkOpsExist(std::span<const Node *const> nodes,
                     const FunctionLibrary *functions);

} // namespace kiln

#endif // KILN_LIB_OPDEFS_MISSINGOPS_H
