// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// erf, erfc.
#ifndef KILN_RUNTIME_ELEMENTARY_ERRORFUNCTION_H
#define KILN_RUNTIME_ELEMENTARY_ERRORFUNCTION_H

#include "runtime/elementary/Exponential.h"

namespace kiln::elementary {

/// x + x P(x^2) near 0, 1 - exp(Q(|x|)) elsewhere, with Q = log(erfc).
template <class Ops>
KILN_ELEMENTARY typename Ops::Float erf(Ops &o, typename Ops::Float x) {
  using C = CoefficientsOf<Ops>;
  auto a = o.abs(x);
  auto z = o.mul(a, a);
  auto small = o.fma(a, polynomial(o, z, C::kErf), a);
  auto clamped = atMost(o, a, Ops::kBits == 32 ? 4 : 6);
  // Its last steps exactly: neighbours stay in order.
  auto q = polynomialExact(o, o.sub(clamped, o.constant(1)), C::kLogErfc);
  auto parts = expParts(o, q);
  auto scale = expScale(o, parts.n);
  // 1 - (scale + scale p), with one rounding at the end where scale >= 2^-23.
  auto large =
      o.fma(o.neg(scale), partExpm1(o, parts), o.sub(o.constant(1), scale));
  auto y = o.select(o.lt(a, o.constant(0.9)), small, large);
  return withSignOf(o, y, x);
}

/// exp(-a^2) P(t) / (2 a + 1) with t = (a - 4) / (a + 4), for 1/2 <= a <=
/// erfcMax. Every factor is a pair: the argument of exp is squared, and three
/// roundings would be too many.
template <class Ops>
KILN_ELEMENTARY typename Ops::Float erfcTail(Ops &o, typename Ops::Float a) {
  using F = FormatOf<Ops>;
  auto one = o.constant(1), four = o.constant(4);
  auto square = twoProduct(o, a, a);
  auto n = roundProduct(o, square.high, -0x1.71547652b82fep+0);
  auto r = o.fma(n.value, o.constant(-F::log2High), o.neg(square.high));
  auto rest = o.fma(n.value, o.constant(-F::log2Low), o.neg(square.low));
  auto reduced = fastTwoSum(o, r, rest);
  auto q = polynomial(o, reduced.high, CoefficientsOf<Ops>::kExp);
  auto power = fastTwoSum(o, one, reduced.high);
  power.low = o.fma(o.mul(reduced.high, reduced.high), q,
                    o.add(power.low, reduced.low));

  auto t = o.div(o.sub(a, four), o.add(a, four));
  auto top = fastTwoSum(o, o.constant(1.25),
                        polynomial(o, t, CoefficientsOf<Ops>::kErfcTail));
  auto bottom = fastTwoSum(o, o.add(a, a), one);
  auto reciprocal = o.div(one, bottom.high);
  auto ratio = o.mul(top.high, reciprocal);
  auto lost = o.fma(o.neg(ratio), bottom.high, top.high);
  lost = o.add(lost, o.fma(o.neg(ratio), bottom.low, top.low));
  lost = o.mul(lost, reciprocal);

  auto product = twoProduct(o, power.high, ratio);
  auto low = o.fma(power.high, lost, o.fma(power.low, ratio, product.low));
  return o.mul(o.add(product.high, low), expScale(o, n.bits));
}

/// 1 - x (1 + P(x^2)) near 0; right of it the tail, left of it 2 minus that of
/// |x|. 0 where the result would be no normal number.
template <class Ops>
KILN_ELEMENTARY typename Ops::Float erfc(Ops &o, typename Ops::Float x) {
  using F = FormatOf<Ops>;
  auto a = o.abs(x);
  auto z = o.mul(a, a);
  auto near = fastTwoSum(o, o.constant(1), o.neg(x));
  auto p = polynomial(o, z, CoefficientsOf<Ops>::kErf);
  auto small = o.add(near.high, o.fma(o.neg(x), p, near.low));
  auto tail = erfcTail(o, atLeast(o, atMost(o, a, F::erfcMax), 0.5));
  tail = o.select(o.gt(a, o.constant(F::erfcMax)), o.constant(0), tail);
  auto large =
      o.select(o.lt(x, o.constant(0)), o.sub(o.constant(2), tail), tail);
  return o.select(o.lt(a, o.constant(0.5)), small, large);
}

} // namespace kiln::elementary

#endif // KILN_RUNTIME_ELEMENTARY_ERRORFUNCTION_H
