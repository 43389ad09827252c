// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of matrices whose left factor may be the windows of a tensor.
#ifndef KILN_PASSES_VECTORIZE_CONTRACTION_H
#define KILN_PASSES_VECTORIZE_CONTRACTION_H

#include "passes/vectorize/Epilogue.h"
#include "passes/vectorize/Walk.h"

namespace kiln::passes {

/// An attribute of a bufferized fusion: its last input is the contraction's
/// right factor in panels of so many columns (Contraction::panels).
inline constexpr llvm::StringLiteral panelsName = "kiln.panels";

/// result[b] = lhs[b] * rhs[b], in the CONTRACTION order of
/// runtime/arithmetic/ReductionOrder.h.
struct Contraction {
  mlir::Type element; ///< that is stored
  mlir::Value lhs, rhs, result;
  llvm::SmallVector<ir::Extent> batch; ///< factors of how many there are
  Walk rows, depth;                    ///< of the left factor
  mlir::Value lhsBegin;                ///< where its first element lies
  /// The padding that whole runs of K are, and that parts of a run of K are.
  std::optional<Padding> padding, runPadding;
  mlir::Value columns;
  /// Element (row, column) of the result is at resultBegin + row * resultWidth
  /// + column.
  mlir::Value resultBegin, resultWidth;
  bool transposeRhs = false; ///< rhs is [columns, depth], not [depth, columns]
  /// Where given, what is read instead of rhs: its columns in panels of
  /// `panelColumns`, one after the other, with zeros behind the last one; a
  /// panel is [depth, panelColumns].
  mlir::Value panels;
  int64_t panelColumns = 0;
  const Epilogue *epilogue = nullptr; ///< null for none
};

void emitContraction(Contraction contraction, KernelBuilder &kernel);

} // namespace kiln::passes

#endif // KILN_PASSES_VECTORIZE_CONTRACTION_H
