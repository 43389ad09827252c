// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that a lowering writes for the steps of one op.
#ifndef KILN_LIB_IMPORT_COUNTEDLOOP_H
#define KILN_LIB_IMPORT_COUNTEDLOOP_H

#include "lib/Import/IrBuilder.h"

namespace kiln {

using LoopBody = llvm::function_ref<llvm::SmallVector<Value>(
    Value number, mlir::ValueRange carried)>;

/// Writes a loop for the numbers 0, 1, ... below a count, all i64 scalars, that
/// carries values from each to the next: `body` gives those for the next one,
/// of the same types. Returns the last ones. It writes no variables.
llvm::SmallVector<Value> countedLoop(IrBuilder &ir, Value count,
                                     mlir::ValueRange first, LoopBody body);

} // namespace kiln

#endif // KILN_LIB_IMPORT_COUNTEDLOOP_H
