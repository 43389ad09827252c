// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of integers (lib/Support/IntegerFunctions.h) as IR.
#ifndef KILN_PASSES_VECTORIZE_INTEGERIR_H
#define KILN_PASSES_VECTORIZE_INTEGERIR_H

#include "lib/Support/Integers.h"

#include "mlir/IR/Builders.h"

namespace kiln::passes {

/// Emits the function on scalars or vectors of elements of `element`, the type
/// of tensors, whose sign it has. The right operand is of the function's
/// domain.
mlir::Value emitIntegerFunction(mlir::OpBuilder &builder, mlir::Location loc,
                                IntegerFunction function, mlir::Type element,
                                mlir::ValueRange operands);

} // namespace kiln::passes

#endif // KILN_PASSES_VECTORIZE_INTEGERIR_H
