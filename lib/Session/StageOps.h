// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops on staging areas, as blocking kernels.
#ifndef KILN_LIB_SESSION_STAGEOPS_H
#define KILN_LIB_SESSION_STAGEOPS_H

#include "runtime/BlockingKernel.h"

namespace kiln {

/// The op of a node on a staging area, which is made on first use; null for
/// others. Its errors have TensorFlow's texts: INVALID_ARGUMENT for keys and
/// places that are none, INTERNAL for a tuple that is not what the node says.
StatusOr<std::unique_ptr<BlockingOp>> bindStageOp(const Node &node,
                                                  const BlockingSite &site);

} // namespace kiln

#endif // KILN_LIB_SESSION_STAGEOPS_H
