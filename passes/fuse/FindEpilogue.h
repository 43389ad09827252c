// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which ops a contraction's kernel computes along with it.
#ifndef KILN_PASSES_FUSE_FINDEPILOGUE_H
#define KILN_PASSES_FUSE_FINDEPILOGUE_H

#include "mlir/IR/Operation.h"

namespace kiln::passes {

/// The ops behind \p contraction in its block that compute one value from its
/// elements, nothing else of them being needed outside; with the splats and
/// broadcasts that only they use, operands first. As many as can be of those
/// that are free; none where the product itself is needed.
llvm::SmallVector<mlir::Operation *>
findEpilogue(mlir::Operation *contraction,
             llvm::function_ref<bool(mlir::Operation *)> isFree);

} // namespace kiln::passes

#endif // KILN_PASSES_FUSE_FINDEPILOGUE_H
