// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sparse tensors as messages, and back.
#ifndef KILN_LIB_IO_SPARSEMESSAGEOPS_H
#define KILN_LIB_IO_SPARSEMESSAGEOPS_H

#include "lib/OpDefs/HostOps.h"

namespace kiln::io {

// As TensorFlow's ops of these names. **Errors**: with its texts.
Status deserializeSparse(const HostCall &call);
Status serializeManySparse(const HostCall &call);
Status serializeSparse(const HostCall &call);

} // namespace kiln::io

#endif // KILN_LIB_IO_SPARSEMESSAGEOPS_H
