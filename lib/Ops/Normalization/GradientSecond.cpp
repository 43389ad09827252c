// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of the gradients of batch normalization.
#include "lib/Ops/Normalization/GradientSecond.h"

#include "lib/Autodiff/GradientCall.h"

namespace kiln {
namespace {

/// Sums over all axes but that of the channels, and channels beside elements.
class Channels {
public:
  explicit Channels(std::string_view format) {
    int rank = static_cast<int>(format.size());
    isFirst = format.starts_with("NC");
    for (int axis = 0; axis < rank; ++axis) {
      bool isChannel = axis == (isFirst ? 1 : rank - 1);
      beside.push_back(isChannel ? -1 : 1);
      if (!isChannel)
        others.push_back(axis);
    }
  }
  Output sum(const Output &x) const {
    return spread(ops::reduceSum(x, vectorOf(others)));
  }
  Output mean(const Output &x) const {
    return spread(ops::reduceMean(x, vectorOf(others)));
  }
  Output spread(const Output &channels) const {
    return isFirst ? addOp("Reshape", {channels, vectorOf(beside)}) : channels;
  }
  Output flat(const Output &channels) const {
    return isFirst ? addOp("Reshape", {channels, vectorOf({-1})}) : channels;
  }

private:
  bool isFirst = false;
  std::vector<int32_t> others, beside;
};

} // namespace

/// With r = rsqrt(var(x) + e), x' = x - mean(x), g' = g - mean(g) and
/// m = mean(g x'), FusedBatchNormGrad gives
///   dx = scale r (g' - r^2 m x'), dscale = r sum(g x'), doffset = sum(g),
/// and outside of training, with given mean and variance, dx = scale r g. As in
/// TensorFlow mean and variance count as functions of x, not as inputs.
/// **Source**: _FusedBatchNormGradGrad.
void batchNormSecondGradient(GradientCall &call) {
  Channels channels(call.attr<std::string>("data_format", "NHWC"));
  double epsilon = call.attr<float>("epsilon", 1e-4f);
  DType dtype = call.in(1).dtype();
  auto wide = [](const Output &x) { return ops::cast(x, DType::Float32); };
  Output g = wide(call.in(0)), x = wide(call.in(1));
  Output scale = channels.spread(call.in(2));
  Output a = wide(call.grad(0)), b = channels.spread(call.grad(1)),
         c = channels.spread(call.grad(2));
  Output dg, dx, dscale;
  if (call.attr<bool>("is_training", true)) {
    Output centered = x - channels.mean(x), gCentered = g - channels.mean(g);
    Output variance = channels.mean(addOp("Square", {centered}));
    Output r = addOp("Rsqrt", {variance + epsilon}), r2 = r * r;
    Output m = channels.mean(g * centered), aCentered = a - channels.mean(a);
    // Means over the elements of a channel.
    Output s = channels.mean(a * gCentered), p = channels.mean(a * centered);
    dg = scale * r * (aCentered - r2 * p * centered) + b * r * centered + c;
    dx = scale * r * r2 *
             ((3.0 * r2 * m * p - s) * centered - p * gCentered -
              m * aCentered) +
         b * r * (gCentered - r2 * m * centered);
    dscale = r * channels.sum(a * (gCentered - r2 * m * centered));
  } else {
    Output r = addOp("Rsqrt", {channels.spread(call.in(4)) + epsilon});
    Output centered = x - channels.spread(call.in(3));
    dg = r * (a * scale + b * centered) + c;
    dx = b * r * g;
    dscale = channels.sum(a * g * r);
  }
  call.set(0, ops::cast(dg, dtype));
  call.set(1, ops::cast(dx, dtype));
  call.set(2, channels.flat(dscale));
}

} // namespace kiln
