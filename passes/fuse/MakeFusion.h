// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kiln-fuse writes for a group of ops.
#ifndef KILN_PASSES_FUSE_MAKEFUSION_H
#define KILN_PASSES_FUSE_MAKEFUSION_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"

namespace kiln::passes {

/// Moves the ops of \p block, each behind those that it needs, into a new
/// fusion before the block's terminator.
void makeFusion(mlir::Block &block, llvm::ArrayRef<mlir::Operation *> ops);

} // namespace kiln::passes

#endif // KILN_PASSES_FUSE_MAKEFUSION_H
