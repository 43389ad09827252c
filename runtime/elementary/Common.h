// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the elementary functions share: the format's constants, polynomials,
// exact sums and products.
#ifndef KILN_RUNTIME_ELEMENTARY_COMMON_H
#define KILN_RUNTIME_ELEMENTARY_COMMON_H

#include "runtime/elementary/Coefficients.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

// Inlined always: a loop compiled for FMA must not call a copy compiled
// without.
#define KILN_ELEMENTARY [[gnu::always_inline]] inline

namespace kiln::elementary {

/// The floating-point format whose lanes have Bits bits.
template <int Bits> struct Format;

template <> struct Format<32> {
  static constexpr int mantissaBits = 23;
  static constexpr int64_t bias = 127;
  static constexpr int64_t one = 0x3f800000;
  static constexpr int64_t signBit = -0x80000000LL;
  static constexpr double smallestNormal = 0x1p-126;
  // Adding it rounds to an integer, whose low bits are then those of the sum.
  static constexpr double rounder = 0x1.8p23;
  // log(2) in two parts; the first has so few bits that its multiples by an
  // exponent are exact.
  static constexpr double log2High = 0x1.62e4p-1, log2Low = 0x1.7f7d1cp-20;
  static constexpr double pi2High = 0x1.921fb6p+0, pi2Low = -0x1.777a5cp-25;
  // exp: at most, at least what gives a normal number.
  static constexpr double expMax = 0x1.62e42ep+6, expMin = -0x1.5d589ep+6;
  // sinh and cosh: at most.
  static constexpr double halfExpMax = 0x1.65a9f8p+6;
  static constexpr int64_t sqrtHalf = 0x3f3504f3;
  // Above, tanh and expm1 (of the negative) have reached 1.
  static constexpr double saturated = 20;
  // exp of it is 2^n with an n below the largest exponent; of the next bound, n
  // is at most one more.
  static constexpr double expSafe = 87.9, expm1Safe = 89;
  // 2/3 in two parts.
  static constexpr double twoThirdsHigh = 0x1.555556p-1,
                          twoThirdsLow = -0x1.555556p-26;
  // The last argument whose erfc is a normal number.
  static constexpr double erfcMax = 0x1.2639bep+3;
};

template <> struct Format<64> {
  static constexpr int mantissaBits = 52;
  static constexpr int64_t bias = 1023;
  static constexpr int64_t one = 0x3ff0000000000000;
  static constexpr int64_t signBit = std::numeric_limits<int64_t>::min();
  static constexpr double smallestNormal = 0x1p-1022;
  static constexpr double rounder = 0x1.8p52;
  static constexpr double log2High = 0x1.62e42fefa38p-1,
                          log2Low = 0x1.ef35793c7673p-45;
  static constexpr double pi2High = 0x1.921fb54442d18p+0,
                          pi2Low = 0x1.1a62633145c07p-54;
  static constexpr double expMax = 0x1.62e42fefa39efp+9,
                          expMin = -0x1.6232bdd7abcd2p+9;
  static constexpr double halfExpMax = 0x1.633ce8fb9f87dp+9;
  static constexpr int64_t sqrtHalf = 0x3fe6a09e667f3bcd;
  static constexpr double saturated = 40;
  static constexpr double expSafe = 708.7, expm1Safe = 710;
  static constexpr double twoThirdsHigh = 0x1.5555555555555p-1,
                          twoThirdsLow = 0x1.5555555555555p-55;
  static constexpr double erfcMax = 0x1.a8b12fc6e4891p+4;
};

template <class Ops> using FormatOf = Format<Ops::kBits>;
template <class Ops> using CoefficientsOf = Coefficients<Ops::kBits>;

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// c[0] + c[1] x + ... by Estrin's scheme: short dependences, so that a core's
/// FMA units stay busy.
template <class Ops, std::size_t N>
KILN_ELEMENTARY typename Ops::Float polynomial(Ops &o, typename Ops::Float x,
                                               const std::array<double, N> &c) {
  using Float = typename Ops::Float;
  if constexpr (N == 1) {
    return o.constant(c[0]);
  } else {
    Float terms[(N + 1) / 2];
    for (std::size_t i = 0; i < N / 2; ++i)
      terms[i] = o.fma(o.constant(c[2 * i + 1]), x, o.constant(c[2 * i]));
    if constexpr (N % 2)
      terms[N / 2] = o.constant(c[N - 1]);
    std::size_t count = (N + 1) / 2;
    Float power = x;
    while (count > 1) {
      power = o.mul(power, power);
      for (std::size_t i = 0; i < count / 2; ++i)
        terms[i] = o.fma(terms[2 * i + 1], power, terms[2 * i]);
      if (count % 2)
        terms[count / 2] = terms[count - 1];
      count = (count + 1) / 2;
    }
    return terms[0];
  }
}

/// The same with the last two steps by Horner's scheme, where the roundings of
/// the leading terms show.
template <class Ops, std::size_t N>
KILN_ELEMENTARY typename Ops::Float
polynomialExact(Ops &o, typename Ops::Float x, const std::array<double, N> &c) {
  std::array<double, N - 2> rest = {};
  for (std::size_t i = 2; i < N; ++i)
    rest[i - 2] = c[i];
  auto tail = o.fma(x, polynomial(o, x, rest), o.constant(c[1]));
  return o.fma(x, tail, o.constant(c[0]));
}

/// An unevaluated sum; |low| is at most half a unit in the last place of high.
template <class Ops> struct Pair {
  typename Ops::Float high, low;
};

/// a + b exactly, where |a| >= |b| or a is 0.
template <class Ops>
KILN_ELEMENTARY Pair<Ops> fastTwoSum(Ops &o, typename Ops::Float a,
                                     typename Ops::Float b) {
  auto sum = o.add(a, b);
  return {sum, o.sub(b, o.sub(sum, a))};
}

/// a + b exactly.
template <class Ops>
KILN_ELEMENTARY Pair<Ops> twoSum(Ops &o, typename Ops::Float a,
                                 typename Ops::Float b) {
  auto sum = o.add(a, b);
  auto partB = o.sub(sum, a);
  auto partA = o.sub(sum, partB);
  return {sum, o.add(o.sub(a, partA), o.sub(b, partB))};
}

/// a * b exactly.
template <class Ops>
KILN_ELEMENTARY Pair<Ops> twoProduct(Ops &o, typename Ops::Float a,
                                     typename Ops::Float b) {
  auto product = o.mul(a, b);
  return {product, o.fma(a, b, o.neg(product))};
}

/// The square root of the pair's sum, which is at least 0.
template <class Ops>
KILN_ELEMENTARY Pair<Ops> pairRoot(Ops &o, const Pair<Ops> &x) {
  auto root = o.sqrt(x.high);
  auto rest = o.add(o.fma(o.neg(root), root, x.high), x.low);
  auto isZero = o.eq(root, o.constant(0));
  auto divisor = o.select(isZero, o.constant(1), o.add(root, root));
  return {root, o.div(rest, divisor)};
}

/// x, but at most `limit`; NaN stays.
template <class Ops>
KILN_ELEMENTARY typename Ops::Float atMost(Ops &o, typename Ops::Float x,
                                           double limit) {
  auto bound = o.constant(limit);
  return o.select(o.gt(x, bound), bound, x);
}

/// x, but at least `limit`; NaN stays.
template <class Ops>
KILN_ELEMENTARY typename Ops::Float atLeast(Ops &o, typename Ops::Float x,
                                            double limit) {
  auto bound = o.constant(limit);
  return o.select(o.lt(x, bound), bound, x);
}

/// The magnitude with the sign bit of `sign` flipped into it.
template <class Ops>
KILN_ELEMENTARY typename Ops::Float
withSignOf(Ops &o, typename Ops::Float magnitude, typename Ops::Float sign) {
  auto bit = o.iand(o.bitsOf(sign), o.iconstant(FormatOf<Ops>::signBit));
  return o.floatOf(o.ixor(o.bitsOf(magnitude), bit));
}

/// 2^n; n as an integer within the exponents of normal numbers.
template <class Ops>
KILN_ELEMENTARY typename Ops::Float powerOfTwo(Ops &o, typename Ops::Int n) {
  using F = FormatOf<Ops>;
  return o.floatOf(
      o.shl(o.iadd(n, o.iconstant(F::bias)), o.iconstant(F::mantissaBits)));
}

/// x rounded to an integer, as a number and in the low bits of an integer. |x|
/// < 2^22.
template <class Ops> struct Rounded {
  typename Ops::Float value;
  typename Ops::Int bits;
};

/// Rounds a * b to an integer.
template <class Ops>
KILN_ELEMENTARY Rounded<Ops> roundProduct(Ops &o, typename Ops::Float a,
                                          double b) {
  auto rounder = o.constant(FormatOf<Ops>::rounder);
  auto shifted = o.fma(a, o.constant(b), rounder);
  return {o.sub(shifted, rounder), o.bitsOf(shifted)};
}

} // namespace kiln::elementary

#endif // KILN_RUNTIME_ELEMENTARY_COMMON_H
