// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a float becomes as an integer, as a template over a value type: numbers
// for the evaluator, a builder of IR for native code.
//
// Towards zero. What is out of range, and NaN, is as in TensorFlow's kernels on
// x86: 32 and 64 bits give the smallest integer, narrower types wrap what 32
// bits give, unsigned 32 bits wrap what 64 bits give, unsigned 64 bits have 0
// to 2^64 and wrap what 64 bits give otherwise.
//
// `Ops` has the types Float, Bool and Int<bits> (signed), and
//   real(n)                  less, greaterEqual (a, b)      both(p, q)
//   select(p, a, b)          sub(a, b) of floats
//   truncate<bits>(a)        of an a in range
//   power<bits>()            2^(bits - 1) wrapped: the smallest integer
//   add<bits>(a, b)          wrapped
#ifndef KILN_LIB_SUPPORT_INTEGEROFFLOAT_H
#define KILN_LIB_SUPPORT_INTEGEROFFLOAT_H

#include <cstdint>
#include <limits>
#include <type_traits>

namespace kiln::integers {

/// The bits that a float is converted to on its way to an integer type.
constexpr int conversionBits(int bits, bool isUnsigned) {
  return bits == 64 || (bits == 32 && isUnsigned) ? 64 : 32;
}

/// The smallest integer for what is out of range. The bounds are powers of two:
/// exact in every format. NaN fails the comparisons.
template <int bits, class Ops>
constexpr auto signedOf(Ops ops, typename Ops::Float x) {
  constexpr double limit = bits == 64 ? 0x1p63 : 0x1p31;
  auto low = ops.greaterEqual(x, ops.real(-limit));
  auto inRange = ops.both(low, ops.less(x, ops.real(limit)));
  auto safe = ops.select(inRange, x, ops.real(0));
  auto converted = ops.template truncate<bits>(safe);
  return ops.select(inRange, converted, ops.template power<bits>());
}

/// An unsigned integer of 64 bits, in a signed one.
template <class Ops> constexpr auto unsignedOf(Ops ops, typename Ops::Float x) {
  auto lower = signedOf<64>(ops, x);
  auto half = ops.real(0x1p63);
  auto above = ops.greaterEqual(x, half);
  auto isUpper = ops.both(above, ops.less(x, ops.real(0x1p64)));
  auto upper = ops.template add<64>(signedOf<64>(ops, ops.sub(x, half)),
                                    ops.template power<64>());
  return ops.select(isUpper, upper, lower);
}

/// The integer in a signed one of conversionBits(), of which it has the low
/// bits.
template <int bits, bool isUnsigned, class Ops>
constexpr auto fromFloat(Ops ops, typename Ops::Float x) {
  if constexpr (bits == 64 && isUnsigned)
    return unsignedOf(ops, x);
  else
    return signedOf<conversionBits(bits, isUnsigned)>(ops, x);
}

/// The operations on numbers.
template <class T> struct ScalarFloats {
  using Float = T;
  using Bool = bool;
  template <int bits>
  using Int = std::conditional_t<bits == 64, int64_t, int32_t>;

  static constexpr T real(double n) { return static_cast<T>(n); }
  static constexpr bool less(T a, T b) { return a < b; }
  static constexpr bool greaterEqual(T a, T b) { return a >= b; }
  static constexpr bool both(bool p, bool q) { return p & q; }
  template <class V> static constexpr V select(bool p, V a, V b) {
    return p ? a : b;
  }
  static constexpr T sub(T a, T b) { return a - b; }
  template <int bits> static constexpr Int<bits> truncate(T a) {
    return static_cast<Int<bits>>(a);
  }
  template <int bits> static constexpr Int<bits> power() {
    return std::numeric_limits<Int<bits>>::min();
  }
  template <int bits> static constexpr Int<bits> add(Int<bits> a, Int<bits> b) {
    using Wrapped = std::make_unsigned_t<Int<bits>>;
    return static_cast<Int<bits>>(static_cast<Wrapped>(a) +
                                  static_cast<Wrapped>(b));
  }
};

} // namespace kiln::integers

#endif // KILN_LIB_SUPPORT_INTEGEROFFLOAT_H
