// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Between the forms of an element: in a buffer, in registers, as an attribute,
// in another type.
#ifndef KILN_PASSES_VECTORIZE_CONVERSIONS_H
#define KILN_PASSES_VECTORIZE_CONVERSIONS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace kiln::passes {

// `element` is the element type of a kiln tensor; values are scalars or vectors
// of its storageType or registerType (dialect/Types.h).

/// What a buffer holds, as a value in registers.
mlir::Value fromStorage(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value stored, mlir::Type element);

/// The other way; f16 and bf16 are rounded already.
mlir::Value toStorage(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value value, mlir::Type element);

/// kiln.cast on values in registers.
mlir::Value emitConversion(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value value, mlir::Type from, mlir::Type to);

/// kiln.real or kiln.imag on values in registers.
mlir::Value emitPart(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value whole, bool isImaginary);
/// kiln.complex on values in registers.
mlir::Value emitComplex(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value real, mlir::Value imaginary);

/// Compares floats in registers, of which a denormal is a zero.
mlir::Value emitComparison(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::arith::CmpFPredicate predicate, mlir::Value a,
                           mlir::Value b);

/// An element of a kiln.constant as an attribute of the register's type.
mlir::TypedAttr registerAttr(mlir::Attribute element);
/// The same of the storage type.
mlir::TypedAttr storageAttr(mlir::Attribute element);

} // namespace kiln::passes

#endif // KILN_PASSES_VECTORIZE_CONVERSIONS_H
