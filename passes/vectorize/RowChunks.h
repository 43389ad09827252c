// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Into how many chunks the rows of a product of matrices are cut: enough for a
// few threads, each large enough to pay for what is loaded for it.
#ifndef KILN_PASSES_VECTORIZE_ROWCHUNKS_H
#define KILN_PASSES_VECTORIZE_ROWCHUNKS_H

#include "passes/schedule/ContractionSchedule.h"
#include "passes/vectorize/KernelBuilder.h"

namespace kiln::passes {

class RowChunks {
public:
  RowChunks(RightOperand right, int64_t tileRows)
      : right(right), tileRows(tileRows) {}

  /// A multiple of the rows of a tile.
  int64_t wantedRows() const;
  /// A chunk takes up to half as much again, so that no small rest is left.
  int64_t mostRows() const;
  /// The same where there are `all` rows, if that is known: whole tiles.
  int64_t mostRows(std::optional<int64_t> all) const;
  /// How many chunks rows are to be: of about the wanted size, but enough of
  /// them for a few threads where there are few panels.
  mlir::Value count(KernelBuilder &k, mlir::Value rows,
                    mlir::Value panels) const;

private:
  RightOperand right;
  int64_t tileRows;
};

} // namespace kiln::passes

#endif // KILN_PASSES_VECTORIZE_ROWCHUNKS_H
