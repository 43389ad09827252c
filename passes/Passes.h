// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declares the passes and registers them with opt-style tools.
#ifndef KILN_PASSES_PASSES_H
#define KILN_PASSES_PASSES_H

#include "kiln/CodeOptions.h"

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

/// The constants of the program that is compiled, for kiln-fold-tables.
class ConstantTable {
public:
  virtual ~ConstantTable() = default;
  /// Computes the result of an op whose operands are constants or results of
  /// such ops. Failure: it cannot be, or would be an error of the run.
  virtual mlir::LogicalResult compute(mlir::Operation *op) = 0;
  /// Appends what was computed, and gives its number; failure where there is no
  /// program, or it has no such value.
  virtual mlir::FailureOr<int64_t> append(mlir::Value value) = 0;
  /// Forgets all that was computed.
  virtual void clear() = 0;
  /// Appends entry \p index, a matrix [depth, columns], or its transpose where
  /// it is \p transposed, in panels of \p width columns, with zeros behind the
  /// last one. Gives its number; failure where it cannot be.
  virtual mlir::FailureOr<int64_t> appendPanels(int64_t index, int64_t depth,
                                                int64_t columns, int64_t width,
                                                bool transposed) = 0;
  /// Nothing reads the entry.
  virtual void release(int64_t index) = 0;
};

/// kiln-fold-tables with the table of a program; null: it does nothing.
/// Borrowed.
std::unique_ptr<mlir::Pass> createKilnFoldTables(ConstantTable *table);

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

/// Module attribute: what symbols are, by id, in the run that the code is made
/// for; 0 where that is not known, as without it. A hint for kiln-vectorize
/// alone: the code is right for any.
inline constexpr llvm::StringLiteral sizesName = "kiln.sizes";

#define GEN_PASS_DECL
#include "passes/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "passes/Passes.h.inc"

/// The passes that have options of the code among theirs, with \p code's.
std::unique_ptr<mlir::Pass>
createKilnVectorize(const CodeOptions &code,
                    const KilnVectorizeOptions &target);
std::unique_ptr<mlir::Pass> createKilnParallelize(const CodeOptions &code);

/// kiln-pack-constants with the table of a program; null: it does nothing.
/// Borrowed.
std::unique_ptr<mlir::Pass>
createKilnPackConstants(ConstantTable *table,
                        const KilnPackConstantsOptions &options);

} // namespace kiln::passes

#endif // KILN_PASSES_PASSES_H
