// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocates where the enclosing function begins.
#include "passes/vectorize/StackArrays.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace kiln::passes {

Value allocateOnStack(OpBuilder &builder, Location loc, Type element,
                      int64_t elements) {
  OpBuilder::InsertionGuard guard(builder);
  Operation *parent = builder.getInsertionBlock()->getParentOp();
  auto function = isa<func::FuncOp>(parent)
                      ? cast<func::FuncOp>(parent)
                      : parent->getParentOfType<func::FuncOp>();
  builder.setInsertionPointToStart(&function.front());
  return memref::AllocaOp::create(builder, loc,
                                  MemRefType::get({elements}, element),
                                  builder.getI64IntegerAttr(64));
}

} // namespace kiln::passes
