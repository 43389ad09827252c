// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of what the tiles of a product read, where it lies closer together.
#ifndef KILN_PASSES_VECTORIZE_PACKING_H
#define KILN_PASSES_VECTORIZE_PACKING_H

#include "passes/vectorize/KernelBuilder.h"

namespace kiln::passes {

/// Columns [column, column + width) of a matrix, those of which that are less
/// than `columns`. Packed from element `at` of `packed` on, they are rows of
/// `width`. They are stored in whole vectors, one row after the other: what
/// lies up to a vector behind the last row changes as well.
struct PanelColumns {
  mlir::Value buffer, base; ///< where the matrix begins
  mlir::Value pitch; ///< from one row, transposed one column, to the next
  mlir::Value columns, column;
  int64_t width;
  mlir::Value packed, at;
};

/// Packs rows [from, from + count); lanes that \p masks leave out are not read.
void packRows(KernelBuilder &k, const PanelColumns &panel, mlir::Value from,
              mlir::Value count, llvm::ArrayRef<mlir::Value> masks);

/// The same of a matrix whose columns lie one after the other, in squares of 16
/// x 16 elements, transposed in registers. \p wholeSquares: whether `count` is
/// always a multiple of 16.
void packTransposed(KernelBuilder &k, const PanelColumns &panel,
                    mlir::Value from, mlir::Value count, bool wholeSquares);

} // namespace kiln::passes

#endif // KILN_PASSES_VECTORIZE_PACKING_H
