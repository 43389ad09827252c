// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of samples by the parameters of their distributions, at the same
// place of the distribution function (Figurnov et al., 2018: implicit
// reparameterization).
#include "lib/Autodiff/GradientCall.h"

#include <cmath>
#include <limits>

namespace kiln {
namespace {

/// alpha's gradient: the sum over the axes that the shape put before it.
void setAlphaGradient(GradientCall &call, int alpha, const Output &axes) {
  Output dy = call.grad();
  ControlScope after({dy});
  Output shape =
      ops::concat({ops::ones(ops::expandDims(axes, 0), {.dtype = DType::Int32}),
                   ops::shape(call.in(alpha))},
                  0);
  Output broadcastable = addOp("Reshape", {call.in(alpha), shape});
  Output partial = addOp("RandomGammaGrad", {broadcastable, call.out()});
  call.set(alpha, ops::reduceSum(dy * partial, ops::range(0, axes)));
}

/// **Source**: _RandomGammaGrad: the samples lie before alpha's axes.
void gammaGradient(GradientCall &call) {
  setAlphaGradient(call, 1, ops::shape(call.in(0))[{0}]);
}

/// **Source**: _StatelessGammaGradAlpha: the shape is the result's.
void statelessGammaGradient(GradientCall &call) {
  int alpha = call.node.op() == "StatelessRandomGammaV2" ? 2 : 4;
  setAlphaGradient(call, alpha,
                   ops::shape(call.in(0))[{0}] - ops::rank(call.in(alpha)));
}

/// The normal distribution function. **Source**: _Ndtr.
Output normalCdf(const Output &x) {
  const double halfRoot = 0.5 * std::sqrt(2.0);
  Output w = x * halfRoot, z = addOp("Abs", {w});
  Output tail = addOp("Erfc", {z});
  Output outer = ops::where(w > 0.0, 2.0 - tail, tail);
  return 0.5 * ops::where(z < halfRoot, 1.0 + addOp("Erf", {w}), outer);
}

/// **Source**: _StatelessParameterizedTruncatedNormalGrad.
void truncatedNormalGradient(GradientCall &call) {
  Output mean = call.in(2), stddev = call.in(3), sample = call.out();
  Output dy = call.grad();
  ControlScope after({dy});
  auto standard = [&](const Output &x) { return (x - mean) / stddev; };
  Output low = standard(call.in(4)), high = standard(call.in(5));
  Output at = standard(sample);
  Output cdf =
      (normalCdf(at) - normalCdf(low)) / (normalCdf(high) - normalCdf(low));
  bool isDouble = mean.dtype() == DType::Float64;
  bool isHalf = mean.dtype() == DType::Float16;
  double tiny = isDouble ? std::numeric_limits<double>::min()
                : isHalf ? std::ldexp(1.0, -14)
                         : double(std::numeric_limits<float>::min());
  double epsilon = isDouble ? std::numeric_limits<double>::epsilon()
                   : isHalf ? std::ldexp(1.0, -10)
                            : double(std::numeric_limits<float>::epsilon());
  cdf = ops::clipByValue(cdf, tiny, 1 - epsilon);
  auto square = [](const Output &x) { return addOp("Square", {x}); };
  auto weight = [&](const Output &bound, const Output &logarithm) {
    return addOp("Exp", {0.5 * (square(at) - square(bound)) + logarithm});
  };
  Output partials[] = {ops::onesLike(at), at,
                       weight(low, addOp("Log1p", {-cdf})),
                       weight(high, addOp("Log", {cdf}))};
  Output shapes[4], broadcast;
  for (int i = 0; i < 4; ++i) {
    shapes[i] = ops::shape(call.in(i + 2));
    broadcast =
        i == 0 ? shapes[0] : addOp("BroadcastArgs", {shapes[i], broadcast});
  }
  Output extra = ops::range(0, ops::size(call.in(0)) - ops::size(broadcast));
  for (int i = 0; i < 4; ++i) {
    Output sum = ops::reduceSum(dy * partials[i], extra);
    Output axes =
        addOpOutputs("BroadcastGradientArgs", {broadcast, shapes[i]}, 2)[1];
    sum = ops::reduceSum(sum, axes, {.keepDims = true});
    call.set(i + 2, addOp("Reshape", {sum, shapes[i]}));
  }
}

} // namespace

void registerRandomGradients(GradientRegistry &registry) {
  registry.add({"RandomGamma"}, gammaGradient);
  registry.add({"StatelessRandomGammaV2", "StatelessRandomGammaV3"},
               statelessGammaGradient);
  registry.add({"StatelessParameterizedTruncatedNormal"},
               truncatedNormalGradient);
}

} // namespace kiln
