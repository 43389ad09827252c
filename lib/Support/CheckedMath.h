// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic on sizes that a file, a feed or a shape tensor can reach: overflow
// is an answer, not an accident.
#ifndef KILN_LIB_SUPPORT_CHECKEDMATH_H
#define KILN_LIB_SUPPORT_CHECKEDMATH_H

#include <cstdint>
#include <optional>

namespace kiln {

/// a + b, or nothing where it does not fit.
inline std::optional<int64_t> checkedAdd(int64_t a, int64_t b) noexcept {
  int64_t result;
  return __builtin_add_overflow(a, b, &result) ? std::nullopt
                                               : std::optional<int64_t>(result);
}

/// a * b, or nothing where it does not fit.
inline std::optional<int64_t> checkedMul(int64_t a, int64_t b) noexcept {
  int64_t result;
  return __builtin_mul_overflow(a, b, &result) ? std::nullopt
                                               : std::optional<int64_t>(result);
}

/// An int64 that remembers an overflow in any step, so that a formula is
/// checked once, at its end.
///
/// Invariant: once overflowed, every result of further arithmetic has
/// overflowed.
class CheckedInt64 {
public:
  constexpr CheckedInt64(int64_t start = 0) noexcept : number(start) {}

  constexpr bool overflowed() const noexcept { return overflow; }
  constexpr std::optional<int64_t> value() const noexcept {
    return overflow ? std::nullopt : std::optional<int64_t>(number);
  }

  constexpr CheckedInt64 &operator+=(CheckedInt64 other) noexcept {
    overflow |=
        other.overflow | __builtin_add_overflow(number, other.number, &number);
    return *this;
  }
  constexpr CheckedInt64 &operator-=(CheckedInt64 other) noexcept {
    overflow |=
        other.overflow | __builtin_sub_overflow(number, other.number, &number);
    return *this;
  }
  constexpr CheckedInt64 &operator*=(CheckedInt64 other) noexcept {
    overflow |=
        other.overflow | __builtin_mul_overflow(number, other.number, &number);
    return *this;
  }
  friend constexpr CheckedInt64 operator+(CheckedInt64 a,
                                          CheckedInt64 b) noexcept {
    return a += b;
  }
  friend constexpr CheckedInt64 operator-(CheckedInt64 a,
                                          CheckedInt64 b) noexcept {
    return a -= b;
  }
  friend constexpr CheckedInt64 operator*(CheckedInt64 a,
                                          CheckedInt64 b) noexcept {
    return a *= b;
  }

private:
  int64_t number;
  bool overflow = false;
};

} // namespace kiln

#endif // KILN_LIB_SUPPORT_CHECKEDMATH_H
