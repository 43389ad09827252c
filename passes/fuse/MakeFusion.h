// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kiln-fuse writes for a group of ops.
#ifndef KILN_PASSES_FUSE_MAKEFUSION_H
#define KILN_PASSES_FUSE_MAKEFUSION_H

#include "passes/fuse/Sources.h"

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"

namespace kiln::passes {

/// What is emitted as one: a group of ops, each behind those that it needs, or
/// an op outside of all groups.
struct FusionUnit {
  llvm::SmallVector<mlir::Operation *> ops;
  bool fused = false;
};

/// Makes a fusion of each group, and brings all that \p block has into an order
/// that its sources allow.
void makeFusions(mlir::Block &block, llvm::ArrayRef<FusionUnit> units,
                 const Sources &sources);

} // namespace kiln::passes

#endif // KILN_PASSES_FUSE_MAKEFUSION_H
