// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of what the tiles of a product read, where it lies closer together.
#ifndef KILN_PASSES_VECTORIZE_PACKING_H
#define KILN_PASSES_VECTORIZE_PACKING_H

#include "passes/vectorize/KernelBuilder.h"

namespace kiln::passes {

/// Elements on the stack, where kiln-parallelize gives each task its own.
mlir::Value allocateOnStack(KernelBuilder &k, mlir::Type element,
                            int64_t elements);

/// A panel of the right operand: columns [column, column + width) of the matrix
/// that begins at base. Packed, they are rows of `width`, in vectors.
struct PanelColumns {
  mlir::Value buffer, base;
  mlir::Value depth, columns; ///< the matrix is [depth, columns]
  mlir::Value column;
  int64_t width;
};

/// Packs rows [from, from + count); lanes that \p masks leave out are not read.
void packRows(KernelBuilder &k, const PanelColumns &panel, mlir::Value from,
              mlir::Value count, llvm::ArrayRef<mlir::Value> masks,
              mlir::Value packed);

/// The same of a matrix that is [columns, depth], in squares of 16 x 16
/// elements, transposed in registers. \p wholeSquares: whether `count` is
/// always a multiple of 16.
void packTransposed(KernelBuilder &k, const PanelColumns &panel,
                    mlir::Value from, mlir::Value count, bool wholeSquares,
                    mlir::Value packed);

} // namespace kiln::passes

#endif // KILN_PASSES_VECTORIZE_PACKING_H
