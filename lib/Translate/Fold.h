// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folds single ops by the evaluator, for the simplifier.
#ifndef KILN_LIB_TRANSLATE_FOLD_H
#define KILN_LIB_TRANSLATE_FOLD_H

#include "kiln/Tensor.h"

#include "mlir/IR/Operation.h"

#include <optional>

namespace kiln {

/// Computes the results of a pure op from constant operands, for the
/// simplifier; appends one ElementsAttr a result.
///
/// A splat of any shape folds to a splat where the op keeps splats (elementwise
/// ops), also with dynamic dimensions. Fails, adding nothing, when an operand
/// is null, a type is dynamic otherwise, a result is too large for
/// kiln.constant, the op
/// reads anything but its operands, or it would report an error: that is left
/// to the run.
mlir::LogicalResult
foldConstant(mlir::Operation *op, llvm::ArrayRef<mlir::Attribute> operands,
             llvm::SmallVectorImpl<mlir::Attribute> &results);

/// A constant; of a splat one element.
struct FoldedValue {
  Tensor tensor;
  bool isSplat = false;
};

/// The same for constants of any size: the result of a pure op on numbers;
/// nothing where it reads anything but its operands or would be an error, or
/// takes more than \p maxBytes.
std::optional<FoldedValue> foldTensors(mlir::Operation *op,
                                       llvm::ArrayRef<FoldedValue> operands,
                                       int64_t maxBytes);

/// The value of a kiln.constant; nothing where it is not dense.
std::optional<FoldedValue> foldedConstant(mlir::Attribute value);

} // namespace kiln

#endif // KILN_LIB_TRANSLATE_FOLD_H
