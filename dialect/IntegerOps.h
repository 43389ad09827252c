// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which function of integers (lib/Support/Integers.h) an elementwise op is.
#ifndef KILN_DIALECT_INTEGEROPS_H
#define KILN_DIALECT_INTEGEROPS_H

#include "lib/Support/Integers.h"

#include "mlir/IR/Operation.h"

namespace kiln::ir {

/// What the op computes on integers and bools; nothing for an op of another
/// kind.
std::optional<IntegerFunction> integerFunctionOf(mlir::Operation *op);

} // namespace kiln::ir

#endif // KILN_DIALECT_INTEGEROPS_H
