// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of mathematics that no loop computes: the gamma function and its
// kin, the inverse of erf, zeta, Bessel functions. All of them in double.
#include "runtime/KernelCall.h"
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
double zeta(double x, double q) { return numext::zeta(x, q); }
double polygamma(double n, double x) { return numext::polygamma(n, x); }
double igamma(double a, double x) { return numext::igamma(a, x); }
double igammac(double a, double x) { return numext::igammac(a, x); }

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
          total("Digamma", unary<digamma>),
          total("Erfinv", unary<erfinv>),
          total("Igamma", binary<igamma>),
          total("Igammac", binary<igammac>),
          total("Lgamma", lgamma),
          total("Ndtri", unary<ndtri>),
          total("Polygamma", binary<polygamma>),
          total("Zeta", binary<zeta>)};
}

} // namespace kiln
