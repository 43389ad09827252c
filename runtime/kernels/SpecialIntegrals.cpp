// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that are integrals: Dawson's, the exponential one, Fresnel's and
// Spence's. All of them in double or wider, by series where these converge fast
// and by expansions for large numbers elsewhere.
#include "runtime/kernels/KernelCall.h"
#include "runtime/kernels/Kernels.h"

#include <cmath>
#include <complex>
#include <limits>

namespace kiln {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

//===--- Dawson's ---------------------------------------------------------===//

/// Near 0 by its series, far from it by the asymptotic one, between them as a
/// sum of Gaussians 2 h apart (Rybicki 1989), whose error is exp(-(pi / 2h)^2).
double dawson(double x) {
  const double size = std::abs(x), square = x * x;
  if (std::isnan(x))
    return x;
  if (size < 0.3) {
    double term = x, sum = x;
    for (int k = 1; std::abs(term) > 1e-18 * std::abs(sum); ++k)
      sum += term *= -2 * square / (2 * k + 1);
    return sum;
  }
  if (size > 8) {
    if (size > 1e9)
      return 0.5 / x;
    double term = 1, sum = 1;
    for (int k = 1; term > 1e-18; ++k)
      sum += term *= (2 * k - 1) / (2 * square);
    return sum * 0.5 / x;
  }
  constexpr double h = 0.25;
  constexpr double rootOfPi = 1.77245385090551602730;
  const int middle = 2 * static_cast<int>(std::lround(size / h / 2));
  double sum = 0;
  for (int n = middle - 25; n <= middle + 25; n += 2) {
    const double distance = size - n * h;
    sum += std::exp(-distance * distance) / n;
  }
  return std::copysign(sum / rootOfPi, x);
}

//===--- The exponential integral -----------------------------------------===//

double exponentialIntegral(double x) {
  // TensorFlow has none of infinity.
  if (std::isnan(x) || x < 0 || x == infinity)
    return nan;
  if (x == 0)
    return -infinity;
  if (x > 750)
    return infinity;
  if (x > 45) {
    double term = 1, sum = 1;
    for (int k = 1; k < x && term > 1e-18; ++k)
      sum += term *= k / x;
    return std::exp(x / 2) * (sum / x) * std::exp(x / 2);
  }
  // In wide numbers, for it has a zero at 0.37.
  constexpr long double euler = 0.577215664901532860606512090082402431L;
  const auto wide = static_cast<long double>(x);
  long double term = 1, sum = 0;
  for (int k = 1; k < 500; ++k) {
    term *= wide / k;
    const long double part = term / k;
    sum += part;
    if (part < 1e-21L * sum)
      break;
  }
  return static_cast<double>(sum + (std::log(wide) + euler));
}

//===--- Fresnel's --------------------------------------------------------===//

struct Fresnel {
  double cosine, sine;
};

/// The integrals of cos and sin of pi / 2 t^2 from 0 to x. From 36974 on both
/// are 1 / 2, as TensorFlow has it.
Fresnel fresnel(double x) {
  const double size = std::abs(x);
  if (std::isnan(x))
    return {x, x};
  Fresnel result{0.5, 0.5};
  if (size < 1.6) {
    const long double square = static_cast<long double>(x) * x;
    const long double angle = static_cast<long double>(M_PI_2l) * square;
    long double term = size, sums[2] = {0, 0};
    for (int k = 0; k < 60; ++k) {
      // term = angle^k / k! * x, with the signs of cos and sin
      sums[k % 2] += (k / 2 % 2 ? -term : term) / (2 * k + 1);
      term *= angle / (k + 1);
      if (k > 0 && term < 1e-22L * size)
        break;
    }
    result = {static_cast<double>(sums[0]), static_cast<double>(sums[1])};
  } else if (size <= 36974) {
    // (1 + i) / 2 * erf(z), z = sqrt(pi) / 2 (1 - i) x, by the continued
    // fraction of erfc.
    using Complex = std::complex<double>;
    const double high = size * size, low = std::fma(size, size, -high);
    const double turns = std::fmod(high, 4) + low;
    const Complex wave(std::cos(M_PI_2 * turns), std::sin(M_PI_2 * turns));
    // erfc(z) = exp(-z^2) / sqrt(pi) * 2z / (2z^2 + 1 - 1*2 / (2z^2 + 5 -
    // ...)).
    const Complex twice(0, -M_PI * high); // 2 z^2
    Complex fraction(0, 0);
    const int terms =
        size > 6 ? 20 : static_cast<int>(200 / (size * size)) + 25;
    for (int k = terms; k > 0; --k)
      fraction = static_cast<double>((2 * k - 1) * (2 * k)) /
                 (twice + static_cast<double>(4 * k + 1) - fraction);
    const Complex z2(std::sqrt(M_PI) * size, -std::sqrt(M_PI) * size);
    const Complex rest =
        wave * z2 / (std::sqrt(M_PI) * (twice + 1.0 - fraction));
    const Complex value = Complex(0.5, 0.5) * (1.0 - rest);
    result = {value.real(), value.imag()};
  }
  return {std::copysign(result.cosine, x), std::copysign(result.sine, x)};
}
double fresnelCos(double x) { return fresnel(x).cosine; }
double fresnelSin(double x) { return fresnel(x).sine; }

//===--- Spence's ---------------------------------------------------------===//

/// The dilogarithm of 1 - exp(-u), for abs(u) <= log 2: a series of Bernoulli's
/// numbers.
double dilogarithm(double u) {
  constexpr double coefficients[] = {1.0 / 36,
                                     -1.0 / 3600,
                                     1.0 / 211680,
                                     -1.0 / 10886400,
                                     1.0 / 526901760,
                                     -691.0 / 16999766784000.0,
                                     1.0 / 1120863744000.0,
                                     -3617.0 / 181400588328960000.0,
                                     43867.0 / 97072790126247936000.0};
  const double square = u * u;
  double sum = 0;
  for (int k = 8; k >= 0; --k)
    sum = coefficients[k] + sum * square;
  return u - square / 4 + u * square * sum;
}

double spence(double x) {
  constexpr double sixthOfPiSquared = 1.64493406684822643647;
  if (std::isnan(x) || x < 0)
    return nan;
  if (x == 0)
    return sixthOfPiSquared;
  if (x < 0.5)
    return sixthOfPiSquared - std::log(x) * std::log1p(-x) -
           dilogarithm(-std::log1p(-x));
  if (x <= 2)
    return dilogarithm(-std::log(x));
  if (x == infinity)
    return nan; // as TensorFlow has it
  const double logarithm = std::log(x - 1);
  return -sixthOfPiSquared - logarithm * logarithm / 2 -
         dilogarithm(-std::log1p(1 / (x - 1)));
}

/// x -> of its shape, of floats: float32 is computed in double, so that its
/// last digit is right.
template <double (*function)(double)>
int32_t ofEach(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  auto compute = [&]<class T>(T) {
    const T *x = call.input<T>(0);
    T *out = call.output<T>(0);
    return call.forEach(call.outputElements(0), [&](int64_t i) {
      out[i] = static_cast<T>(function(static_cast<double>(x[i])));
      return true;
    });
  };
  return call.outputDType(0) == DType::Float32 ? compute(float())
                                               : compute(double());
}

} // namespace

std::vector<Kernel> specialIntegralKernels() {
  constexpr auto total = [](std::string name, KilnKernelFn run) {
    return Kernel{std::move(name), run, /*hasEffects=*/false,
                  /*mayFail=*/false};
  };
  return {total("Dawsn", ofEach<dawson>),
          total("Expint", ofEach<exponentialIntegral>),
          total("FresnelCos", ofEach<fresnelCos>),
          total("FresnelSin", ofEach<fresnelSin>),
          total("Spence", ofEach<spence>)};
}

} // namespace kiln
