// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops that write and read checkpoints.
#ifndef KILN_LIB_IO_CHECKPOINTOPS_H
#define KILN_LIB_IO_CHECKPOINTOPS_H

#include "lib/OpDefs/HostOps.h"

namespace kiln::io {

/// **Errors** of all: with TensorFlow's texts; PERMISSION_DENIED for files that
/// the call may not use.
Status saveV2(const HostCall &call);
Status restoreV2(const HostCall &call);
Status mergeV2Checkpoints(const HostCall &call);

} // namespace kiln::io

#endif // KILN_LIB_IO_CHECKPOINTOPS_H
