// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which values are cheaper to compute twice than to keep in memory.
#ifndef KILN_PASSES_FUSE_RECOMPUTE_H
#define KILN_PASSES_FUSE_RECOMPUTE_H

#include "mlir/IR/Operation.h"

namespace kiln::passes {

/// The ops that compute an op's value again outside of its group: itself behind
/// the broadcasts and splats that it takes. None where that would read more
/// than the value: it has to be a sum, a difference or a product of floats that
/// the group itself uses, of one tensor that lies in memory and of what is
/// repeated. So a normalization reads x again, and x - mean is not stored.
llvm::SmallVector<mlir::Operation *>
opsToRecompute(mlir::Operation *op,
               llvm::function_ref<bool(mlir::Operation *)> isInGroup);

} // namespace kiln::passes

#endif // KILN_PASSES_FUSE_RECOMPUTE_H
