// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The binary counter of runtime/arithmetic/ReductionOrder.h, as IR.
#ifndef KILN_PASSES_VECTORIZE_BLOCKCOUNTER_H
#define KILN_PASSES_VECTORIZE_BLOCKCOUNTER_H

#include "passes/vectorize/Elements.h"

#include "mlir/IR/Builders.h"

namespace kiln::passes {

/// Allocates an array of \p count values of each type, at the start of the
/// function that \p builder stands in.
llvm::SmallVector<mlir::Value> allocateSums(mlir::OpBuilder &builder,
                                            mlir::Location loc, int64_t count,
                                            mlir::TypeRange types);
/// The values at \p at of the arrays.
llvm::SmallVector<mlir::Value> loadSums(mlir::OpBuilder &builder,
                                        mlir::Location loc,
                                        mlir::ValueRange arrays,
                                        mlir::Value at);
void storeSums(mlir::OpBuilder &builder, mlir::Location loc,
               mlir::ValueRange values, mlir::ValueRange arrays,
               mlir::Value at);

/// Combines block values pairwise in stack memory. One counter serves all
/// values that are reduced in the same loop.
class BlockCounter {
public:
  /// Allocates the stacks at the start of the function that \p builder stands
  /// in.
  BlockCounter(mlir::OpBuilder &builder, mlir::Location loc,
               llvm::ArrayRef<Combination> kinds, mlir::TypeRange types);

  /// Adds the values of block number \p block (an index).
  void push(mlir::OpBuilder &builder, mlir::Value block,
            mlir::ValueRange values);

  /// The totals of \p blocks blocks (an index); neutral values where there are
  /// none.
  llvm::SmallVector<mlir::Value> finish(mlir::OpBuilder &builder,
                                        mlir::Value blocks);

private:
  mlir::Location loc;
  llvm::SmallVector<Combination> kinds;
  llvm::SmallVector<mlir::Type> types;
  llvm::SmallVector<mlir::Value> stacks;
};

} // namespace kiln::passes

#endif // KILN_PASSES_VECTORIZE_BLOCKCOUNTER_H
