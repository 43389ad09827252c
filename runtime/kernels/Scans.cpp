// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums, products and logarithms of sums of all elements up to each, along one
// axis: from the first to the last, in one order, rounded at each step.
#include "lib/Support/DTypeDispatch.h"
#include "lib/Support/Strings.h"
#include "runtime/kernels/KernelCall.h"
#include "runtime/kernels/Kernels.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace kiln {
namespace {

/// What a step computes in: the narrow floats' numbers in float, integers in 64
/// bits, of which the lowest are right.
template <class T>
using Wide = std::conditional_t<
    std::is_integral_v<T>, uint64_t,
    std::conditional_t<sizeof(T) >= sizeof(double), T, float>>;
template <class T> Wide<T> wide(T x) { return static_cast<Wide<T>>(x); }

struct Sums {
  template <class T> static T first() { return static_cast<T>(0); }
  template <class T> static T join(T sum, T x) {
    return static_cast<T>(wide(sum) + wide(x));
  }
};

/// Complex numbers as plain formulas have them: no infinity is made of NaNs.
template <class T> struct Complex {
  T real, imag;
  explicit Complex(int number) : real(static_cast<T>(number)), imag(0) {}
  Complex(T real, T imag) : real(real), imag(imag) {}
  friend Complex operator*(const Complex &x, const Complex &y) {
    return {x.real * y.real - x.imag * y.imag,
            x.real * y.imag + x.imag * y.real};
  }
};

struct Products {
  template <class T> static T first() { return static_cast<T>(1); }
  template <class T> static T join(T product, T x) {
    return static_cast<T>(wide(product) * wide(x));
  }
};

/// log(exp(sum) + exp(x)) without overflow. What is NaN counts as what is
/// beside it, and nothing is added to -inf, as in TensorFlow.
struct LogsOfSums {
  template <class T> static T first() {
    return static_cast<T>(-std::numeric_limits<Wide<T>>::infinity());
  }
  template <class T> static T join(T sum, T x) {
    const T low = wide(x) < wide(sum) ? x : sum;
    const T high = wide(sum) < wide(x) ? x : sum;
    if (wide(high) == -std::numeric_limits<Wide<T>>::infinity())
      return high;
    const T rest = static_cast<T>(wide(low) - wide(high));
    const T logarithm =
        static_cast<T>(std::log1p(wide(static_cast<T>(std::exp(wide(rest))))));
    return static_cast<T>(wide(logarithm) + wide(high));
  }
};

/// x is [outer, extent, inner]: rows of `inner` elements are joined one by one.
struct Layout {
  int64_t outer = 1, extent = 1, inner = 1;
};

template <class Join, class T>
void scanOne(const T *in, T *out, const Layout &layout, bool isExclusive,
             bool isReverse) {
  const int64_t inner = layout.inner;
  auto row = [&](int64_t k) {
    return (isReverse ? layout.extent - 1 - k : k) * inner;
  };
  for (int64_t k = 0; k < layout.extent; ++k) {
    const T *given = in + row(isExclusive ? k - 1 : k);
    const T *before = out + row(k - 1);
    T *to = out + row(k);
    if (k == 0 && isExclusive)
      for (int64_t i = 0; i < inner; ++i)
        to[i] = Join::template first<T>();
    else if (k == 0)
      for (int64_t i = 0; i < inner; ++i)
        to[i] = Join::template join<T>(Join::template first<T>(), given[i]);
    else
      for (int64_t i = 0; i < inner; ++i)
        to[i] = Join::template join<T>(before[i], given[i]);
  }
}

/// Calls scanAll(layout), where there are elements.
template <class Body>
int32_t scanAlong(const KernelCall &call, Body &&scanAll) noexcept {
  const std::span<const int64_t> dims = call.inputDims(0);
  const auto rank = static_cast<int64_t>(dims.size());
  int64_t axis = call.inputDType(1) == DType::Int64 ? *call.input<int64_t>(1)
                                                    : *call.input<int32_t>(1);
  axis += axis < 0 ? rank : 0;
  if (axis < 0 || axis >= rank)
    return !call.fail(
        invalidArgumentError(strCat("ScanOp: Expected scan axis in the range [",
                                    -rank, ", ", rank, "), but got ", axis)));
  Layout layout;
  for (int64_t i = 0; i < rank; ++i)
    (i < axis    ? layout.outer
     : i == axis ? layout.extent
                 : layout.inner) *= dims[static_cast<size_t>(i)];
  if (call.inputElements(0) == 0)
    return 0;
  return scanAll(layout);
}

template <class Join, class T>
int32_t scanElements(const KernelCall &call, const Layout &layout) noexcept {
  return call.forEach(layout.outer, [&](int64_t k) {
    const int64_t at = k * layout.extent * layout.inner;
    scanOne<Join, T>(call.input<T>(0) + at, call.output<T>(0) + at, layout,
                     call.number(0) != 0, call.number(1) != 0);
    return true;
  });
}

/// x, axis : integer -> of x's shape; [exclusive, reverse]
template <class Join> int32_t scan(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return scanAlong(call, [&](const Layout &layout) {
    return dispatchElement(call.inputDType(0), [&]<class T>(T) -> int32_t {
      if constexpr (std::is_same_v<T, bool> ||
                    (std::is_same_v<Join, LogsOfSums> && std::is_integral_v<T>))
        return 1; // the op has no such type
      else
        return scanElements<Join, T>(call, layout);
    });
  });
}

/// The same of complex numbers, which come as integers of their size.
int32_t complexProducts(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return scanAlong(call, [&](const Layout &layout) {
    return call.inputDType(0) == DType::Int64
               ? scanElements<Products, Complex<float>>(call, layout)
               : scanElements<Products, Complex<double>>(call, layout);
  });
}

} // namespace

std::vector<Kernel> scanKernels() {
  return {{"ComplexCumprod", complexProducts},
          {"Cumprod", scan<Products>},
          {"Cumsum", scan<Sums>},
          {"CumulativeLogsumexp", scan<LogsOfSums>}};
}

} // namespace kiln
