// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fusions that are no elementwise nest: each has loops of its own.
#ifndef KILN_PASSES_SCHEDULE_KERNELFUSIONS_H
#define KILN_PASSES_SCHEDULE_KERNELFUSIONS_H

#include "passes/schedule/Schedule.h"

namespace kiln::passes {

/// True for a fusion that moves its input (a copy) and for one whose only op
/// has loops of its own (Placement::Kernel), or is a contraction, which others
/// may follow.
bool isKernelFusion(ir::FusionOp fusion);

/// The op that has the loops: the contraction, or the only one. The fusion is
/// no copy.
mlir::Operation *kernelOpOf(ir::FusionOp fusion);

/// A concat of more parts copies them by calls of a function, which finds its
/// buffer in the run's table.
inline constexpr unsigned maxInlineParts = 16;

/// How the loops of such a fusion run. A contraction's ContractionSchedule is
/// chosen for the same registers, with the sizes that its op stands for.
struct KernelSchedule {
  VectorRegisters registers;
  StreamingChoice streaming;
};

/// The schedule of a bufferized fusion.
KernelSchedule chooseKernelSchedule(ir::FusionOp fusion,
                                    const VectorTarget &target);

} // namespace kiln::passes

#endif // KILN_PASSES_SCHEDULE_KERNELFUSIONS_H
