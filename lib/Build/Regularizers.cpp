// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regularizers, as TensorFlow's Python adds them.
#include "kiln/Regularizers.h"

#include "kiln/Operators.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/MathOps.h"

namespace kiln::regularizers {
namespace {

Output scaledSum(double scale, const Output &values) {
  return static_cast<double>(static_cast<float>(scale)) *
         ops::reduceSum(values);
}
Output absoluteSum(double scale, const Variable &variable) {
  return scaledSum(scale, ops::abs(variable));
}
Output squareSum(double scale, const Variable &variable) {
  return scaledSum(scale, rawOps::square(variable));
}

} // namespace

Regularizer l1(double scale) {
  return [=](const Variable &variable) { return absoluteSum(scale, variable); };
}

Regularizer l2(double scale) {
  return [=](const Variable &variable) { return squareSum(scale, variable); };
}

Regularizer l1L2(double l1, double l2) {
  return [=](const Variable &variable) {
    Output loss = ops::constant(0.0, {.dtype = variable.dtype()});
    if (l1 != 0)
      loss = loss + absoluteSum(l1, variable);
    if (l2 != 0)
      loss = loss + squareSum(l2, variable);
    return loss;
  };
}

} // namespace kiln::regularizers
