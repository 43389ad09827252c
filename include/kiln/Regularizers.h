// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regularizers: functions that make losses of variables.
#ifndef KILN_REGULARIZERS_H
#define KILN_REGULARIZERS_H

#include "kiln/Variable.h"

#include <functional>

namespace kiln {

/// A variable's loss, which goes into the collection "regularization_losses"
/// when the variable is made. An empty one is none. **Source**:
/// tf.get_variable(regularizer=...), tf.no_regularizer.
using Regularizer = std::function<Output(const Variable &variable)>;

namespace regularizers {

// As float32, whatever the variable is.

/// scale * sum(|w|). **Source**: tf.keras.regularizers.l1.
KILN_EXPORT Regularizer l1(double scale = 0.01);
/// scale * sum(w * w). **Source**: tf.keras.regularizers.l2.
KILN_EXPORT Regularizer l2(double scale = 0.01);
/// The sum of both. **Source**: tf.keras.regularizers.l1_l2.
KILN_EXPORT Regularizer l1L2(double l1 = 0.01, double l2 = 0.01);

/// What l1(), l2() and l1L2() make of a variable, for any tensor.
KILN_EXPORT Output l1Loss(const Input &values, double scale = 0.01);
KILN_EXPORT Output l2Loss(const Input &values, double scale = 0.01);
KILN_EXPORT Output l1L2Loss(const Input &values, double l1 = 0.01,
                            double l2 = 0.01);

} // namespace regularizers
} // namespace kiln

#endif // KILN_REGULARIZERS_H
