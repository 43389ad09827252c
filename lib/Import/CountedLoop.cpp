// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A counted loop as kiln.while.
#include "lib/Import/CountedLoop.h"

namespace kiln {

llvm::SmallVector<Value> countedLoop(IrBuilder &ir, Value count,
                                     mlir::ValueRange first, LoopBody body) {
  mlir::OpBuilder &builder = ir.opBuilder();
  mlir::OpBuilder::InsertionGuard guard(builder);
  llvm::SmallVector<Value> inits = {ir.like(count, 0)};
  llvm::append_range(inits, first);
  auto loop = ir::WhileOp::create(builder, ir.location(),
                                  mlir::ValueRange(inits).getTypes(), inits);
  builder.setInsertionPointToEnd(&loop.beforeBlock());
  ir::ConditionOp::create(
      builder, ir.location(),
      ir.compare(ir::Predicate::lt, loop.beforeBlock().getArgument(0), count),
      loop.beforeBlock().getArguments());
  builder.setInsertionPointToEnd(&loop.afterBlock());
  Value number = loop.afterBlock().getArgument(0);
  llvm::SmallVector<Value> next = {
      ir.add(number, ir.splatInt(IrBuilder::typeOf(number), 1))};
  llvm::append_range(
      next, body(number, loop.afterBlock().getArguments().drop_front()));
  ir::YieldOp::create(builder, ir.location(), next);
  return llvm::to_vector_of<Value>(loop.getResults().drop_front());
}

} // namespace kiln
