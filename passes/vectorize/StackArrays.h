// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays on the stack, where kiln-parallelize gives each task its own.
#ifndef KILN_PASSES_VECTORIZE_STACKARRAYS_H
#define KILN_PASSES_VECTORIZE_STACKARRAYS_H

#include "mlir/IR/Builders.h"

namespace kiln::passes {

/// A memref of so many elements, aligned to a line of the cache, allocated
/// where the function begins.
mlir::Value allocateOnStack(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Type element, int64_t elements);

/// Marks what allocateScratch() makes.
inline constexpr llvm::StringLiteral scratchName = "kiln.scratch";

/// The same of at least so many elements, of which nothing is read that was not
/// stored for the same use: all uses of one name in a function share it, so
/// that a step of a hundred products needs no more of the stack than one.
mlir::Value allocateScratch(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Type element, int64_t elements,
                            llvm::StringRef name);

} // namespace kiln::passes

#endif // KILN_PASSES_VECTORIZE_STACKARRAYS_H
