// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moments and what normalizes by them, as TensorFlow's Python adds them.
#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/ControlFlow.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/MathOps.h"
#include "kiln/ops/NnOps.h"
#include "lib/Build/Ops/Helpers.h"

namespace kiln::ops {
Moments moments(const Input &x, const std::vector<int64_t> &axes,
                const MomentsOptions &options) {
  FunctionScope scope(options.name, "moments", {&x});
  Output given = valueOf(x);
  if (!given.node)
    return {};
  DType dtype = given.dtype();
  bool isNarrow = dtype == DType::Float16;
  Output y = isNarrow ? cast(given, DType::Float32) : given;
  Output mean =
      reduceMeanOver(y, Input(axes), {.keepDims = true, .name = "mean"});
  Output distance = rawOps::squaredDifference(y, rawOps::stopGradient(mean));
  Output variance = reduceMeanOver(distance, Input(axes),
                                   {.keepDims = true, .name = "variance"});
  if (!options.keepDims && !axes.empty()) {
    mean = squeeze(mean, {.axis = axes});
    variance = squeeze(variance, {.axis = axes});
  }
  if (isNarrow) {
    mean = cast(mean, dtype);
    variance = cast(variance, dtype);
  }
  return {mean, variance};
}

Output batchNormalization(const Input &x, const Input &mean,
                          const Input &variance,
                          const BatchNormalizationOptions &options) {
  FunctionScope scope(options.name, "batchnorm", {&x, &mean, &variance});
  Output inverse =
      rawOps::rsqrt(binary("add", variance, options.varianceEpsilon));
  if (options.scale)
    inverse = binary("mul", inverse, *options.scale);
  Output values = valueOf(x);
  if (!inverse.node || !values.node)
    return {};
  Output scaled = binary("mul", values, cast(inverse, values.dtype()));
  Output shift;
  if (options.offset) {
    Output product = binary("mul", mean, inverse);
    shift = binary("sub", *options.offset, product);
  } else {
    shift = binary("mul", detail::unaryOperator("Neg", valueOf(mean)), inverse);
  }
  return scaled + cast(shift, values.dtype());
}

Output l2Normalize(const Input &x, const L2NormalizeOptions &options) {
  FunctionScope scope(options.name, "l2_normalize", {&x});
  Output values = convert(x, "x");
  if (!values.node)
    return {};
  Output squares = rawOps::square(values);
  Output sum = options.axis
                   ? reduceSumOver(squares, *options.axis, {.keepDims = true})
                   : reduceSum(squares, {.keepDims = true});
  Output inverse = rawOps::rsqrt(rawOps::maximum(sum, options.epsilon));
  return multiply(values, inverse, {.name = scope});
}

} // namespace kiln::ops
