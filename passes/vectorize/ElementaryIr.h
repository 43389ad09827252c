// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The elementary functions and random generators as IR: the operations of
// runtime/elementary/Elementary.h and runtime/random/Random.h on values of the
// arith and math dialects, scalars or vectors of any shape. The code gives the
// bits of the scalar functions on every machine with FMA.
#ifndef KILN_PASSES_VECTORIZE_ELEMENTARYIR_H
#define KILN_PASSES_VECTORIZE_ELEMENTARYIR_H

#include "runtime/elementary/Elementary.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace kiln::ir {

/// Emits the function on operands of one type: f32, f64 or a vector of one of
/// them, fixed or scalable. Fails, without a diagnostic and without emitting
/// anything, for another type or a wrong number of operands.
mlir::FailureOr<mlir::Value>
emitElementary(mlir::OpBuilder &builder, mlir::Location loc,
               elementary::ElementaryFunction function,
               mlir::ValueRange operands);

/// Whether the op is one of Elementary.def's functions.
bool isElementary(mlir::Operation &op);

/// Where a stretch of a random stream begins, as scalars of i32: what
/// reserveRandom wrote.
struct PhiloxValues {
  mlir::Value counter[4];
  mlir::Value key[2];
};

enum class RandomDistribution { Uniform, Normal };

/// Emits the outputs of a random op at `index`, an i64 or a vector of i64 in
/// any order of lanes; the result is f32 or f64 (`elementType`) of the same
/// shape. Every lane computes a whole sample.
mlir::Value emitRandom(mlir::OpBuilder &builder, mlir::Location loc,
                       RandomDistribution distribution,
                       const PhiloxValues &state, mlir::Value index,
                       mlir::Type elementType);

/// Floats in memory that emitRandomRun() uses.
inline constexpr int64_t randomRunElements = 32;

/// Emits the 16 outputs of a random op on f32 from number `first`, an i64, on,
/// with one computation for each of their samples. \p buffer: a memref of
/// randomRunElements f32.
mlir::Value emitRandomRun(mlir::OpBuilder &builder, mlir::Location loc,
                          RandomDistribution distribution,
                          const PhiloxValues &state, mlir::Value first,
                          mlir::Value buffer);

/// Emits the outputs of RandomUniformInt at `index`; `low` and `high` are
/// scalars of i32 or i64, the result's element type. Where high equals low,
/// which the op reports as an error, the value is low.
mlir::Value emitRandomInt(mlir::OpBuilder &builder, mlir::Location loc,
                          const PhiloxValues &state, mlir::Value index,
                          mlir::Value low, mlir::Value high);

/// The same of i32 for the 16 outputs from number `first` on, as
/// emitRandomRun().
mlir::Value emitRandomInt32Run(mlir::OpBuilder &builder, mlir::Location loc,
                               const PhiloxValues &state, mlir::Value first,
                               mlir::Value low, mlir::Value high,
                               mlir::Value buffer);

} // namespace kiln::ir

#endif // KILN_PASSES_VECTORIZE_ELEMENTARYIR_H
