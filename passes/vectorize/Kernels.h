// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fusions of a single op that is no elementwise nest: each has a loop nest of
// its own.
#ifndef KILN_PASSES_VECTORIZE_KERNELS_H
#define KILN_PASSES_VECTORIZE_KERNELS_H

#include "passes/schedule/KernelFusions.h"

#include "mlir/IR/Builders.h"

namespace kiln::passes {

/// An attribute of a bufferized product of matrices: the elements of each row
/// of its buffer that stand before the product's, and the elements of a row.
inline constexpr llvm::StringLiteral partName = "kiln.part";
/// An attribute of a bufferized concat: the inputs that lie in the result
/// already.
inline constexpr llvm::StringLiteral writtenName = "kiln.written";

/// Emits the loops of a fusion that isKernelFusion() before the builder's
/// insertion point.
void emitKernel(ir::FusionOp fusion, const KernelSchedule &schedule,
                mlir::OpBuilder &builder);

} // namespace kiln::passes

#endif // KILN_PASSES_VECTORIZE_KERNELS_H
