// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puts the computation of updates behind what has to come before them.
#ifndef KILN_PASSES_BUFFERIZE_DELAYUPDATES_H
#define KILN_PASSES_BUFFERIZE_DELAYUPDATES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace kiln::passes {

/// Moves a fusion of which a later var_write takes a result behind the last op
/// between the two that may end the run or needs the variable's old value, if
/// nothing needs the fusion's results before: then it may still write the
/// variable itself.
void delayUpdates(mlir::func::FuncOp function);

} // namespace kiln::passes

#endif // KILN_PASSES_BUFFERIZE_DELAYUPDATES_H
