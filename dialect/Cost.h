// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cost model: what ops, loops and compiling take, for decisions by it.
//
// Each number is here or in Cost.def, with its unit and where it comes from.
// Estimates are right to within a factor of about three.
#ifndef KILN_DIALECT_COST_H
#define KILN_DIALECT_COST_H

#include "dialect/OpFacts.h"

namespace kiln::ir {

/// A row of Cost.def.
struct StepCost {
  double flops, nanoseconds;
  int64_t vectorOps;
  double evaluatorNanoseconds, compileNanoseconds;
};
const StepCost &stepCost(CostKind kind);

/// Arithmetic's for an op that is no TensorOp.
const StepCost &stepCost(mlir::Operation *op);

/// The product of the extents, each unknown one taken as `unknown`.
double elementsOf(llvm::ArrayRef<Extent> extents, double unknown);

/// What native code takes for a TensorOp on one thread, in nanoseconds.
double nativeNanoseconds(mlir::Operation *op, double unknown);

/// Tells how much longer than native code the evaluator takes for the op, both
/// on so many threads, in nanoseconds: calls `add` with the products of a
/// factor and extents that add up to it.
void evaluatorExcess(
    mlir::Operation *op, int threads,
    llvm::function_ref<void(double, llvm::ArrayRef<Extent>)> add);

/// What making native code takes once a module is decomposed, in nanoseconds on
/// the low side (two-core EPYC, November 2026: 12 ms for a chain of ten
/// elementwise ops), and what one more op adds, where its code is not shared.
inline constexpr double nativeCompileNanoseconds = 8'000'000;
/// The first compilation of a process takes so much longer: libLLVM's pages and
/// tables (the same machine).
inline constexpr double coldCompileNanoseconds = 8'000'000;
double nativeCompileTime(mlir::Operation *op);

/// Reading and writing an element once more, in nanoseconds (measured as the
/// numbers of Cost.def).
inline constexpr double copyNanoseconds = 0.3;

/// Loops are estimated by their operations, whatever each does: so many take a
/// microsecond (one operation on a vector or an address a cycle of 3 GHz).
inline constexpr int64_t operationsPerMicrosecond = 3'000;
/// Loops of so many are worth sharing: waking a parked worker costs the caller
/// 7 us and takes 20 us (two-core EPYC, November 2026), and below about 50 us
/// of work one thread is faster. A chunk is at least 2 us of work.
inline constexpr int64_t minSharedOperations = 50 * operationsPerMicrosecond,
                         minChunkOperations = 2 * operationsPerMicrosecond;

/// Results as large as the last cache are stored past it. What is taken for its
/// size where the code is for no machine that is known. Behind a last cache of
/// 32 MiB (Zen 4, two threads, 26 November 2026), streamed stores make 16, 32
/// and 64 MiB faster by factors of 0.73, 1.4 and 1.4 (2 * x + 1), 1.4, 2.2
/// and 2.6 (transpose), 1.1, 1.4 and 1.4 (concat), and 8 MiB slower, by factors
/// of 2.9, 1.4 and 1.3.
inline constexpr int64_t assumedLastCacheBytes = int64_t(32) << 20;

/// What LLVM takes for each instruction that it gets, and for each op of a
/// large graph, copies for unrolling included, in nanoseconds (two-core EPYC,
/// November 2026, test/unit/Session/LargeGraphTest.cpp).
inline constexpr int64_t compileNanosecondsPerInstruction = 50'000;
inline constexpr int64_t compileNanosecondsPerOp = 80'000;

} // namespace kiln::ir

#endif // KILN_DIALECT_COST_H
