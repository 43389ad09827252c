// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loops that copy.
#include "passes/vectorize/Packing.h"

using namespace mlir;

namespace kiln::passes {

void packRows(KernelBuilder &k, const PanelColumns &panel, Value from,
              Value count, ArrayRef<Value> masks) {
  Value stride = k.index(panel.width);
  k.forEach(k.index(0), count, 1, [&](Value row) {
    Value source =
              k.add(k.add(panel.base, k.mul(k.add(from, row), panel.pitch)),
                    panel.column),
          target = k.add(panel.at, k.mul(row, stride));
    for (auto [r, mask] : llvm::enumerate(masks)) {
      Value lane = k.index(static_cast<int64_t>(r) * lanes);
      k.store(k.load(panel.buffer, k.add(source, lane), mask), panel.packed,
              k.add(target, lane), Value());
    }
  });
}

void packTransposed(KernelBuilder &k, const PanelColumns &panel, Value from,
                    Value count, bool wholeSquares) {
  assert((panel.width < lanes || panel.width % lanes == 0) &&
         "a later vector of a row would overwrite the next row");
  Value last = k.sub(panel.columns, k.index(1));
  k.forEach(k.index(0), k.index(panel.width), lanes, [&](Value at) {
    SmallVector<Value> sources;
    for (int64_t i = 0; i < lanes; ++i) {
      Value lane = k.index(std::min(i, panel.width - 1));
      Value source = k.min(k.add(k.add(panel.column, at), lane), last);
      sources.push_back(
          k.add(k.add(panel.base, k.mul(source, panel.pitch)), from));
    }
    k.forEach(k.index(0), count, lanes, [&](Value base) {
      Value mask = wholeSquares ? Value() : k.maskOf(k.sub(count, base));
      SmallVector<Value> square;
      for (Value source : sources)
        square.push_back(k.load(panel.buffer, k.add(source, base), mask));
      k.transposeSquare(square);
      Value target = k.add(panel.at, at);
      for (auto [i, vector] : llvm::enumerate(square))
        k.store(
            vector, panel.packed,
            k.add(target, k.mul(k.add(base, k.index(i)), k.index(panel.width))),
            Value());
    });
  });
}

} // namespace kiln::passes
