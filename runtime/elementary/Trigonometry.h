// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sin, cos, tan for every finite argument.
#ifndef KILN_RUNTIME_ELEMENTARY_TRIGONOMETRY_H
#define KILN_RUNTIME_ELEMENTARY_TRIGONOMETRY_H

#include "runtime/elementary/Common.h"

namespace kiln::elementary {

/// An angle as quadrants * pi/2 + high + low, |high| <= pi/4; the low two bits
/// of quadrants count.
template <class Ops> struct ReducedAngle {
  typename Ops::Float high, low;
  typename Ops::Int quadrants;
};

/// The words of 2/pi that matter for a magnitude 2^exponent: three of Bits
/// bits, from bit `exponent` on. Bits to the left of them give whole turns,
/// bits to the right nothing that counts.
template <class Ops>
KILN_ELEMENTARY std::array<typename Ops::Int, 3>
twoOverPiWindow(Ops &o, typename Ops::Int exponent) {
  using Int = typename Ops::Int;
  constexpr int width = Ops::kBits, logWidth = width == 32 ? 5 : 6;
  constexpr std::size_t count = width == 32 ? 7 : 19;
  Int words[count];
  for (std::size_t i = 0; i < count; ++i) {
    if constexpr (width == 32)
      words[i] = o.iconstant(int32_t(kTwoOverPi32[i]));
    else
      words[i] = o.iconstant(int64_t(kTwoOverPi64[i]));
  }
  // Shift the row of words by the word number, one bit of it after the other,
  // down to four words.
  std::size_t live = count;
  for (std::size_t step = (count - 3) / 2; step; step /= 2) {
    auto bit = o.iand(exponent, o.iconstant(int64_t(step) << logWidth));
    auto stay = o.icmpEq(bit, o.iconstant(0));
    live -= step;
    for (std::size_t i = 0; i < live; ++i)
      words[i] = o.selectInt(stay, words[i], words[i + step]);
  }
  auto left = o.iand(exponent, o.iconstant(width - 1));
  auto right = o.isub(o.iconstant(width - 1), left);
  for (std::size_t i = 0; i < 3; ++i)
    words[i] = o.ior(o.shl(words[i], left),
                     o.lshr(o.lshr(words[i + 1], o.iconstant(1)), right));
  return {words[0], words[1], words[2]};
}

/// 2^-places.
consteval double negativePower(int places) {
  return places ? negativePower(places - 1) / 2 : 1;
}

/// Reduces a finite a >= 0, exactly but for the last bits of low (Payne and
/// Hanek): the mantissa times the window of 2/pi, modulo four quadrants, in
/// integers.
template <class Ops>
KILN_ELEMENTARY ReducedAngle<Ops> reduceAngle(Ops &o, typename Ops::Float a) {
  using F = FormatOf<Ops>;
  constexpr int width = Ops::kBits, mantissaBits = F::mantissaBits;
  auto zero = o.iconstant(0), one = o.iconstant(1);
  auto bits = o.bitsOf(a);
  auto exponent =
      o.isub(o.lshr(bits, o.iconstant(mantissaBits)), o.iconstant(F::bias));
  auto mantissa = o.shl(o.ior(bits, o.iconstant(int64_t(1) << mantissaBits)),
                        o.iconstant(width - 1 - mantissaBits));
  // In [1/2, 1) the mantissa is shifted instead of the window; below pi/4 no
  // reduction is used.
  auto belowOne = o.icmpLt(exponent, zero);
  mantissa = o.selectInt(belowOne, o.lshr(mantissa, one), mantissa);
  exponent = o.selectInt(belowOne, zero, exponent);
  auto window = twoOverPiWindow(o, exponent);

  auto middleLow = o.imul(mantissa, window[1]);
  auto middle = o.iadd(middleLow, o.umulHigh(mantissa, window[2]));
  auto carry = o.selectInt(o.icmpUlt(middle, middleLow), one, zero);
  auto top = o.iadd(
      o.iadd(o.imul(mantissa, window[0]), o.umulHigh(mantissa, window[1])),
      carry);
  auto shift = o.iconstant(width - 2);
  auto quadrants =
      o.lshr(o.iadd(top, o.iconstant(int64_t(1) << (width - 3))), shift);
  auto fraction = o.isub(top, o.shl(quadrants, shift));

  // The fraction's 2 width - 2 bits in three numbers that are exact.
  constexpr int headBits = mantissaBits + 1, drop = width - 2 - headBits;
  constexpr int keep = headBits - drop, tailBits = width - keep;
  auto head = o.fromInt(o.ashr(fraction, o.iconstant(drop)));
  auto next = o.fromInt(
      o.ior(o.shl(o.iand(fraction, o.iconstant((int64_t(1) << drop) - 1)),
                  o.iconstant(keep)),
            o.lshr(middle, o.iconstant(tailBits))));
  auto last =
      o.fromInt(o.iand(middle, o.iconstant((int64_t(1) << tailBits) - 1)));
  auto sum = fastTwoSum(o, o.mul(head, o.constant(negativePower(headBits))),
                        o.mul(next, o.constant(negativePower(2 * headBits))));
  auto low = o.fma(last, o.constant(negativePower(2 * width - 2)), sum.low);
  // Quadrants to radians.
  auto high = twoProduct(o, sum.high, o.constant(F::pi2High));
  low = o.fma(low, o.constant(F::pi2High), high.low);
  low = o.fma(sum.high, o.constant(F::pi2Low), low);

  auto isSmall = o.lt(a, o.constant(0.78));
  return {o.select(isSmall, a, high.high),
          o.select(isSmall, o.constant(0), low),
          o.selectInt(isSmall, zero, quadrants)};
}

/// Reduces 0 <= a <= 16: Cody and Waite, for the normal distribution.
template <class Ops>
KILN_ELEMENTARY ReducedAngle<Ops> reduceSmallAngle(Ops &o,
                                                   typename Ops::Float a) {
  constexpr bool isSingle = Ops::kBits == 32;
  auto n = roundProduct(o, a, 0x1.45f306dc9c883p-1);
  constexpr double parts[3] = {isSingle ? 0x1.921f8p+0 : 0x1.921fb54442ep+0,
                               isSingle ? 0x1.aa22p-19 : -0x1.cf72cece676p-45,
                               isSingle ? 0x1.68c234p-39
                                        : 0x1.701b839a25205p-92};
  auto r = a;
  for (double part : parts)
    r = o.fma(n.value, o.constant(-part), r);
  return {r, o.constant(0), n.bits};
}

/// The sine of the angle's part within a quadrant: a head and a small tail.
template <class Ops>
KILN_ELEMENTARY Pair<Ops> quadrantSinPair(Ops &o, const ReducedAngle<Ops> &r) {
  auto z = o.mul(r.high, r.high);
  auto p = polynomial(o, z, CoefficientsOf<Ops>::kSin);
  // low counts by the cosine, about 1 - z / 2.
  auto low = o.fma(o.mul(z, o.constant(-0.5)), r.low, r.low);
  return {r.high, o.fma(o.mul(z, r.high), p, low)};
}

/// The cosine of the angle's part within a quadrant: a head and a small tail.
template <class Ops>
KILN_ELEMENTARY Pair<Ops> quadrantCosPair(Ops &o, const ReducedAngle<Ops> &r) {
  auto one = o.constant(1);
  auto z = o.mul(r.high, r.high);
  auto p = polynomial(o, z, CoefficientsOf<Ops>::kCos);
  auto half = o.mul(z, o.constant(0.5));
  auto head = o.sub(one, half);
  auto lost = o.sub(o.sub(one, head), half);
  lost = o.fma(o.neg(r.high), r.low, lost);
  return {head, o.fma(o.mul(z, z), p, lost)};
}

template <class Ops>
KILN_ELEMENTARY typename Ops::Float quadrantSin(Ops &o,
                                                const ReducedAngle<Ops> &r) {
  auto sine = quadrantSinPair(o, r);
  return o.add(sine.high, sine.low);
}

template <class Ops>
KILN_ELEMENTARY typename Ops::Float quadrantCos(Ops &o,
                                                const ReducedAngle<Ops> &r) {
  auto cosine = quadrantCosPair(o, r);
  return o.add(cosine.high, cosine.low);
}

/// Both by quadrant: sin(quadrants pi/2 + angle), or cos where `quadrants` is
/// one more.
template <class Ops>
KILN_ELEMENTARY typename Ops::Float
byQuadrant(Ops &o, typename Ops::Int quadrants, typename Ops::Float sine,
           typename Ops::Float cosine) {
  auto odd = o.iand(quadrants, o.iconstant(1));
  auto y = o.select(o.icmpEq(odd, o.iconstant(0)), sine, cosine);
  auto sign =
      o.shl(o.iand(quadrants, o.iconstant(2)), o.iconstant(Ops::kBits - 2));
  return o.floatOf(o.ixor(o.bitsOf(y), sign));
}

/// y for a finite x, otherwise NaN.
template <class Ops>
KILN_ELEMENTARY typename Ops::Float
ifFinite(Ops &o, typename Ops::Float magnitude, typename Ops::Float y) {
  return o.select(o.lt(magnitude, o.constant(kInfinity)), y,
                  o.sub(magnitude, magnitude));
}

template <class Ops>
KILN_ELEMENTARY typename Ops::Float sin(Ops &o, typename Ops::Float x) {
  auto a = o.abs(x);
  auto r = reduceAngle(o, a);
  auto y = byQuadrant(o, r.quadrants, quadrantSin(o, r), quadrantCos(o, r));
  return ifFinite(o, a, withSignOf(o, y, x));
}

template <class Ops>
KILN_ELEMENTARY typename Ops::Float cos(Ops &o, typename Ops::Float x) {
  auto a = o.abs(x);
  auto r = reduceAngle(o, a);
  auto next = o.iadd(r.quadrants, o.iconstant(1));
  return ifFinite(o, a,
                  byQuadrant(o, next, quadrantSin(o, r), quadrantCos(o, r)));
}

/// A quotient of pairs: of rounded sines and cosines it would be off by up to
/// 2.4 units.
template <class Ops>
KILN_ELEMENTARY typename Ops::Float tan(Ops &o, typename Ops::Float x) {
  auto a = o.abs(x);
  auto r = reduceAngle(o, a);
  auto sine = quadrantSinPair(o, r), cosine = quadrantCosPair(o, r);
  sine = fastTwoSum(o, sine.high, sine.low);
  cosine = fastTwoSum(o, cosine.high, cosine.low);
  auto isEven = o.icmpEq(o.iand(r.quadrants, o.iconstant(1)), o.iconstant(0));
  auto top = o.select(isEven, sine.high, o.neg(cosine.high)),
       topLow = o.select(isEven, sine.low, o.neg(cosine.low));
  auto bottom = o.select(isEven, cosine.high, sine.high),
       bottomLow = o.select(isEven, cosine.low, sine.low);
  auto reciprocal = o.div(o.constant(1), bottom);
  auto ratio = o.mul(top, reciprocal);
  auto lost = o.fma(o.neg(ratio), bottom, top);
  lost = o.add(lost, o.fma(o.neg(ratio), bottomLow, topLow));
  return ifFinite(o, a, withSignOf(o, o.fma(lost, reciprocal, ratio), x));
}

/// The sine and the cosine of 0 <= x <= 16.
template <class Ops>
KILN_ELEMENTARY std::array<typename Ops::Float, 2>
sinCosSmall(Ops &o, typename Ops::Float x) {
  auto r = reduceSmallAngle(o, x);
  auto sine = quadrantSin(o, r), cosine = quadrantCos(o, r);
  auto next = o.iadd(r.quadrants, o.iconstant(1));
  return {byQuadrant(o, r.quadrants, sine, cosine),
          byQuadrant(o, next, sine, cosine)};
}

} // namespace kiln::elementary

#endif // KILN_RUNTIME_ELEMENTARY_TRIGONOMETRY_H
