// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much loops do, in operations (ir::operationsPerMicrosecond): for passes
// that decide, and for code that decides in the run.
#ifndef KILN_PASSES_ANALYSIS_LOOPWORK_H
#define KILN_PASSES_ANALYSIS_LOOPWORK_H

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <cstdint>

namespace kiln::passes {

/// What a piece of code does at least and at most: what depends on the run's
/// shapes is nothing at least and endless at most. Saturates.
struct Work {
  uint64_t least = 0, most = 0;
  Work &operator+=(Work other);
  Work operator*(Work other) const;
};

/// Tells that a loop has at most so many iterations, where its bounds do not
/// show it: it needs no poll of its own, and its work is what it is at most.
void setMostIterations(mlir::scf::ForOp loop, int64_t iterations);

/// The number of iterations of a loop.
Work iterationsOf(mlir::scf::ForOp loop);

/// Operations. Each op is one, and what its regions hold; loops take their
/// iterations.
Work workOf(mlir::Block &block);
Work workOf(mlir::Operation &op);

/// The number of iterations as an index value.
mlir::Value emitIterations(mlir::OpBuilder &builder, mlir::scf::ForOp loop);

/// The operations of an iteration as an index value in front of it, never
/// 0. A loop inside whose bounds only an iteration knows counts its most
/// iterations, or 64 where these are not told.
mlir::Value emitWorkOfTurn(mlir::OpBuilder &builder, mlir::scf::ForOp loop);

} // namespace kiln::passes

#endif // KILN_PASSES_ANALYSIS_LOOPWORK_H
