// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The contract between kiln-fuse and kiln-bufferize, as a check.
#ifndef KILN_PASSES_BUFFERIZE_FUSEDFORM_H
#define KILN_PASSES_BUFFERIZE_FUSEDFORM_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace kiln::passes {

/// Success when \p function is what kiln-fuse leaves: one block of fusions,
/// runtime calls, reads and writes of variables, reshapes, constants of the
/// table, and branches and loops of such blocks, all on tensors. Errors: a
/// diagnostic at the first op that is not.
mlir::LogicalResult verifyFusedForm(mlir::func::FuncOp function);

} // namespace kiln::passes

#endif // KILN_PASSES_BUFFERIZE_FUSEDFORM_H
