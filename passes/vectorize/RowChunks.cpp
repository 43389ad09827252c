// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sizes of chunks, and the code that counts them.
#include "passes/vectorize/RowChunks.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace kiln::passes {

/// A packed panel must serve enough rows to pay.
static constexpr int64_t packedRows = 192, plainRows = 48;

int64_t RowChunks::wantedRows() const {
  bool isPacked =
      right == RightOperand::Panels || right == RightOperand::Packed;
  return (isPacked ? packedRows : plainRows) / tileRows * tileRows;
}

int64_t RowChunks::mostRows() const {
  return static_cast<int64_t>(llvm::alignTo(wantedRows() * 3 / 2, tileRows));
}

int64_t RowChunks::mostRows(std::optional<int64_t> all) const {
  if (!all)
    return mostRows();
  return std::min<int64_t>(mostRows(),
                           llvm::alignTo(std::max<int64_t>(*all, 1), tileRows));
}

/// Items that a few threads share evenly, as long as each has so many rows:
/// more of them where none packs a panel.
static constexpr int64_t minItems = 8, minPanelItems = 32;

static int64_t minRows(RightOperand right) {
  switch (right) {
  case RightOperand::Panels:
    return 16;
  case RightOperand::Single: // a filter's gradient has few rows and much to sum
    return 12;
  case RightOperand::Packed:
  case RightOperand::Plain:
    return 32;
  }
}

Value RowChunks::count(KernelBuilder &k, Value rows, Value panels) const {
  int64_t wanted = wantedRows(),
          items = right == RightOperand::Panels ? minPanelItems : minItems;
  Value bySize = k.div(k.add(rows, k.index(wanted / 2)), k.index(wanted));
  Value byThreads = k.min(k.ceilDiv(k.index(items), k.max(panels, k.index(1))),
                          k.div(rows, k.index(minRows(right))));
  return k.max(k.max(bySize, byThreads), k.index(1));
}

} // namespace kiln::passes
