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

} // namespace

Output l1Loss(const Input &values, double scale) {
  return scaledSum(scale, ops::abs(values));
}

Output l2Loss(const Input &values, double scale) {
  return scaledSum(scale, rawOps::square(values));
}

Output l1L2Loss(const Input &values, double l1, double l2) {
  DType dtype = DType::Float32;
  if (const Output *tensor = values.output(); tensor && tensor->node)
    dtype = tensor->dtype();
  else if (auto *data = std::get_if<std::shared_ptr<const VariableData>>(
               &values.value()))
    dtype = Variable::of(*data).dtype();
  Output loss = ops::constant(0.0, {.dtype = dtype});
  if (l1 != 0)
    loss = loss + l1Loss(values, l1);
  if (l2 != 0)
    loss = loss + l2Loss(values, l2);
  return loss;
}

Regularizer l1(double scale) {
  return [=](const Variable &variable) { return l1Loss(variable, scale); };
}

Regularizer l2(double scale) {
  return [=](const Variable &variable) { return l2Loss(variable, scale); };
}

Regularizer l1L2(double l1, double l2) {
  return [=](const Variable &variable) { return l1L2Loss(variable, l1, l2); };
}

} // namespace kiln::regularizers
