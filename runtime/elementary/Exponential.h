// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// exp, expm1 and what is made of them: sigmoid, tanh, sinh, cosh.
#ifndef KILN_RUNTIME_ELEMENTARY_EXPONENTIAL_H
#define KILN_RUNTIME_ELEMENTARY_EXPONENTIAL_H

#include "runtime/elementary/Common.h"

namespace kiln::elementary {

/// exp(x) = 2^n exp(r), exp(r) = 1 + r + r^2 q; of n, an integer whose low bits
/// are its.
template <class Ops> struct ExpParts {
  typename Ops::Float r, q;
  typename Ops::Int n;
};

/// Reduces x - n log(2) = r and evaluates the polynomial.
template <class Ops, std::size_t N>
KILN_ELEMENTARY ExpParts<Ops>
expParts(Ops &o, typename Ops::Float x, const Rounded<Ops> &n,
         const std::array<double, N> &coefficients) {
  using F = FormatOf<Ops>;
  auto r = o.fma(n.value, o.constant(-F::log2High), x);
  r = o.fma(n.value, o.constant(-F::log2Low), r);
  return {r, polynomial(o, r, coefficients), n.bits};
}

template <class Ops>
KILN_ELEMENTARY ExpParts<Ops> expParts(Ops &o, typename Ops::Float x) {
  return expParts(o, x, roundProduct(o, x, 0x1.71547652b82fep+0),
                  CoefficientsOf<Ops>::kExp);
}

/// exp(r) - 1.
template <class Ops>
KILN_ELEMENTARY typename Ops::Float partExpm1(Ops &o,
                                              const ExpParts<Ops> &parts) {
  return o.fma(o.mul(parts.r, parts.r), parts.q, parts.r);
}

/// exp(r). The sum 1 + r is exact, so that what q is off by counts by r^2
/// alone: a result never falls below that of a smaller argument, as it did at
/// 2895 floats with r (1 + r q).
template <class Ops>
KILN_ELEMENTARY typename Ops::Float partExp(Ops &o,
                                            const ExpParts<Ops> &parts) {
  auto sum = fastTwoSum(o, o.constant(1), parts.r);
  return o.add(sum.high, o.fma(o.mul(parts.r, parts.r), parts.q, sum.low));
}

/// 2^n from the low bits of n, an exponent of normal numbers.
template <class Ops>
KILN_ELEMENTARY typename Ops::Float expScale(Ops &o, typename Ops::Int n) {
  using F = FormatOf<Ops>;
  return o.floatOf(
      o.iadd(o.shl(n, o.iconstant(F::mantissaBits)), o.iconstant(F::one)));
}

/// exp(x) 2^shift, where that is a normal number; anything elsewhere, NaN
/// included. n is added to the exponent's bits, so that the whole range of
/// results is reached with one step.
template <class Ops>
KILN_ELEMENTARY typename Ops::Float expShifted(Ops &o, typename Ops::Float x,
                                               int64_t shift) {
  using F = FormatOf<Ops>;
  auto parts = expParts(o, x);
  auto y = o.bitsOf(partExp(o, parts));
  if (shift)
    y = o.iadd(y, o.iconstant(shift * (int64_t(1) << F::mantissaBits)));
  return o.floatOf(o.iadd(y, o.shl(parts.n, o.iconstant(F::mantissaBits))));
}

template <class Ops>
KILN_ELEMENTARY typename Ops::Float exp(Ops &o, typename Ops::Float x) {
  using F = FormatOf<Ops>;
  auto y = expShifted(o, x, 0);
  y = o.select(o.lt(x, o.constant(F::expMin)), o.constant(0), y);
  // x * inf is inf for a large x and NaN for NaN.
  return o.select(o.le(x, o.constant(F::expMax)), y,
                  o.mul(x, o.constant(kInfinity)));
}

template <class Ops>
KILN_ELEMENTARY typename Ops::Float expm1(Ops &o, typename Ops::Float x) {
  using F = FormatOf<Ops>;
  auto clamped = atLeast(o, atMost(o, x, F::expm1Safe), -F::saturated);
  // Near 0 nothing may be subtracted: what r has lost would show in a result no
  // larger than r.
  auto isSmall = o.lt(o.abs(x), o.constant(0.55));
  auto n = roundProduct(o, clamped, 0x1.71547652b82fep+0);
  n.value = o.select(isSmall, o.constant(0), n.value);
  auto parts = expParts(o, clamped, n, CoefficientsOf<Ops>::kExpm1);
  auto p = partExpm1(o, parts);
  // Half of the result, because 2^n may be one more than the largest power of
  // two.
  auto half = expScale(o, o.isub(n.bits, o.iconstant(1)));
  half = o.fma(half, p, o.sub(half, o.constant(0.5)));
  auto y = o.select(isSmall, p, o.add(half, half));
  return o.select(o.eq(x, o.constant(0)), x, y); // keeps -0
}

/// 1 + exp(x) with one rounding at the end. |x| within Format::expSafe.
template <class Ops>
KILN_ELEMENTARY typename Ops::Float onePlusExp(Ops &o, typename Ops::Float x) {
  auto parts = expParts(o, x);
  auto scale = expScale(o, parts.n);
  return o.fma(partExpm1(o, parts), scale, o.add(scale, o.constant(1)));
}

/// 1 / (1 + exp(-x)).
template <class Ops>
KILN_ELEMENTARY typename Ops::Float sigmoid(Ops &o, typename Ops::Float x) {
  using F = FormatOf<Ops>;
  auto clamped = atLeast(o, atMost(o, o.neg(x), F::expSafe), -F::saturated * 2);
  return o.div(o.constant(1), onePlusExp(o, clamped));
}

/// x + x^3 P(x^2) near 0, 1 - 2 / (exp(2x) + 1) elsewhere.
template <class Ops>
KILN_ELEMENTARY typename Ops::Float tanh(Ops &o, typename Ops::Float x) {
  auto a = o.abs(x);
  auto clamped = atMost(o, a, FormatOf<Ops>::saturated);
  auto denominator = onePlusExp(o, o.add(clamped, clamped));
  auto large = o.sub(o.constant(1), o.div(o.constant(2), denominator));
  auto z = o.mul(a, a);
  auto small =
      o.fma(o.mul(a, z), polynomial(o, z, CoefficientsOf<Ops>::kTanh), a);
  auto y = o.select(o.lt(a, o.constant(0.625)), small, large);
  return withSignOf(o, y, x);
}

/// exp(a) / 2 for a >= 0, infinite only where that is.
template <class Ops>
KILN_ELEMENTARY typename Ops::Float halfExp(Ops &o, typename Ops::Float a) {
  auto y = expShifted(o, a, -1);
  return o.select(o.le(a, o.constant(FormatOf<Ops>::halfExpMax)), y,
                  o.mul(a, o.constant(kInfinity)));
}

template <class Ops>
KILN_ELEMENTARY typename Ops::Float cosh(Ops &o, typename Ops::Float x) {
  auto half = halfExp(o, o.abs(x));
  return o.add(half, o.div(o.constant(0.25), half));
}

template <class Ops>
KILN_ELEMENTARY typename Ops::Float sinh(Ops &o, typename Ops::Float x) {
  auto a = o.abs(x);
  auto half = halfExp(o, a);
  auto large = o.sub(half, o.div(o.constant(0.25), half));
  auto z = o.mul(a, a);
  auto small =
      o.fma(o.mul(a, z), polynomial(o, z, CoefficientsOf<Ops>::kSinh), a);
  auto y = o.select(o.lt(a, o.constant(1)), small, large);
  return withSignOf(o, y, x);
}

} // namespace kiln::elementary

#endif // KILN_RUNTIME_ELEMENTARY_EXPONENTIAL_H
