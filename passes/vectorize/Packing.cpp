// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loops that copy.
#include "passes/vectorize/Packing.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace kiln::passes {

Value allocateOnStack(KernelBuilder &k, Type element, int64_t elements) {
  OpBuilder::InsertionGuard guard(k.builder);
  Operation *parent = k.builder.getInsertionBlock()->getParentOp();
  auto function = isa<func::FuncOp>(parent)
                      ? cast<func::FuncOp>(parent)
                      : parent->getParentOfType<func::FuncOp>();
  k.builder.setInsertionPointToStart(&function.front());
  return memref::AllocaOp::create(k.builder, k.loc,
                                  MemRefType::get({elements}, element),
                                  k.builder.getI64IntegerAttr(64));
}

void packRows(KernelBuilder &k, const PanelColumns &panel, Value from,
              Value count, ArrayRef<Value> masks, Value packed) {
  Value stride = k.index(panel.width);
  k.forEach(k.index(0), count, 1, [&](Value row) {
    Value source =
        k.add(k.add(panel.base, k.mul(k.add(from, row), panel.columns)),
              panel.column);
    for (auto [r, mask] : llvm::enumerate(masks)) {
      Value at = k.index(static_cast<int64_t>(r) * lanes);
      k.store(k.load(panel.buffer, k.add(source, at), mask), packed,
              k.add(k.mul(row, stride), at), Value());
    }
  });
}

void packTransposed(KernelBuilder &k, const PanelColumns &panel, Value from,
                    Value count, bool wholeSquares, Value packed) {
  Value last = k.sub(panel.columns, k.index(1));
  k.forEach(k.index(0), k.index(panel.width), lanes, [&](Value at) {
    SmallVector<Value> sources;
    for (int64_t i = 0; i < lanes; ++i) {
      Value source = k.min(k.add(k.add(panel.column, at), k.index(i)), last);
      sources.push_back(
          k.add(k.add(panel.base, k.mul(source, panel.depth)), from));
    }
    k.forEach(k.index(0), count, lanes, [&](Value base) {
      Value mask = wholeSquares ? Value() : k.maskOf(k.sub(count, base));
      SmallVector<Value> square;
      for (Value source : sources)
        square.push_back(k.load(panel.buffer, k.add(source, base), mask));
      k.transposeSquare(square);
      for (auto [i, vector] : llvm::enumerate(square))
        k.store(vector, packed,
                k.add(k.mul(k.add(base, k.index(i)), k.index(panel.width)), at),
                Value());
    });
  });
}

} // namespace kiln::passes
