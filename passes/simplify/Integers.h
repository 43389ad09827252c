// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exact arithmetic on one integer or bool element, as the ops define it.
#ifndef KILN_PASSES_SIMPLIFY_INTEGERS_H
#define KILN_PASSES_SIMPLIFY_INTEGERS_H

#include "dialect/Kiln.h"

#include <optional>

namespace kiln::passes {

/// The element that an elementwise op on bools, i32 and i64 gives; nothing
/// where the op is an error of the run (division by zero, a negative exponent)
/// or is not known here.
std::optional<int64_t> evaluate(mlir::Operation *op,
                                llvm::ArrayRef<int64_t> operands,
                                mlir::Type result);

/// Two elements combined.
int64_t combine(ir::ReduceKind kind, mlir::Type element, int64_t a, int64_t b);

/// What a reduction of no elements gives.
int64_t neutralOf(ir::ReduceKind kind, mlir::Type element);

} // namespace kiln::passes

#endif // KILN_PASSES_SIMPLIFY_INTEGERS_H
