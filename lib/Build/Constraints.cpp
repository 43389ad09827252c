// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constraints, as TensorFlow's Python adds them.
#include "kiln/Constraints.h"

#include "kiln/Operators.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/MathOps.h"

#include <algorithm>

namespace kiln::constraints {
namespace {

/// Keeps a division by a norm of 0 finite. **Source**: backend.epsilon.
constexpr double epsilon = 1e-7;

Output normOf(const Variable &variable, const Input &axis) {
  Output sum =
      ops::reduceSumOver(rawOps::square(variable), axis, {.keepDims = true});
  Output zero = ops::constant(0.0, {.dtype = variable.dtype()});
  return rawOps::sqrt(rawOps::maximum(sum, zero));
}

Output clipped(const Output &norm, double minValue, double maxValue) {
  return ops::clipByValue(norm, minValue, std::max(minValue, maxValue));
}

} // namespace

Constraint maxNorm(double maxValue, const Input &axis) {
  return [=](const Variable &variable) {
    Output norm = normOf(variable, axis);
    Output desired = clipped(norm, 0, maxValue);
    return variable * (desired / (epsilon + norm));
  };
}

Constraint nonNeg() {
  return [](const Variable &variable) {
    Output kept = rawOps::greaterEqual(variable, 0.0);
    return variable * ops::cast(kept, variable.dtype());
  };
}

Constraint unitNorm(const Input &axis) {
  return [=](const Variable &variable) {
    Output norm = normOf(variable, axis);
    return variable / (epsilon + norm);
  };
}

Constraint minMaxNorm(double minValue, double maxValue, double rate,
                      const Input &axis) {
  return [=](const Variable &variable) {
    Output norm = normOf(variable, axis);
    Output limited = rate * clipped(norm, minValue, maxValue);
    Output desired = limited + (1 - rate) * norm;
    return variable * (desired / (epsilon + norm));
  };
}

} // namespace kiln::constraints
