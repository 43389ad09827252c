// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops on TensorArrays, stacks and lists that a cut run keeps between its parts.
#ifndef KILN_LIB_EXEC_SLOTOPS_H
#define KILN_LIB_EXEC_SLOTOPS_H

#include "lib/Plan/cut/CutGraph.h"
#include "runtime/kernels/BlockingKernel.h"

namespace kiln {

/// What stands for a slot that no branch gives.
inline constexpr int64_t noSlot = -1;

/// The op of a unit that works on such slots: it never waits, calls the kernels
/// that native code calls, on the slots of the run. A handle or a list is an
/// int64 scalar, its Slot::place. A list that another tensor
/// stands for, too, is copied before it is changed.
std::unique_ptr<BlockingOp> bindSlotOp(const CutUnit &unit);

} // namespace kiln

#endif // KILN_LIB_EXEC_SLOTOPS_H
