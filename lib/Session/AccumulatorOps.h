// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops on accumulators of gradients, as blocking kernels.
#ifndef KILN_LIB_SESSION_ACCUMULATOROPS_H
#define KILN_LIB_SESSION_ACCUMULATOROPS_H

#include "runtime/BlockingKernel.h"

namespace kiln {

/// The op of a node on an accumulator, which is made on first use as the node
/// that declares it says; null for others. **Errors**: INVALID_ARGUMENT with
/// TensorFlow's texts, UNIMPLEMENTED for an accumulator that a run picks.
StatusOr<std::unique_ptr<BlockingOp>>
bindAccumulatorOp(const Node &node, const BlockingSite &site);

} // namespace kiln

#endif // KILN_LIB_SESSION_ACCUMULATOROPS_H
