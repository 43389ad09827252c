// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// asinh, acosh, atanh: odd polynomials near 0, logarithms of pairs elsewhere.
#ifndef KILN_RUNTIME_ELEMENTARY_INVERSEHYPERBOLIC_H
#define KILN_RUNTIME_ELEMENTARY_INVERSEHYPERBOLIC_H

#include "runtime/elementary/Logarithm.h"

namespace kiln::elementary {

/// log(x + root) where that is finite; from 2^30 on log(2 x), which is the same
/// there and does not overflow.
template <class Ops>
KILN_ELEMENTARY typename Ops::Float logOfSum(Ops &o, typename Ops::Float x,
                                             const Pair<Ops> &sum) {
  auto isLarge = o.ge(x, o.constant(0x1p30));
  Pair<Ops> argument = {o.select(isLarge, x, sum.high),
                        o.select(isLarge, o.constant(0), sum.low)};
  auto e = o.selectInt(isLarge, o.iconstant(1), o.iconstant(0));
  auto y = logOfPair(o, argument, e);
  return o.select(o.lt(x, o.constant(kInfinity)), y, x); // inf, NaN
}

/// log(a + sqrt(a^2 + 1)) of the magnitude.
template <class Ops>
KILN_ELEMENTARY typename Ops::Float asinh(Ops &o, typename Ops::Float x) {
  auto a = o.abs(x);
  auto z = o.mul(a, a);
  auto small =
      o.fma(o.mul(a, z), polynomial(o, z, CoefficientsOf<Ops>::kAsinh), a);
  auto clamped = atMost(o, a, 0x1p30);
  auto square = twoProduct(o, clamped, clamped);
  auto next = twoSum(o, square.high, o.constant(1));
  auto root = pairRoot(o, {next.high, o.add(next.low, square.low)});
  auto sum = fastTwoSum(o, root.high, clamped);
  auto large = logOfSum(o, a, {sum.high, o.add(sum.low, root.low)});
  return withSignOf(o, o.select(o.lt(a, o.constant(0.5)), small, large), x);
}

/// log(x + sqrt(x^2 - 1)); NaN below 1.
template <class Ops>
KILN_ELEMENTARY typename Ops::Float acosh(Ops &o, typename Ops::Float x) {
  auto one = o.constant(1);
  auto clamped = atMost(o, atLeast(o, x, 1), 0x1p30);
  auto square = twoProduct(o, clamped, clamped);
  auto less = fastTwoSum(o, square.high, o.neg(one));
  auto root =
      pairRoot(o, fastTwoSum(o, less.high, o.add(less.low, square.low)));
  auto sum = fastTwoSum(o, clamped, root.high);
  auto y = logOfSum(o, x, {sum.high, o.add(sum.low, root.low)});
  return o.select(o.lt(x, one), o.constant(kNan), y);
}

/// log(1 + 2a / (1 - a)) / 2 of the magnitude; inf at 1, NaN above.
template <class Ops>
KILN_ELEMENTARY typename Ops::Float atanh(Ops &o, typename Ops::Float x) {
  auto one = o.constant(1);
  auto a = o.abs(x);
  auto z = o.mul(a, a);
  auto small =
      o.fma(o.mul(a, z), polynomial(o, z, CoefficientsOf<Ops>::kAtanh), a);
  // Both the sum and the difference are exact from 1/2 to 1.
  auto isInside = o.lt(a, one);
  auto inside = o.select(isInside, a, o.constant(0.5));
  auto twice = o.add(inside, inside), rest = o.sub(one, inside);
  auto ratio = o.div(twice, rest);
  auto lost = o.div(o.fma(o.neg(ratio), rest, twice), rest);
  auto sum = fastTwoSum(o, ratio, one);
  auto large =
      o.mul(o.constant(0.5), logOfPair(o, {sum.high, o.add(sum.low, lost)}));
  auto outside =
      o.select(o.eq(a, one), o.constant(kInfinity), o.constant(kNan));
  large = o.select(isInside, large, outside);
  return withSignOf(o, o.select(o.lt(a, o.constant(0.5)), small, large), x);
}

} // namespace kiln::elementary

#endif // KILN_RUNTIME_ELEMENTARY_INVERSEHYPERBOLIC_H
