// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What must be done before each op of a block: operands, and effects in their
// order.
#ifndef KILN_PASSES_FUSE_SOURCES_H
#define KILN_PASSES_FUSE_SOURCES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace kiln::passes {

/// Found once; only ops of the block count. A branch or a loop needs what the
/// ops inside of it use, and has all of their effects: a read of a variable
/// follows its last write, a write also the reads before it, and other effects
/// (random streams, runtime calls) follow one another. Writes, calls with
/// effects and ops that may fail stay in their order: a run that ends early has
/// done what stands before its end, and no more. Random streams do not: a draw
/// would be kept from the gather that it is multiplied with. Symbols of the run
/// are operands that no operand shows (orderSymbols).
class Sources {
public:
  explicit Sources(mlir::Block &block);

  /// Calls \p visit with every op that must be done before \p op.
  void forEach(mlir::Operation *op,
               llvm::function_ref<void(mlir::Operation *)> visit) const;

private:
  void collectCaptures();
  void orderEffects();

  mlir::Block &block;
  /// Beyond an op's own operands.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Operation *>> more;
};

} // namespace kiln::passes

#endif // KILN_PASSES_FUSE_SOURCES_H
