// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What reductions combine with: neutral elements and combinations.
#ifndef KILN_RUNTIME_ARITHMETIC_REDUCTIONOPS_H
#define KILN_RUNTIME_ARITHMETIC_REDUCTIONOPS_H

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace kiln::reduction {

/// a + b; integers wrap.
struct Sum {
  template <class T> static constexpr T neutral() { return T(0); }
  template <class T> static constexpr T combine(T a, T b) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) +
                            static_cast<std::make_unsigned_t<T>>(b));
    else
      return a + b;
  }
};

/// a * b; integers wrap.
struct Prod {
  template <class T> static constexpr T neutral() { return T(1); }
  template <class T> static constexpr T combine(T a, T b) {
    // Through 64 bits: a product of two uint16_t would promote to int and may
    // overflow there.
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<uint64_t>(a) *
                            static_cast<uint64_t>(b));
    else
      return a * b;
  }
};

/// A denormal is the zero of its sign, as in the arithmetic of a run: a maximum
/// of denormals, too, for comparisons take all of them for equal.
template <class T> constexpr T flushed(T x) {
  return std::abs(x) < std::numeric_limits<T>::min() ? std::copysign(T(0), x)
                                                     : x;
}

/// IEEE 754-2019 maximum, flushed: NaN wins, -0 < +0, so the order does not
/// matter (TensorFlow: NaN wins; its zeros' signs depend on the position).
struct Max {
  template <class T> static constexpr T neutral() {
    if constexpr (std::is_floating_point_v<T>)
      return -std::numeric_limits<T>::infinity();
    else
      return std::numeric_limits<T>::lowest();
  }
  template <class T> static constexpr T combine(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      // Selections, which are vectorized.
      T equal = std::signbit(a) ? b : a, best = a > b ? a : b;
      T chosen = flushed(a == b ? equal : best);
      return (bool(a != a) | bool(b != b)) ? std::numeric_limits<T>::quiet_NaN()
                                           : chosen;
    }
    return a > b ? a : b;
  }
};

/// IEEE 754-2019 minimum, flushed: NaN wins, -0 < +0.
struct Min {
  template <class T> static constexpr T neutral() {
    if constexpr (std::is_floating_point_v<T>)
      return std::numeric_limits<T>::infinity();
    else
      return std::numeric_limits<T>::max();
  }
  template <class T> static constexpr T combine(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      // Selections, which are vectorized.
      T equal = std::signbit(a) ? a : b, best = a < b ? a : b;
      T chosen = flushed(a == b ? equal : best);
      return (bool(a != a) | bool(b != b)) ? std::numeric_limits<T>::quiet_NaN()
                                           : chosen;
    }
    return a < b ? a : b;
  }
};

struct All {
  template <class T> static constexpr T neutral() { return T(1); }
  template <class T> static constexpr T combine(T a, T b) { return a && b; }
};

struct Any {
  template <class T> static constexpr T neutral() { return T(0); }
  template <class T> static constexpr T combine(T a, T b) { return a || b; }
};

} // namespace kiln::reduction

#endif // KILN_RUNTIME_ARITHMETIC_REDUCTIONOPS_H
