// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kiln-fuse does to a block before it groups the ops.
#ifndef KILN_PASSES_FUSE_CHEAPOPS_H
#define KILN_PASSES_FUSE_CHEAPOPS_H

#include "passes/analysis/RunSymbols.h"

#include "dialect/Kiln.h"

namespace kiln::passes {

/// Ops that every user computes for itself rather than read from memory.
inline bool isCheap(mlir::Operation *op) {
  return ir::reuseOf(op) == ir::Reuse::Inline;
}

/// Ops that stay outside of fusions; terminators among them.
inline bool staysOutside(mlir::Operation *op) {
  return ir::placementOf(op) == ir::Placement::Outside;
}

/// A kernel has something to store.
void eraseDeadOps(mlir::Block &block);

/// Gives every use of a cheap op, and every use of a view, its own copy, so
/// that it joins its user's group: in a branch or a loop where the user is.
/// Nothing but its user says where a splat has its place whose size the run
/// finds out, or perhaps checks: folding puts constants before everything.
void cloneCheapOps(mlir::Block &block, const RunSymbols &runSymbols,
                   bool hasChecks);

} // namespace kiln::passes

#endif // KILN_PASSES_FUSE_CHEAPOPS_H
