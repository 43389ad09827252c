// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic for sizes that a run finds out.
#ifndef KILN_PASSES_BUFFERIZE_SHAPECODE_H
#define KILN_PASSES_BUFFERIZE_SHAPECODE_H

#include "dialect/Kiln.h"

#include "mlir/IR/Builders.h"

namespace kiln::passes {

/// Computes and sets a symbol; reports an error where 64 bits do not hold it.
/// Returns whether it may.
bool emitDefine(mlir::OpBuilder &builder, ir::DefineOp define);
/// Whether a call does nothing but bind elements of its integers: the kernel
/// ReadNumbers, which is the evaluator's.
bool isNumbersRead(ir::RuntimeCallOp call);
/// Sets the symbols to the elements of that buffer.
void emitNumbersRead(mlir::OpBuilder &builder, ir::RuntimeCallOp call,
                     mlir::Value buffer);
/// Sets the symbols that it binds, all at once.
void emitBind(mlir::OpBuilder &builder, ir::BindOp bind);
/// Reports an error unless the condition holds.
void emitGuard(mlir::OpBuilder &builder, ir::GuardOp guard);

} // namespace kiln::passes

#endif // KILN_PASSES_BUFFERIZE_SHAPECODE_H
