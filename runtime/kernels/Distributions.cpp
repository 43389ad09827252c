// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of the gamma, the Poisson and the binomial distribution.
//
// Each output draws from a place of its own, so that the numbers do not depend
// on what computes them: output i of all those of one parameter, then of the
// next, begins 256 blocks behind the one before it. The algorithms and the
// order in which they draw are TensorFlow's (random_op.cc,
// random_poisson_op.cc, random_binomial_op.cc); where its loops never end,
// because no number is accepted, the output is NaN.
#include "runtime/kernels/Draws.h"
#include "runtime/kernels/KernelCall.h"
#include "runtime/kernels/Kernels.h"

#include <cmath>
#include <limits>
#include <unsupported/Eigen/SpecialFunctions>

namespace kiln {
namespace {

using random::DoubleDraws;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Calls `draw(parameter, output's number)` for each output : [samples...,
/// parameters...] x float64.
template <class Draw>
int32_t drawEach(const KernelCall &call, int64_t parameters,
                 Draw &&draw) noexcept {
  const int64_t outputs = call.outputElements(0);
  if (outputs == 0)
    return 0;
  const int64_t samples = outputs / parameters;
  double *out = call.output<double>(0);
  return call.forEach(outputs, [&](int64_t i) {
    const int64_t parameter = i / samples, sample = i % samples;
    out[sample * parameters + parameter] = draw(parameter, i);
    return true;
  });
}

DoubleDraws drawsOf(const KernelCall &call, int64_t output,
                    uint64_t blocksEach = 256) noexcept {
  return {*call.input<random::PhiloxState>(0),
          static_cast<uint64_t>(output) * blocksEach};
}

//===--- Gamma ------------------------------------------------------------===//

/// By Marsaglia and Tsang's method; for alpha < 1 that of alpha + 1, times a
/// power.
double drawGamma(double alpha, DoubleDraws draws) noexcept {
  if (alpha == 1)
    return -std::log1p(-draws.uniform());
  const bool isSmall = alpha < 1;
  const double d = alpha + (isSmall ? 2.0 / 3 : -1.0 / 3);
  const double c = 1.0 / 3 / std::sqrt(d);
  if (!(d > 0))
    return nan;
  for (;;) {
    const double x = draws.normal();
    double v = 1 + c * x;
    if (v <= 0)
      continue;
    v = v * v * v;
    const double u = draws.uniform();
    if (u < 1 - 0.0331 * (x * x) * (x * x) ||
        std::log(u) < 0.5 * x * x + d * (1 - v + std::log(v))) {
      const double result = d * v;
      return isSmall ? result * std::pow(draws.uniform(), 1 / alpha) : result;
    }
  }
}

/// state, alpha : float64 -> [samples..., alpha's] x float64
int32_t gamma(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  const double *alpha = call.input<double>(1);
  return drawEach(call, call.inputElements(1), [&](int64_t at, int64_t output) {
    return drawGamma(alpha[at], drawsOf(call, output));
  });
}

//===--- Poisson ----------------------------------------------------------===//

/// Knuth's method below 10, else Hörmann's transformed rejection.
double drawPoisson(double rate, DoubleDraws draws) noexcept {
  if (!std::isfinite(rate))
    return rate > 0 ? rate : rate < 0 ? 0 : nan;
  if (rate < 10) {
    const double limit = std::exp(-rate);
    double product = 1;
    for (double count = 0;; ++count)
      if ((product *= draws.uniform()) <= limit)
        return count;
  }
  const double logRate = std::log(rate);
  const double b = 0.931 + 2.53 * std::sqrt(rate);
  const double a = -0.059 + 0.02483 * b;
  const double inverseAlpha = 1.1239 + 1.1328 / (b - 3.4);
  for (;;) {
    const double u = draws.uniform() - 0.5, v = draws.uniform();
    const double shifted = 0.5 - std::abs(u);
    const double k = std::floor((2 * a / shifted + b) * u + rate + 0.43);
    if (shifted >= 0.07 && v <= 0.9277 - 3.6224 / (b - 2))
      return k;
    if (k < 0 || (shifted < 0.013 && v > shifted))
      continue;
    const double s = std::log(v * inverseAlpha / (a / (shifted * shifted) + b));
    const double t = -rate + k * logRate - Eigen::numext::lgamma(k + 1);
    if (s <= t)
      return k;
  }
}

/// state, rates : float64 -> [samples..., rates'] x float64
int32_t poisson(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  const double *rate = call.input<double>(1);
  return drawEach(call, call.inputElements(1), [&](int64_t at, int64_t output) {
    return drawPoisson(rate[at], drawsOf(call, output));
  });
}

//===--- Binomial ---------------------------------------------------------===//

/// Counts the geometric numbers whose sum is not above `count`.
double invertBinomial(double count, double p, DoubleDraws draws) noexcept {
  double sum = 0;
  for (double number = 0;; ++number) {
    sum += std::ceil(std::log(draws.uniform()) / std::log1p(-p));
    if (sum > count)
      return number;
  }
}

double stirlingTail(double k) noexcept {
  constexpr double tails[] = {0.0810614667953272,  0.0413406959554092,
                              0.0276779256849983,  0.02079067210376509,
                              0.0166446911898211,  0.0138761288230707,
                              0.0118967099458917,  0.0104112652619720,
                              0.00925546218271273, 0.00833056343336287};
  if (k <= 9)
    return tails[k > 0 ? static_cast<int>(k) : 0];
  const double square = (k + 1) * (k + 1);
  return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (k + 1);
}

/// Hörmann's transformed rejection.
double rejectBinomial(double count, double p, DoubleDraws draws) noexcept {
  const double deviation = std::sqrt(count * p * (1 - p));
  const double b = 1.15 + 2.53 * deviation;
  const double a = -0.0873 + 0.0248 * b + 0.01 * p;
  const double c = count * p + 0.5;
  const double vBox = 0.92 - 4.2 / b;
  const double ratio = p / (1 - p);
  const double alpha = (2.83 + 5.1 / b) * deviation;
  const double m = std::floor((count + 1) * p);
  for (;;) {
    const double first = draws.uniform();
    double v = draws.uniform();
    const double u = first - 0.5;
    const double us = 0.5 - std::abs(u);
    const double k = std::floor((2 * a / us + b) * u + c);
    if (us >= 0.07 && v <= vBox)
      return k;
    if (k < 0 || k > count)
      continue;
    v = std::log(v * alpha / (a / (us * us) + b));
    const double bound =
        (m + 0.5) * std::log((m + 1) / (ratio * (count - m + 1))) +
        (count + 1) * std::log((count - m + 1) / (count - k + 1)) +
        (k + 0.5) * std::log(ratio * (count - k + 1) / (k + 1)) +
        stirlingTail(m) + stirlingTail(count - m) - stirlingTail(k) -
        stirlingTail(count - k);
    if (v <= bound)
      return k;
  }
}

/// T: in which count times p is rounded.
template <class T>
double drawBinomial(const KernelCall &call, T count, T p,
                    int64_t output) noexcept {
  // How far apart the outputs of the two methods are.
  constexpr uint64_t blocksToInvert = 42, blocksToReject = 256;
  const auto number = static_cast<double>(count);
  if (number <= 0 || p <= T(0))
    return 0;
  if (p >= T(1))
    return number;
  if (std::isnan(number) || std::isnan(static_cast<double>(p)))
    return nan;
  const bool isTurned = p > T(0.5);
  const T q = isTurned ? T(1) - p : p;
  const auto chance = static_cast<double>(q);
  const double result =
      static_cast<T>(count * q) >= T(10)
          ? rejectBinomial(number, chance,
                           drawsOf(call, output, blocksToReject))
          : invertBinomial(number, chance,
                           drawsOf(call, output, blocksToInvert));
  return isTurned ? number - result : result;
}

template <class T, class Stored>
int32_t drawBinomials(const KernelCall &call) noexcept {
  const Stored *count = call.input<Stored>(1), *p = call.input<Stored>(2);
  return drawEach(call, call.inputElements(1), [&](int64_t at, int64_t output) {
    return drawBinomial(call, static_cast<T>(count[at]), static_cast<T>(p[at]),
                        output);
  });
}

/// state, counts, probabilities of one shape -> [samples..., theirs] x float64;
/// [whether they are float16]
int32_t binomial(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  if (call.number(0))
    return drawBinomials<Eigen::half, float>(call);
  return call.inputDType(1) == DType::Float32
             ? drawBinomials<float, float>(call)
             : drawBinomials<double, double>(call);
}

} // namespace

std::vector<Kernel> distributionKernels() {
  constexpr auto total = [](std::string name, KilnKernelFn run) {
    return Kernel{std::move(name), run, /*hasEffects=*/false,
                  /*mayFail=*/false};
  };
  return {total("DrawBinomial", binomial), total("DrawGamma", gamma),
          total("DrawPoisson", poisson)};
}

} // namespace kiln
