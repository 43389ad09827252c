// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// asin, acos, atan, and atan2.
#ifndef KILN_RUNTIME_ELEMENTARY_INVERSETRIGONOMETRY_H
#define KILN_RUNTIME_ELEMENTARY_INVERSETRIGONOMETRY_H

#include "runtime/elementary/Common.h"

namespace kiln::elementary {

/// asin(s) = s + tail for s = |x|, or for s = sqrt((1 - |x|) / 2) where |x| >
/// 1/2: then asin(|x|) = pi/2 - 2 asin(s). NaN above 1.
template <class Ops> struct ArcParts {
  typename Ops::Float s, tail;
  typename Ops::Bool isSmall;
};

template <class Ops>
KILN_ELEMENTARY ArcParts<Ops> arcParts(Ops &o, typename Ops::Float x) {
  auto a = o.abs(x);
  auto isSmall = o.le(a, o.constant(0.5));
  auto half = o.constant(0.5);
  auto z = o.select(isSmall, o.mul(a, a), o.fma(o.neg(half), a, half));
  auto s = o.select(isSmall, a, o.sqrt(z));
  auto p = polynomial(o, z, CoefficientsOf<Ops>::kAsin);
  return {s, o.mul(o.mul(s, z), p), isSmall};
}

/// c pi/2 - (s + tail) for s below that; pi2 is 1 or 2.
template <class Ops>
KILN_ELEMENTARY typename Ops::Float belowQuadrants(Ops &o, double c,
                                                   typename Ops::Float s,
                                                   typename Ops::Float tail) {
  using F = FormatOf<Ops>;
  auto sum = fastTwoSum(o, o.constant(c * F::pi2High), o.neg(s));
  auto low = o.add(sum.low, o.sub(o.constant(c * F::pi2Low), tail));
  return o.add(sum.high, low);
}

template <class Ops>
KILN_ELEMENTARY typename Ops::Float asin(Ops &o, typename Ops::Float x) {
  auto arc = arcParts(o, x);
  auto large =
      belowQuadrants(o, 1, o.add(arc.s, arc.s), o.add(arc.tail, arc.tail));
  auto y = o.select(arc.isSmall, o.add(arc.s, arc.tail), large);
  return withSignOf(o, y, x);
}

template <class Ops>
KILN_ELEMENTARY typename Ops::Float acos(Ops &o, typename Ops::Float x) {
  auto arc = arcParts(o, x);
  auto small =
      belowQuadrants(o, 1, withSignOf(o, arc.s, x), withSignOf(o, arc.tail, x));
  auto twiceS = o.add(arc.s, arc.s), twiceTail = o.add(arc.tail, arc.tail);
  auto negative = belowQuadrants(o, 2, twiceS, twiceTail);
  auto isNegative = o.lt(x, o.constant(0));
  auto large = o.select(isNegative, negative, o.add(twiceS, twiceTail));
  return o.select(arc.isSmall, small, large);
}

/// atan(t + low) = t + tail for 0 <= t <= 1; low is at most half a unit of t.
/// rest: what tail has lost, which counts where t is subtracted.
template <class Ops> struct AtanParts {
  typename Ops::Float cube, p, rest;
};

template <class Ops>
KILN_ELEMENTARY AtanParts<Ops> atanParts(Ops &o, typename Ops::Float t,
                                         typename Ops::Float low) {
  auto z = o.mul(t, t);
  auto p = polynomialExact(o, z, CoefficientsOf<Ops>::kAtan);
  auto cube = o.mul(z, t);
  // What the cube has lost.
  auto cubeLow = o.fma(o.fma(t, t, o.neg(z)), t, o.fma(z, t, o.neg(cube)));
  // low counts by 1 / (1 + z), about 1 - 0.9 z + 0.4 z^2.
  auto slope = o.fma(z, o.constant(0.4), o.constant(-0.9));
  low = o.fma(o.mul(z, slope), low, low);
  return {cube, p, o.fma(cubeLow, p, low)};
}

/// t + t^3 P(t^2) for t = |x|, or pi/2 minus that of t = 1 / |x|.
template <class Ops>
KILN_ELEMENTARY typename Ops::Float atan(Ops &o, typename Ops::Float x) {
  using F = FormatOf<Ops>;
  auto a = atMost(o, o.abs(x), 0x1p100);
  auto one = o.constant(1);
  auto isLarge = o.gt(a, one);
  auto reciprocal = o.div(one, a);
  auto t = o.select(isLarge, reciprocal, a);
  auto lost = o.mul(o.fma(o.neg(t), a, one), t);
  auto parts = atanParts(o, t, lost);
  auto large = fastTwoSum(o, o.constant(F::pi2High), o.neg(t));
  auto low = o.add(large.low, o.sub(o.constant(F::pi2Low), parts.rest));
  auto y = o.select(isLarge,
                    o.add(large.high, o.fma(o.neg(parts.cube), parts.p, low)),
                    o.fma(parts.cube, parts.p, t));
  return withSignOf(o, y, x);
}

/// The angle of the point (x, y): c pi/2 + or - atan(t), t the smaller
/// magnitude over the larger.
template <class Ops>
KILN_ELEMENTARY typename Ops::Float atan2(Ops &o, typename Ops::Float y,
                                          typename Ops::Float x) {
  using F = FormatOf<Ops>;
  auto zero = o.constant(0), one = o.constant(1), inf = o.constant(kInfinity);
  auto smallest = o.constant(F::smallestNormal);
  auto ax = o.abs(x), ay = o.abs(y);
  ax = o.select(o.lt(ax, smallest), zero, ax);
  ay = o.select(o.lt(ay, smallest), zero, ay);
  auto swaps = o.gt(ay, ax);
  auto larger = o.select(swaps, ay, ax), less = o.select(swaps, ax, ay);
  // 0 / 0 counts as 0 / 1, inf / inf as 1 / 1, finite / inf as 0 / 1.
  auto isInfinite = o.eq(larger, inf);
  auto lessInfinite = o.select(o.eq(less, inf), one, zero);
  less = o.select(isInfinite, lessInfinite, less);
  auto isOne = o.bor(isInfinite, o.eq(larger, zero));
  larger = o.select(isOne, one, larger);
  // Small ones are scaled, so that the division's remainder is normal.
  auto scale =
      o.select(o.lt(larger, o.constant(0x1p-60)), o.constant(0x1p64), one);
  larger = o.mul(larger, scale);
  less = o.mul(less, scale);
  auto t = o.div(less, larger);
  auto lost = o.div(o.fma(o.neg(t), larger, less), larger);
  auto parts = atanParts(o, t, lost);

  auto isLeft = o.icmpLt(o.bitsOf(x), o.iconstant(0));
  auto turn = [&](double quarter) {
    auto half = o.select(isLeft, o.constant(2 * quarter), zero);
    return o.select(swaps, o.constant(quarter), half);
  };
  // The angle falls as t grows where exactly one of the two holds.
  auto falls = o.selectInt(isLeft, o.iconstant(F::signBit), o.iconstant(0));
  falls = o.ixor(falls,
                 o.selectInt(swaps, o.iconstant(F::signBit), o.iconstant(0)));
  auto signedly = [&](typename Ops::Float value) {
    return o.floatOf(o.ixor(o.bitsOf(value), falls));
  };
  auto sum = fastTwoSum(o, turn(F::pi2High), signedly(t));
  auto low = o.add(sum.low, o.add(turn(F::pi2Low), signedly(parts.rest)));
  auto angle = o.add(sum.high, o.fma(signedly(parts.cube), parts.p, low));
  auto isNan = o.bor(o.unordered(x), o.unordered(y));
  return o.select(isNan, o.add(x, y), withSignOf(o, angle, y));
}

} // namespace kiln::elementary

#endif // KILN_RUNTIME_ELEMENTARY_INVERSETRIGONOMETRY_H
