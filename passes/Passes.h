// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declares the passes and registers them with opt-style tools.
#ifndef KILN_PASSES_PASSES_H
#define KILN_PASSES_PASSES_H

#include "dialect/Cost.h"

#include "mlir/Pass/Pass.h"

#include <functional>

namespace kiln::passes {

/// Computes a constant op for kiln-simplify: the values of the results of `op`
/// given those of its operands, or failure where the op cannot be folded. The
/// evaluator provides it, so that floats are folded by it alone.
using FoldFunction = std::function<mlir::LogicalResult(
    mlir::Operation *op, llvm::ArrayRef<mlir::Attribute> operands,
    llvm::SmallVectorImpl<mlir::Attribute> &results)>;

/// kiln-simplify with a folding callback; without one only integers fold.
std::unique_ptr<mlir::Pass> createKilnSimplify(FoldFunction fold);

#define GEN_PASS_DECL
#include "passes/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "passes/Passes.h.inc"

} // namespace kiln::passes

#endif // KILN_PASSES_PASSES_H
