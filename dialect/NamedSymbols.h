// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which symbols an op needs the values of.
#ifndef KILN_DIALECT_NAMEDSYMBOLS_H
#define KILN_DIALECT_NAMEDSYMBOLS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace kiln::ir {

/// Calls visit(id) for the symbols that an op's types and lists of dimensions
/// name.
void forEachSymbol(mlir::Operation *op,
                   llvm::function_ref<void(int64_t)> visit);

} // namespace kiln::ir

#endif // KILN_DIALECT_NAMEDSYMBOLS_H
