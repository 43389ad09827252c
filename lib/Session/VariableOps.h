// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops on variables that the session does itself, between parts of a run.
#ifndef KILN_LIB_SESSION_VARIABLEOPS_H
#define KILN_LIB_SESSION_VARIABLEOPS_H

#include "runtime/BlockingKernel.h"

namespace kiln {

/// The op of a node that takes a variable's value away; null for others.
/// **Errors**: UNIMPLEMENTED for handles of other resources, and of variables
/// that data picks. The op's: NOT_FOUND with TensorFlow's text.
StatusOr<std::unique_ptr<BlockingOp>> bindVariableOp(const Node &node,
                                                     const BlockingSite &site);

} // namespace kiln

#endif // KILN_LIB_SESSION_VARIABLEOPS_H
