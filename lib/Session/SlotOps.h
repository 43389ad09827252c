// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops on TensorArrays and stacks that a cut run keeps between its parts.
#ifndef KILN_LIB_SESSION_SLOTOPS_H
#define KILN_LIB_SESSION_SLOTOPS_H

#include "lib/Plan/CutGraph.h"
#include "runtime/BlockingKernel.h"

namespace kiln {

/// The op of a unit that works on such a slot, or makes one: it never waits,
/// calls the kernel that native code calls, on the slots of the run. Its inputs
/// are those of the node but for the handle; handles among its outputs stay
/// unset.
std::unique_ptr<BlockingOp> bindSlotOp(const CutUnit &unit);

} // namespace kiln

#endif // KILN_LIB_SESSION_SLOTOPS_H
