// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a fusion does with the elements of its product of matrices, once they
// are complete.
#ifndef KILN_PASSES_VECTORIZE_EPILOGUE_H
#define KILN_PASSES_VECTORIZE_EPILOGUE_H

#include "passes/vectorize/KernelBuilder.h"

namespace kiln::passes {

/// Whether \p op can compute an element of its result from that element of a
/// product of matrices, in the order of its rows: an elementwise op on floats
/// that raises no error. `isInside` says which values are computed with the
/// product; others are read, element by element, or as one for each of the
/// product's columns or for all.
bool canFollowProduct(mlir::Operation *op,
                      llvm::function_ref<bool(mlir::Value)> isInside);

/// The ops of a fusion behind its contraction. Borrows the fusion.
class Epilogue {
public:
  /// A part of the product: rows [low, high), and the columns of a panel, of
  /// which the masks say, a vector of 16 lanes each, which there are.
  struct Part {
    /// Its element (row, column) is at begin + row * width + column.
    mlir::Value product, begin, width;
    mlir::Value columns;
    mlir::Value low, high, column;
    llvm::ArrayRef<mlir::Value> masks;
  };

  /// \p contraction is in the fusion's body.
  Epilogue(ir::FusionOp fusion, mlir::Operation *contraction);

  bool empty() const { return ops.empty(); }
  /// Whether a tile of the product computes it before it is stored: functions
  /// are long, and every copy of them costs compile time.
  bool isShort() const;
  /// Puts what is yielded over the elements of the part.
  void emit(KernelBuilder &k, const Part &part) const;
  /// What is yielded for \p sums, the elements of \p rows of the part in its
  /// columns: reads what it needs, stores nothing.
  llvm::SmallVector<mlir::Value> compute(KernelBuilder &k, const Part &part,
                                         llvm::ArrayRef<mlir::Value> rows,
                                         mlir::ValueRange sums) const;

  /// What compute() reads for each element of the product.
  llvm::SmallVector<mlir::Value> elementBuffers() const;

private:
  class Emitter;

  ir::FusionOp fusion;
  mlir::Value product, yielded;
  llvm::SmallVector<mlir::Operation *> ops; ///< elementwise, in order
};

} // namespace kiln::passes

#endif // KILN_PASSES_VECTORIZE_EPILOGUE_H
