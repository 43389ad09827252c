// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What keeps the code of very large graphs within what LLVM compiles in
// seconds.
#ifndef KILN_PASSES_VECTORIZE_CODESIZE_H
#define KILN_PASSES_VECTORIZE_CODESIZE_H

#include "dialect/Kiln.h"
#include "runtime/elementary/Elementary.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace kiln::passes {

/// More elementary functions than this in one module are calls: inline, each
/// is 20 to 60 instructions in every copy of its loop.
inline constexpr int64_t maxInlineElementary = 128;

/// Decides between inline and called for the module's fusions.
void chooseElementaryForm(mlir::ModuleOp module,
                          llvm::ArrayRef<ir::FusionOp> fusions);

/// As ir::emitElementary(), inline or as a call of a function of the module
/// that all uses share: the same operations, so the same bits.
mlir::FailureOr<mlir::Value>
emitElementaryOrCall(mlir::OpBuilder &builder, mlir::Location loc,
                     elementary::ElementaryFunction function,
                     mlir::ValueRange operands);

/// Moves the constants of a function to its beginning, equal ones as one. The
/// greedy driver would do it as well, but looks at the whole loop around each
/// constant that it moves: quadratic in a loop of thousands of ops.
void gatherConstants(mlir::func::FuncOp function);

} // namespace kiln::passes

#endif // KILN_PASSES_VECTORIZE_CODESIZE_H
