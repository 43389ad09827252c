// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the ops' records refer to: the trait and the type check that compare
// symbols as well as extents.
#ifndef KILN_DIALECT_TRAITS_H
#define KILN_DIALECT_TRAITS_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"

namespace kiln::ir {

/// Whether the type names the symbol of every dynamic dimension, and has no
/// encoding where it has none (tensor_c1).
bool hasNamedDimensions(mlir::RankedTensorType type);

namespace impl {
mlir::LogicalResult verifySameShape(mlir::Operation *op);
} // namespace impl

/// All operands and results have one shape, symbols included (shape_c1).
template <typename ConcreteType>
class SameShape : public mlir::OpTrait::TraitBase<ConcreteType, SameShape> {
public:
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) {
    return impl::verifySameShape(op);
  }
};

} // namespace kiln::ir

#endif // KILN_DIALECT_TRAITS_H
