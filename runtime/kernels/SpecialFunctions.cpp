// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of mathematics that no loop computes: the gamma function and its
// kin, the inverse of erf, zeta, Bessel functions. All of them in double.
#include "runtime/kernels/KernelCall.h"
#include "runtime/kernels/Kernels.h"

#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>
#include <unsupported/Eigen/SpecialFunctions>

namespace kiln {
namespace {

namespace numext = Eigen::numext;

/// A denormal number counts as half the smallest one: so does TensorFlow. It is
/// told by its bits, for it compares as 0.
template <class T> double lgammaOf(T x) {
  using Limits = std::numeric_limits<T>;
  using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  constexpr int smallest = Limits::min_exponent - Limits::digits;
  const Bits size = std::bit_cast<Bits>(x) << 1;
  if (size != 0 && size < std::bit_cast<Bits>(Limits::min()) << 1)
    return (1 - smallest) * M_LN2;
  return numext::lgamma(static_cast<double>(x));
}
double digamma(double x) { return numext::digamma(x); }
double ndtri(double x) {
  return x < 0 || x > 1 ? std::numeric_limits<double>::quiet_NaN()
                        : numext::ndtri(x);
}
/// Near 0, where (x + 1) / 2 would lose x, by the first terms of its series.
double erfinv(double x) {
  constexpr double halfRootOfPi = 0.88622692545275801365;
  if (std::abs(x) < 1e-5)
    return x * halfRootOfPi * (1 + x * x * (halfRootOfPi * halfRootOfPi / 3));
  return ndtri((x + 1) / 2) * M_SQRT1_2;
}
double besselI0(double x) { return numext::bessel_i0(x); }
double besselI0e(double x) { return numext::bessel_i0e(x); }
double besselI1(double x) { return numext::bessel_i1(x); }
double besselI1e(double x) { return numext::bessel_i1e(x); }
double besselJ0(double x) { return numext::bessel_j0(x); }
double besselJ1(double x) { return numext::bessel_j1(x); }
double besselK0(double x) { return numext::bessel_k0(x); }
double besselK0e(double x) { return numext::bessel_k0e(x); }
double besselK1(double x) { return numext::bessel_k1(x); }
double besselK1e(double x) { return numext::bessel_k1e(x); }
double besselY0(double x) { return numext::bessel_y0(x); }
/// NaN at 0 in float32, where TensorFlow has that and not the limit.
template <class T> double besselY1Of(T x) {
  return sizeof(T) == 4 && x == 0 ? std::numeric_limits<double>::quiet_NaN()
                                  : numext::bessel_y1(static_cast<double>(x));
}
/// Every term of the series has its limit, which the summation does not find.
double zeta(double x, double q) {
  const bool isAtInfinity =
      x > 1 && q == std::numeric_limits<double>::infinity();
  return isAtInfinity ? 0 : numext::zeta(x, q);
}
double polygamma(double n, double x) {
  const bool isAtInfinity = n >= 1 && n == std::floor(n) &&
                            x == std::numeric_limits<double>::infinity();
  if (isAtInfinity)
    return std::fmod(n, 2) == 0 ? -0.0 : 0.0;
  return numext::polygamma(n, x);
}
double igamma(double a, double x) { return numext::igamma(a, x); }
double igammac(double a, double x) { return numext::igammac(a, x); }
double igammaGradA(double a, double x) { return numext::igamma_der_a(a, x); }
double gammaGradAlpha(double alpha, double sample) {
  return numext::gamma_sample_der_alpha(alpha, sample);
}
double betainc(double a, double b, double x) {
  return numext::betainc(a, b, x);
}

/// float32 is computed in double, so that its last digit is right.
template <class T, class Function>
int32_t ofEach(const KernelCall &call, Function function) noexcept {
  const T *x = call.input<T>(0);
  T *out = call.output<T>(0);
  return call.forEach(call.outputElements(0), [&](int64_t i) {
    out[i] = static_cast<T>(function(x[i]));
    return true;
  });
}
template <class T, double (*function)(double, double)>
int32_t ofPairs(const KernelCall &call) noexcept {
  const T *x = call.input<T>(0), *y = call.input<T>(1);
  T *out = call.output<T>(0);
  return call.forEach(call.outputElements(0), [&](int64_t i) {
    out[i] = static_cast<T>(
        function(static_cast<double>(x[i]), static_cast<double>(y[i])));
    return true;
  });
}

template <class T> int32_t betaincOfEach(const KernelCall &call) noexcept {
  const T *a = call.input<T>(0), *b = call.input<T>(1), *x = call.input<T>(2);
  T *out = call.output<T>(0);
  return call.forEach(call.outputElements(0), [&](int64_t i) {
    out[i] = static_cast<T>(betainc(static_cast<double>(a[i]),
                                    static_cast<double>(b[i]),
                                    static_cast<double>(x[i])));
    return true;
  });
}

/// By the bits, which a run that flushes denormals keeps so.
template <class T> T neighbor(T x, T towards) {
  using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  if (std::isnan(x) || std::isnan(towards))
    return std::numeric_limits<T>::quiet_NaN();
  constexpr Bits sign = Bits(1) << (8 * sizeof(T) - 1);
  const auto from = std::bit_cast<Bits>(x), to = std::bit_cast<Bits>(towards);
  // In order: the bits of negative numbers count down.
  auto place = [](Bits bits) {
    return bits & sign ? Bits(0) - (bits & ~sign) : bits;
  };
  using Signed = std::make_signed_t<Bits>;
  const auto a = static_cast<Signed>(place(from)),
             b = static_cast<Signed>(place(to));
  if (a == b)
    return towards;
  const auto next = static_cast<Signed>(a < b ? a + 1 : a - 1);
  const Bits size = static_cast<Bits>(next < 0 ? -next : next);
  const bool isNegative = next < 0 || (next == 0 && a < 0);
  return std::bit_cast<T>(isNegative ? size | sign : size);
}
template <class T> int32_t neighbors(const KernelCall &call) noexcept {
  const T *x = call.input<T>(0), *y = call.input<T>(1);
  T *out = call.output<T>(0);
  return call.forEach(call.outputElements(0), [&](int64_t i) {
    out[i] = neighbor(x[i], y[i]);
    return true;
  });
}

/// a, b, x of one shape -> of that shape, of floats
int32_t betaincs(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return call.outputDType(0) == DType::Float32 ? betaincOfEach<float>(call)
                                               : betaincOfEach<double>(call);
}
/// x, towards of one shape -> of that shape, of floats
int32_t nextAfter(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return call.outputDType(0) == DType::Float32 ? neighbors<float>(call)
                                               : neighbors<double>(call);
}

/// x -> of its shape, of floats
template <double (*function)(double)>
int32_t unary(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return call.outputDType(0) == DType::Float32 ? ofEach<float>(call, function)
                                               : ofEach<double>(call, function);
}
int32_t lgamma(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return call.outputDType(0) == DType::Float32
             ? ofEach<float>(call, lgammaOf<float>)
             : ofEach<double>(call, lgammaOf<double>);
}
int32_t besselY1(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return call.outputDType(0) == DType::Float32
             ? ofEach<float>(call, besselY1Of<float>)
             : ofEach<double>(call, besselY1Of<double>);
}
/// x, y of one shape -> of that shape, of floats
template <double (*function)(double, double)>
int32_t binary(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return call.outputDType(0) == DType::Float32
             ? ofPairs<float, function>(call)
             : ofPairs<double, function>(call);
}

} // namespace

std::vector<Kernel> specialFunctionKernels() {
  constexpr auto total = [](std::string name, KilnKernelFn run) {
    return Kernel{std::move(name), run, /*hasEffects=*/false,
                  /*mayFail=*/false};
  };
  return {total("BesselI0", unary<besselI0>),
          total("BesselI0e", unary<besselI0e>),
          total("BesselI1", unary<besselI1>),
          total("BesselI1e", unary<besselI1e>),
          total("BesselJ0", unary<besselJ0>),
          total("BesselJ1", unary<besselJ1>),
          total("BesselK0", unary<besselK0>),
          total("BesselK0e", unary<besselK0e>),
          total("BesselK1", unary<besselK1>),
          total("BesselK1e", unary<besselK1e>),
          total("BesselY0", unary<besselY0>),
          total("BesselY1", besselY1),
          total("Betainc", betaincs),
          total("Digamma", unary<digamma>),
          total("Erfinv", unary<erfinv>),
          total("Igamma", binary<igamma>),
          total("IgammaGradA", binary<igammaGradA>),
          total("Igammac", binary<igammac>),
          total("Lgamma", lgamma),
          total("Ndtri", unary<ndtri>),
          total("NextAfter", nextAfter),
          total("Polygamma", binary<polygamma>),
          total("RandomGammaGrad", binary<gammaGradAlpha>),
          total("Zeta", binary<zeta>)};
}

} // namespace kiln
