// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activations as TensorFlow's Python functions add them.
#include "kiln/ops/ActivationOps.h"

#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/MathOps.h"
#include "kiln/ops/NnOps.h"
#include "lib/Build/Ops/Helpers.h"

namespace kiln::ops {

Output crelu(const Input &features, const CReluOptions &options) {
  FunctionScope scope(options.name, "CRelu", {&features});
  Output x = convert(features, "features");
  if (!x.node)
    return {};
  Output below = -x;
  return rawOps::relu(concat({x, below}, options.axis, {.name = scope}));
}

Output leakyRelu(const Input &features, const LeakyReluOptions &options) {
  FunctionScope scope(options.name, "LeakyRelu", {&features});
  Output x = convert(features, "features");
  if (!x.node)
    return {};
  if (isInteger(x.dtype()))
    x = cast(x, DType::Float32);
  return rawOps::leakyRelu(
      x, {.alpha = static_cast<float>(options.alpha), .name = scope});
}

Output xwPlusB(const Input &x, const Input &weights, const Input &biases,
               const OpOptions &options) {
  FunctionScope scope(options.name, "xw_plus_b", {&x, &weights, &biases});
  Output input = convert(x, "x");
  Output matrix = convert(weights, "weights");
  Output offset = convert(biases, "biases");
  return biasAdd(matMul(input, matrix), offset, {.name = scope});
}

Output reluLayer(const Input &x, const Input &weights, const Input &biases,
                 const OpOptions &options) {
  FunctionScope scope(options.name, "relu_layer", {&x, &weights, &biases});
  Output input = convert(x, "x");
  Output matrix = convert(weights, "weights");
  Output offset = convert(biases, "biases");
  return rawOps::relu(biasAdd(matMul(input, matrix), offset), {.name = scope});
}

} // namespace kiln::ops
