// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// x * sigmoid(beta * x) with a gradient of its own.
#include "kiln/Gradients.h"
#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/ops/ActivationOps.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/MathOps.h"
#include "lib/Build/Ops/Helpers.h"

namespace kiln::ops {
namespace {

/// The gradients of the features and of beta. **Source**: nn_impl.swish.
std::vector<Gradient> swishGradients(const Output &x, const Output &beta,
                                     const Output &given) {
  Output gate;
  {
    ControlScope after({given});
    gate = rawOps::sigmoid(beta * x);
  }
  if (!gate.node)
    return {};
  Output rest = beta * x;
  rest = rest * (1.0 - gate);
  Output slope = gate * (1.0 + rest);
  Output toBeta = given * rawOps::square(x);
  toBeta = toBeta * gate;
  toBeta = reduceSum(toBeta * (1.0 - gate));
  return {given * slope, toBeta};
}

} // namespace

Output swish(const Input &features, const Input &beta) {
  GraphScope graph(builderOf(features));
  Output x = convert(features, "features");
  Output factor = convert(beta, "beta");
  if (!x.node || !factor.node)
    return {};
  factor = cast(factor, x.dtype());
  std::vector<Output> result = customGradient(
      [](const std::vector<Output> &inputs) -> CustomResult {
        const Output x = inputs[0], beta = inputs[1];
        Output gate = rawOps::sigmoid(beta * x);
        return {.outputs = {gate.node ? x * gate : Output()},
                .gradient = [x, beta](const std::vector<Gradient> &given) {
                  return swishGradients(x, beta, given[0].toTensor());
                }};
      },
      {x, factor});
  return result.empty() ? Output() : result[0];
}

} // namespace kiln::ops
