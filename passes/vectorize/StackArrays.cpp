// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocates where the enclosing function begins.
#include "passes/vectorize/StackArrays.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace kiln::passes {

static Block &entryOf(OpBuilder &builder) {
  Operation *parent = builder.getInsertionBlock()->getParentOp();
  auto function = isa<func::FuncOp>(parent)
                      ? cast<func::FuncOp>(parent)
                      : parent->getParentOfType<func::FuncOp>();
  return function.front();
}

Value allocateOnStack(OpBuilder &builder, Location loc, Type element,
                      int64_t elements) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&entryOf(builder));
  return memref::AllocaOp::create(builder, loc,
                                  MemRefType::get({elements}, element),
                                  builder.getI64IntegerAttr(64));
}

Value allocateScratch(OpBuilder &builder, Location loc, Type element,
                      int64_t elements, llvm::StringRef name) {
  memref::AllocaOp known;
  // Allocations and constants stand before everything else.
  for (Operation &op : entryOf(builder)) {
    auto array = dyn_cast<memref::AllocaOp>(op);
    if (!array && op.hasTrait<OpTrait::ConstantLike>())
      continue;
    if (!array)
      break;
    auto own = array->getAttrOfType<StringAttr>(scratchName);
    if (own && own == name && array.getType().getElementType() == element)
      known = array;
  }
  if (known && known.getType().getDimSize(0) >= elements)
    return known;
  Value made = allocateOnStack(builder, loc, element, elements);
  made.getDefiningOp()->setAttr(scratchName, builder.getStringAttr(name));
  if (known) {
    known.replaceAllUsesWith(made);
    known.erase();
  }
  return made;
}

} // namespace kiln::passes
