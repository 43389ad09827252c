// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fusions of a single op that is no elementwise nest: each has a loop nest of
// its own.
#ifndef KILN_PASSES_VECTORIZE_KERNELS_H
#define KILN_PASSES_VECTORIZE_KERNELS_H

#include "dialect/Kiln.h"

#include "passes/vectorize/KernelBuilder.h"

#include "mlir/IR/Builders.h"

namespace kiln::passes {

/// Of a bufferized product of matrices: its rows lie behind so many elements of
/// each row of its buffer, of which there are so many.
inline constexpr llvm::StringLiteral partName = "kiln.part";
/// Of a bufferized concat: those of its inputs that lie in the result already.
inline constexpr llvm::StringLiteral writtenName = "kiln.written";

/// True for a fusion that moves its input (a copy) and for one whose only op
/// has loops of its own (Placement::Kernel).
bool isSpecialKernel(ir::FusionOp fusion);

/// Emits such a fusion before the builder's insertion point.
void emitSpecialKernel(ir::FusionOp fusion, mlir::OpBuilder &builder,
                       VectorRegisters registers, const Streaming *streaming);

} // namespace kiln::passes

#endif // KILN_PASSES_VECTORIZE_KERNELS_H
