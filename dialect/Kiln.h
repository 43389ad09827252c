// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kiln dialect's C++ face: dialect, attributes, types, ops.
#ifndef KILN_DIALECT_KILN_H
#define KILN_DIALECT_KILN_H

#include "dialect/OpFacts.h"
#include "dialect/Traits.h"
#include "dialect/Types.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialect/KilnDialect.h.inc"
#include "dialect/KilnEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialect/KilnAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "dialect/KilnTypes.h.inc"

namespace kiln::ir {

/// The streams of the random nodes: ops that take from them keep their order.
struct RandomStreamResource
    : mlir::SideEffects::Resource::Base<RandomStreamResource> {
  llvm::StringRef getName() final { return "<RandomStream>"; }
};

/// The variables of the session.
struct VariableResource : mlir::SideEffects::Resource::Base<VariableResource> {
  llvm::StringRef getName() final { return "<Variable>"; }
};

/// The values of the symbols.
struct SymbolResource : mlir::SideEffects::Resource::Base<SymbolResource> {
  llvm::StringRef getName() final { return "<Symbol>"; }
};

} // namespace kiln::ir

#include "dialect/KilnInterfaces.h.inc"

#define GET_OP_CLASSES
#include "dialect/KilnOps.h.inc"

#endif // KILN_DIALECT_KILN_H
