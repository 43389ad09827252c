// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops on tensors that a session keeps, as blocking kernels that never wait.
#ifndef KILN_LIB_SESSION_STOREDOPS_H
#define KILN_LIB_SESSION_STOREDOPS_H

#include "runtime/BlockingKernel.h"

namespace kiln {

/// The op of a node that keeps tensors or gives kept ones; null for others.
/// Its errors have TensorFlow's texts.
StatusOr<std::unique_ptr<BlockingOp>> bindStoredOp(const Node &node,
                                                   const BlockingSite &site);

} // namespace kiln

#endif // KILN_LIB_SESSION_STOREDOPS_H
