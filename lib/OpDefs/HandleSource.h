// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The nodes that handles of resources come from.
#ifndef KILN_LIB_OPDEFS_HANDLESOURCE_H
#define KILN_LIB_OPDEFS_HANDLESOURCE_H

#include "kiln/Node.h"

namespace kiln {

/// The node without handles among its inputs that a handle comes from: the one
/// that declares what it stands for; null where none is known, as behind a call
/// or a variable of handles. **Errors**:
/// INVALID_ARGUMENT for a place that a list of handles does not have.
StatusOr<const Node *> sourceOfHandle(const Output &handle);

} // namespace kiln

#endif // KILN_LIB_OPDEFS_HANDLESOURCE_H
