// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which symbols a run binds, and who needs their values.
#ifndef KILN_PASSES_ANALYSIS_RUNSYMBOLS_H
#define KILN_PASSES_ANALYSIS_RUNSYMBOLS_H

#include "dialect/Kiln.h"
#include "dialect/NamedSymbols.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace kiln::passes {

using ir::findRunSymbols;
using ir::isBoundInRun;
using ir::RunSymbols;

/// Whether it names one of them.
bool namesAny(mlir::Operation *op, const RunSymbols &symbols);

/// Says of the ops of a block, in order, which of them *stand on a check*: name
/// a symbol, behind a kiln.guard of the block. The sizes of such an op may be
/// true for that check alone. So though it cannot fail it reads out of bounds
/// where the check has not held, and **whatever moves ops leaves it behind the
/// check and in its block**. Types of all others say what is true without one.
class CheckedSizes {
public:
  /// The same for the op that follows the one before.
  bool standsOnCheck(mlir::Operation &op);

private:
  bool isChecked = false;
};

/// Makes each kiln.symbol of what is bound in the run one that has its place.
void markLateSymbols(mlir::Operation *root);

/// Finds what the ops of a block must follow beyond their operands: what names
/// a symbol that an op of the block binds stays behind that op and behind what
/// was checked before it, but before a kiln.bind at the end of the block.
void orderSymbols(mlir::Block &block,
                  llvm::DenseMap<mlir::Operation *,
                                 llvm::SmallVector<mlir::Operation *>> &before);

} // namespace kiln::passes

#endif // KILN_PASSES_ANALYSIS_RUNSYMBOLS_H
