// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constraints: functions that bring variables back within limits after a step.
#ifndef KILN_CONSTRAINTS_H
#define KILN_CONSTRAINTS_H

#include "kiln/Variable.h"

namespace kiln::constraints {

// Norms are Euclidean, over the axes: of a dense layer's kernel axis 0, of an
// image convolution's {0, 1, 2}, so that they are those of the units.

/// Norms of at most this. **Source**: tf.keras.constraints.max_norm.
KILN_EXPORT Constraint maxNorm(double maxValue = 2, const Input &axis = 0);
/// Zeros for what is below 0. **Source**: tf.keras.constraints.non_neg.
KILN_EXPORT Constraint nonNeg();
/// Norms of 1. **Source**: tf.keras.constraints.unit_norm.
KILN_EXPORT Constraint unitNorm(const Input &axis = 0);
/// Norms between the limits, or with a rate below 1 nearer to them. **Source**:
/// tf.keras.constraints.min_max_norm.
KILN_EXPORT Constraint minMaxNorm(double minValue = 0, double maxValue = 1,
                                  double rate = 1, const Input &axis = 0);

} // namespace kiln::constraints

#endif // KILN_CONSTRAINTS_H
