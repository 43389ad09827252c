// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which symbols a run binds, and who needs their values.
#ifndef KILN_PASSES_RUNSYMBOLS_H
#define KILN_PASSES_RUNSYMBOLS_H

#include "dialect/Kiln.h"
#include "dialect/NamedSymbols.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace kiln::passes {

/// The symbols that ops bind in the middle of a run: a kernel that finds them
/// out, kiln.define, kiln.bind or kiln.set_symbol.
using RunSymbols = llvm::DenseSet<int64_t>;
RunSymbols findRunSymbols(mlir::Operation *root);

/// Calls visit(id) for the symbols that an op binds itself.
void forEachBound(mlir::Operation *op, llvm::function_ref<void(int64_t)> visit);

/// Whether it names one of them.
bool namesAny(mlir::Operation *op, const RunSymbols &symbols);

/// Whether a dimension of the type is bound in the run.
bool isBoundInRun(mlir::Type type, const RunSymbols &symbols);

/// Makes each kiln.symbol of what is bound in the run one that has its place.
void markLateSymbols(mlir::Operation *root);

/// Finds what the ops of a block must follow beyond their operands: what names
/// a symbol that an op of the block binds stays behind that op and behind what
/// was checked before it, but before a kiln.bind at the end of the block.
void orderSymbols(mlir::Block &block,
                  llvm::DenseMap<mlir::Operation *,
                                 llvm::SmallVector<mlir::Operation *>> &before);

} // namespace kiln::passes

#endif // KILN_PASSES_RUNSYMBOLS_H
