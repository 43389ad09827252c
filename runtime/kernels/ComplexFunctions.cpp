// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inverse functions and products of complex numbers. These come as integers of
// their size: i64 is a complex number of two floats, 16 bytes one of doubles.
#include "runtime/abi/ComplexFunction.h"
#include "runtime/kernels/KernelCall.h"
#include "runtime/kernels/Kernels.h"

#include <complex>

namespace kiln {
namespace {

template <class T>
std::complex<T> valueOf(ComplexFunction function, std::complex<T> x) {
  switch (function) {
  case ComplexFunction::Asin:
    return std::asin(x);
  case ComplexFunction::Acos:
    return std::acos(x);
  case ComplexFunction::Atan:
    return std::atan(x);
  case ComplexFunction::Asinh:
    return std::asinh(x);
  case ComplexFunction::Acosh:
    return std::acosh(x);
  case ComplexFunction::Atanh:
    return std::atanh(x);
  }
  return x;
}

template <class T> int32_t functionOfEach(const KernelCall &call) noexcept {
  const auto *x = call.input<std::complex<T>>(0);
  auto *out = call.output<std::complex<T>>(0);
  const auto function = static_cast<ComplexFunction>(call.number(0));
  return call.forEach(call.outputElements(0), [&](int64_t i) {
    out[i] = valueOf(function, x[i]);
    return true;
  });
}

template <class T> int32_t productOfEach(const KernelCall &call) noexcept {
  const auto *x = call.input<std::complex<T>>(0);
  auto *out = call.output<std::complex<T>>(0);
  const int64_t columns = call.inputDims(0)[1];
  for (int64_t row = 0; row < call.outputElements(0); ++row) {
    T real = 1, imag = 0;
    const int32_t stopped = call.forEach(columns, [&](int64_t i) {
      const std::complex<T> factor = x[row * columns + i];
      const T before = real;
      real = before * factor.real() - imag * factor.imag();
      imag = before * factor.imag() + imag * factor.real();
      return true;
    });
    if (stopped != 0)
      return stopped;
    out[row] = {real, imag};
  }
  return 0;
}

bool isSingle(const KernelCall &call) {
  return call.outputDType(0) == DType::Int64;
}

/// x -> of its shape; [function]
int32_t complexFunction(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return isSingle(call) ? functionOfEach<float>(call)
                        : functionOfEach<double>(call);
}
/// x [rows, columns] -> [rows]
int32_t complexProducts(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return isSingle(call) ? productOfEach<float>(call)
                        : productOfEach<double>(call);
}

} // namespace

std::vector<Kernel> complexFunctionKernels() {
  constexpr auto total = [](std::string name, KilnKernelFn run) {
    return Kernel{std::move(name), run, /*hasEffects=*/false,
                  /*mayFail=*/false};
  };
  return {total("ComplexFunction", complexFunction),
          total("ComplexProducts", complexProducts)};
}

} // namespace kiln
