// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moments and what normalizes by them, as TensorFlow's Python adds them.
#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/ControlFlow.h"
#include "kiln/ops/ElementwiseOps.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/MathOps.h"
#include "kiln/ops/NnOps.h"
#include "kiln/ops/Normalization.h"
#include "lib/Build/Ops/Helpers.h"

#include <algorithm>

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
  if (!options.keepDims) {
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
      rawOps::rsqrt(binary("add", valueOf(variance), options.varianceEpsilon));
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

namespace {

/// The axes without repetitions, in the order of a Python set of them.
std::vector<int64_t> asSet(const std::vector<int64_t> &axes) {
  std::vector<int64_t> different;
  for (int64_t axis : axes)
    if (std::ranges::find(different, axis) == different.end())
      different.push_back(axis);
  // The hash of -1 is that of -2; small sets have eight places.
  std::ranges::stable_sort(
      different, {}, [](int64_t axis) { return (axis == -1 ? -2 : axis) & 7; });
  return different;
}

/// How many elements there are over the axes.
Output countOver(const Output &x, const std::vector<int64_t> &axes) {
  int64_t count = 1;
  bool isKnown = x.shape().hasRank();
  for (int64_t axis : axes) {
    int64_t extent = x.shape().dim(static_cast<int>(axis));
    isKnown &= extent >= 0;
    count *= extent;
  }
  if (isKnown)
    return constant(count, {.dtype = x.dtype()});
  Output rank = ops::rank(x);
  std::vector<Input> positive;
  for (int64_t axis : axes)
    positive.emplace_back(axis < 0 ? Input(binary("add", axis, rank))
                                   : Input(axis));
  Output extents = cast(shape(x), x.dtype());
  return reduceProd(gather(extents, Input(positive)), {.name = "count"});
}

} // namespace

SufficientStatistics
sufficientStatistics(const Input &x, const std::vector<int64_t> &axes,
                     const SufficientStatisticsOptions &options) {
  FunctionScope scope(options.name, "sufficient_statistics", {&x});
  Output values = convert(x, "x");
  if (!values.node)
    return {};
  std::vector<int64_t> own = asSet(axes);
  SufficientStatistics found{countOver(values, own), {}, {}, {}};
  if (options.shift) {
    found.shift = convert(*options.shift, "shift");
    found.sum = rawOps::sub(values, found.shift);
    found.sumOfSquares = rawOps::squaredDifference(values, found.shift);
  } else {
    found.sum = values;
    found.sumOfSquares = rawOps::square(values);
  }
  found.sum = reduceSumOver(found.sum, own,
                            {.keepDims = options.keepDims, .name = "mean_ss"});
  found.sumOfSquares =
      reduceSumOver(found.sumOfSquares, own,
                    {.keepDims = options.keepDims, .name = "var_ss"});
  return found;
}

Moments normalizeMoments(const Input &counts, const Input &meanSs,
                         const Input &varianceSs,
                         const std::optional<Input> &shift,
                         const OpOptions &options) {
  FunctionScope scope(options.name, "normalize",
                      {&counts, &meanSs, &varianceSs});
  Output divisor = rawOps::reciprocal(counts, {.name = "divisor"});
  Output shifted, mean;
  if (shift) {
    shifted = rawOps::mul(meanSs, divisor, {.name = "shifted_mean"});
    mean = add(shifted, *shift, {.name = "mean"});
  } else {
    shifted = mean = rawOps::mul(meanSs, divisor, {.name = "mean"});
  }
  Output squares = rawOps::mul(varianceSs, divisor);
  return {mean,
          rawOps::sub(squares, rawOps::square(shifted), {.name = "variance"})};
}

Moments weightedMoments(const Input &x, const std::vector<int64_t> &axes,
                        const Input &frequencyWeights,
                        const WeightedMomentsOptions &options) {
  FunctionScope scope(options.name, "weighted_moments",
                      {&x, &frequencyWeights});
  Output values = convert(x, "x");
  Output weights = convert(frequencyWeights, "frequency_weights");
  if (!values.node || !weights.node)
    return {};
  bool isNarrow = values.dtype() == DType::Float16;
  if (isNarrow)
    values = cast(values, DType::Float32);
  weights = cast(weights, values.dtype());
  auto sum = [&](const Output &tensor, std::string name) {
    return reduceSumOver(tensor, axes,
                         {.keepDims = true, .name = std::move(name)});
  };
  Output total = sum(weights * values, "weighted_input_sum");
  Output all = weights + zerosLike(values);
  Output count = sum(all, "sum_of_weights");
  Output mean = divNoNan(total, count);
  Output distance = rawOps::squaredDifference(values, mean);
  Output variance = divNoNan(sum(weights * distance, "weighted_distsq"), count);
  if (!options.keepDims) {
    mean = squeeze(mean, {.axis = axes});
    variance = squeeze(variance, {.axis = axes});
  }
  if (isNarrow && mean.node && variance.node) {
    mean = cast(mean, DType::Float16);
    variance = cast(variance, DType::Float16);
  }
  return {mean, variance};
}

FusedBatchNormalization
fusedBatchNorm(const Input &x, const Input &scale, const Input &offset,
               const FusedBatchNormalizationOptions &options) {
  GraphScope graph(builderOf(x));
  bool needsMoments = !options.isTraining || options.exponentialAvgFactor != 1;
  if (needsMoments && (!options.mean || !options.variance)) {
    failed(invalidArgumentError(
               "Both `mean` and `variance` must be a 1D tensor when "
               "`is_training` is False or `exponential_avg_factor` != 1.0."),
           options.name.empty() ? "FusedBatchNormV3" : options.name);
    return {};
  }
  Output input = convert(x, "input");
  Output factor = convert(scale, "scale"), added = convert(offset, "offset");
  auto moments = [](const std::optional<Input> &given) {
    return given ? *given : Input(constant(Input(Input::List())));
  };
  Input mean = moments(options.mean), variance = moments(options.variance);
  auto all = rawOps::fusedBatchNormV3(
      input, factor, added, mean, variance,
      {.epsilon = static_cast<float>(options.epsilon),
       .exponentialAvgFactor = static_cast<float>(options.exponentialAvgFactor),
       .dataFormat = options.dataFormat,
       .isTraining = options.isTraining,
       .name = options.name});
  return {all.y, all.batchMean, all.batchVariance};
}

Output batchNormWithGlobalNormalization(const Input &t, const Input &m,
                                        const Input &v, const Input &beta,
                                        const Input &gamma,
                                        double varianceEpsilon,
                                        bool scaleAfterNormalization,
                                        const OpOptions &options) {
  BatchNormalizationOptions inner{
      .offset = beta, .varianceEpsilon = varianceEpsilon, .name = options.name};
  if (scaleAfterNormalization)
    inner.scale = gamma;
  return batchNormalization(t, m, v, inner);
}

} // namespace kiln::ops
