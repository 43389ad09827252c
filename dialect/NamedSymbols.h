// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which symbols an op needs the values of, and which the run binds.
#ifndef KILN_DIALECT_NAMEDSYMBOLS_H
#define KILN_DIALECT_NAMEDSYMBOLS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace kiln::ir {

/// Calls visit(id) for the symbols that an op's types and lists of dimensions
/// name.
void forEachSymbol(mlir::Operation *op,
                   llvm::function_ref<void(int64_t)> visit);

/// Calls visit(id) for the symbols that an op binds itself.
void forEachBound(mlir::Operation *op, llvm::function_ref<void(int64_t)> visit);

/// The symbols that ops bind in the middle of a run: a kernel that finds them
/// out, kiln.define, kiln.bind or kiln.set_symbol.
using RunSymbols = llvm::DenseSet<int64_t>;
RunSymbols findRunSymbols(mlir::Operation *root);

/// Whether a dimension of the tensor type is bound in the run.
bool isBoundInRun(mlir::Type type, const RunSymbols &symbols);

} // namespace kiln::ir

#endif // KILN_DIALECT_NAMEDSYMBOLS_H
