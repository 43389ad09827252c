// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// log, log1p, softplus.
#ifndef KILN_RUNTIME_ELEMENTARY_LOGARITHM_H
#define KILN_RUNTIME_ELEMENTARY_LOGARITHM_H

#include "runtime/elementary/Exponential.h"

namespace kiln::elementary {

/// x = 2^e m, sqrt(1/2) <= m < sqrt(2), for a normal x > 0; anything for other
/// x.
template <class Ops> struct LogParts {
  typename Ops::Float m;
  typename Ops::Int e;
};

template <class Ops>
KILN_ELEMENTARY LogParts<Ops> logParts(Ops &o, typename Ops::Float x) {
  using F = FormatOf<Ops>;
  auto offset = o.iconstant(F::sqrtHalf);
  auto bits = o.isub(o.bitsOf(x), offset);
  auto mantissa =
      o.iand(bits, o.iconstant((int64_t(1) << F::mantissaBits) - 1));
  return {o.floatOf(o.iadd(mantissa, offset)),
          o.ashr(bits, o.iconstant(F::mantissaBits))};
}

/// e log(2) + log(1 + f + low).
template <class Ops>
KILN_ELEMENTARY typename Ops::Float logSum(Ops &o, typename Ops::Int e,
                                           typename Ops::Float f,
                                           typename Ops::Float low) {
  using F = FormatOf<Ops>;
  auto n = o.fromInt(e);
  auto sum = fastTwoSum(o, o.mul(n, o.constant(F::log2High)), f);
  auto tail = o.fma(n, o.constant(F::log2Low), o.add(sum.low, low));
  auto q =
      o.fma(f, polynomial(o, f, CoefficientsOf<Ops>::kLog), o.constant(-0.5));
  return o.add(sum.high, o.fma(o.mul(f, f), q, tail));
}

/// `y` = log of `x`, with what log gives for an x that is not positive and
/// finite.
template <class Ops>
KILN_ELEMENTARY typename Ops::Float logSpecial(Ops &o, typename Ops::Float x,
                                               typename Ops::Float y) {
  auto smallest = o.constant(FormatOf<Ops>::smallestNormal);
  auto nonPositive = o.select(o.le(x, o.neg(smallest)), o.constant(kNan),
                              o.constant(-kInfinity));
  y = o.select(o.lt(x, smallest), nonPositive, y);
  return o.select(o.lt(x, o.constant(kInfinity)), y, x); // inf, NaN
}

template <class Ops>
KILN_ELEMENTARY typename Ops::Float log(Ops &o, typename Ops::Float x) {
  auto parts = logParts(o, x);
  auto f = o.sub(parts.m, o.constant(1));
  return logSpecial(o, x, logSum(o, parts.e, f, o.constant(0)));
}

/// e log(2) + log(x.high + x.low) for a normal, finite x.high > 0.
template <class Ops>
KILN_ELEMENTARY typename Ops::Float logOfPair(Ops &o, const Pair<Ops> &x,
                                              typename Ops::Int e) {
  auto parts = logParts(o, x.high);
  // x.low scaled as m is; where 2^-e would be no normal number it is too small
  // to count.
  auto scale =
      o.select(o.lt(x.high, o.constant(0x1p100)),
               powerOfTwo(o, o.isub(o.iconstant(0), parts.e)), o.constant(0));
  auto f = fastTwoSum(o, o.sub(parts.m, o.constant(1)), o.mul(x.low, scale));
  return logSum(o, o.iadd(parts.e, e), f.high, f.low);
}

template <class Ops>
KILN_ELEMENTARY typename Ops::Float logOfPair(Ops &o, const Pair<Ops> &x) {
  return logOfPair(o, x, o.iconstant(0));
}

/// log(1 + x) for -1 < x, finite.
template <class Ops>
KILN_ELEMENTARY typename Ops::Float logOnePlus(Ops &o, typename Ops::Float x,
                                               typename Ops::Float onePlusX) {
  auto one = o.constant(1);
  // What 1 + x has lost.
  auto back = o.sub(onePlusX, one);
  auto lost = o.add(o.sub(one, o.sub(onePlusX, back)), o.sub(x, back));
  return logOfPair(o, {onePlusX, lost});
}

template <class Ops>
KILN_ELEMENTARY typename Ops::Float log1p(Ops &o, typename Ops::Float x) {
  auto onePlusX = o.add(x, o.constant(1));
  auto y = logSpecial(o, onePlusX, logOnePlus(o, x, onePlusX));
  return o.select(o.eq(x, o.constant(0)), x, y); // keeps -0
}

/// log(1 + exp(x)) = max(x, 0) + log(1 + exp(-|x|)).
template <class Ops>
KILN_ELEMENTARY typename Ops::Float softplus(Ops &o, typename Ops::Float x) {
  auto z = exp(o, o.neg(o.abs(x)));
  auto positive = atLeast(o, x, 0);
  return o.add(positive, logOnePlus(o, z, o.add(z, o.constant(1))));
}

} // namespace kiln::elementary

#endif // KILN_RUNTIME_ELEMENTARY_LOGARITHM_H
