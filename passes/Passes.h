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

/// Code that other modules have brought, for kiln-share-kernels.
class KernelLibrary {
public:
  virtual ~KernelLibrary() = default;
  /// Whether there is code for the kernel of that name, which stands for all
  /// that it does: the module then only declares it.
  virtual bool has(llvm::StringRef name) = 0;
};

/// kiln-share-kernels for a process: each contraction is a kernel, and what the
/// library has is declared. With null it is for the module alone.
std::unique_ptr<mlir::Pass> createKilnShareKernels(KernelLibrary *library);

#define GEN_PASS_DECL
#include "passes/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "passes/Passes.h.inc"

} // namespace kiln::passes

#endif // KILN_PASSES_PASSES_H
