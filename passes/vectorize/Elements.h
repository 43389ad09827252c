// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise kiln ops on single elements or vectors of elements.
#ifndef KILN_PASSES_VECTORIZE_ELEMENTS_H
#define KILN_PASSES_VECTORIZE_ELEMENTS_H

#include "dialect/Kiln.h"

#include "mlir/IR/Builders.h"

namespace kiln::passes {

/// Emits the elementwise op on operands that are all scalars or all vectors of
/// one length. \p mask, where given, says which lanes are real: the others
/// raise no errors.
mlir::Value emitElements(mlir::OpBuilder &builder, mlir::Operation *op,
                         mlir::ValueRange operands, mlir::Value mask);

/// How a reduction combines elements: values in registers do not say whether
/// they are unsigned.
struct Combination {
  explicit Combination(ir::ReduceOp op);
  Combination(ir::ReduceKind kind, bool isUnsigned)
      : kind(kind), isUnsigned(isUnsigned) {}
  ir::ReduceKind kind;
  bool isUnsigned;
};

/// a combined with b, lane by lane, as runtime/arithmetic/ReductionOrder.h
/// defines it.
mlir::Value emitCombine(mlir::OpBuilder &builder, mlir::Location loc,
                        Combination how, mlir::Value a, mlir::Value b);

/// What a reduction starts from, as a scalar or vector of \p type.
mlir::Value emitNeutral(mlir::OpBuilder &builder, mlir::Location loc,
                        Combination how, mlir::Type type);

/// Combines the 16 lanes of a vector by halves.
mlir::Value emitLanesByHalves(mlir::OpBuilder &builder, mlir::Location loc,
                              Combination how, mlir::Value vector);

/// A constant of a scalar or vector type.
mlir::Value emitConstant(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Type type, mlir::Attribute scalar);
mlir::Value emitInteger(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Type type, int64_t value);
mlir::Value emitFloat(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Type type, double value);

} // namespace kiln::passes

#endif // KILN_PASSES_VECTORIZE_ELEMENTS_H
