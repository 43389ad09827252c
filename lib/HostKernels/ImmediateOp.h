// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host kernels that never wait, as a cut run calls them between its parts.
#ifndef KILN_LIB_HOSTKERNELS_IMMEDIATEOP_H
#define KILN_LIB_HOSTKERNELS_IMMEDIATEOP_H

#include "lib/HostKernels/HostCall.h"
#include "runtime/kernels/BlockingKernel.h"

#include <memory>

namespace kiln {

/// An op that is done where it begins. **Ownership**: borrows the node and the
/// files.
std::unique_ptr<BlockingOp>
makeImmediateOp(const Node &node, const FileAccess &files, BoundHostOp op);

} // namespace kiln

#endif // KILN_LIB_HOSTKERNELS_IMMEDIATEOP_H
