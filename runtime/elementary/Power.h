// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pow, and rsqrt.
#ifndef KILN_RUNTIME_ELEMENTARY_POWER_H
#define KILN_RUNTIME_ELEMENTARY_POWER_H

#include "runtime/elementary/Exponential.h"
#include "runtime/elementary/Logarithm.h"

namespace kiln::elementary {

/// log(x) for a normal x > 0 to about twice the precision of a Float: y log(x)
/// is as large as an exponent, and its absolute error is the relative error of
/// the power.
template <class Ops>
KILN_ELEMENTARY Pair<Ops> logPair(Ops &o, typename Ops::Float x) {
  using F = FormatOf<Ops>;
  auto parts = logParts(o, x);
  auto one = o.constant(1);
  // t = (m - 1) / (m + 1)
  auto numerator = o.sub(parts.m, one);
  auto high = o.add(parts.m, one);
  auto low = o.sub(parts.m, o.sub(high, one));
  auto reciprocal = o.div(one, high);
  auto t = o.mul(numerator, reciprocal);
  auto remainder = o.fma(o.neg(t), high, numerator);
  remainder = o.fma(o.neg(t), low, remainder);
  auto tLow = o.mul(remainder, reciprocal);
  // t^2, t^3, 2/3 t^3
  auto square = twoProduct(o, t, t);
  square.low = o.fma(o.add(t, t), tLow, square.low);
  auto cube = twoProduct(o, square.high, t);
  cube.low = o.add(cube.low, o.fma(square.high, tLow, o.mul(square.low, t)));
  auto third = twoProduct(o, cube.high, o.constant(F::twoThirdsHigh));
  third.low = o.fma(cube.high, o.constant(F::twoThirdsLow),
                    o.fma(cube.low, o.constant(F::twoThirdsHigh), third.low));
  auto tail = o.mul(o.mul(cube.high, square.high),
                    polynomial(o, square.high, CoefficientsOf<Ops>::kPowLog));
  // e log(2) + 2 t + 2/3 t^3 + tail, largest first
  auto n = o.fromInt(parts.e);
  auto sum = fastTwoSum(o, o.mul(n, o.constant(F::log2High)), o.add(t, t));
  auto next = fastTwoSum(o, sum.high, third.high);
  auto rest = o.fma(n, o.constant(F::log2Low), o.add(tail, third.low));
  rest = o.add(rest, o.add(o.add(tLow, tLow), o.add(sum.low, next.low)));
  return fastTwoSum(o, next.high, rest);
}

/// |x|^y for a normal |x|.
template <class Ops>
KILN_ELEMENTARY typename Ops::Float
powMagnitude(Ops &o, typename Ops::Float magnitude, typename Ops::Float y) {
  using F = FormatOf<Ops>;
  constexpr double bound = Ops::kBits == 32 ? 150 : 1200;
  auto logarithm = logPair(o, magnitude);
  auto product = twoProduct(o, y, logarithm.high);
  auto low = o.fma(y, logarithm.low, product.low);
  auto isInside = o.lt(o.abs(product.high), o.constant(bound));
  auto high = atLeast(o, atMost(o, product.high, bound), -bound);
  low = o.select(isInside, low, o.constant(0));
  auto n = roundProduct(o, high, 0x1.71547652b82fep+0);
  auto r = o.fma(n.value, o.constant(-F::log2High), high);
  // r exactly, and exp(r) = 1 + r + r^2 q with one rounding at the end: so x^1
  // is x.
  auto reduced = fastTwoSum(o, r, o.fma(n.value, o.constant(-F::log2Low), low));
  auto q = polynomial(o, reduced.high, CoefficientsOf<Ops>::kExp);
  auto sum = fastTwoSum(o, o.constant(1), reduced.high);
  auto tail =
      o.fma(o.mul(reduced.high, reduced.high), q, o.add(sum.low, reduced.low));
  auto power = o.add(sum.high, tail);
  // 2^n in two factors: n goes beyond the exponents on both sides.
  auto whole = o.isub(n.bits, o.bitsOf(o.constant(F::rounder)));
  auto half = o.ashr(whole, o.iconstant(1));
  power = o.mul(power, powerOfTwo(o, half));
  return o.mul(power, powerOfTwo(o, o.isub(whole, half)));
}

/// x^y with the special values of C.
template <class Ops>
KILN_ELEMENTARY typename Ops::Float pow(Ops &o, typename Ops::Float x,
                                        typename Ops::Float y) {
  using F = FormatOf<Ops>;
  auto zero = o.constant(0), one = o.constant(1), inf = o.constant(kInfinity);
  auto a = o.abs(x);
  auto power = powMagnitude(o, a, y);

  auto isZero = o.lt(a, o.constant(F::smallestNormal));
  auto grows = o.gt(y, zero);
  // 0^y, inf^y and x^inf are 0 or inf.
  auto isExtreme = o.bor(isZero, o.bor(o.eq(a, inf), o.eq(o.abs(y), inf)));
  auto base = o.gt(a, one);
  auto isInfinite =
      o.bor(o.band(base, grows), o.band(o.bnot(base), o.bnot(grows)));
  power = o.select(isExtreme, o.select(isInfinite, inf, zero), power);
  power = o.select(o.eq(a, one), one, power);

  auto isInteger = o.eq(o.floor(y), y);
  auto halfY = o.mul(y, o.constant(0.5));
  auto isOdd = o.band(isInteger, o.ne(o.floor(halfY), halfY));
  auto signBit = o.iand(o.bitsOf(x), o.iconstant(F::signBit));
  auto isNegative = o.icmpLt(o.bitsOf(x), o.iconstant(0));
  auto sign = o.selectInt(isOdd, signBit, o.iconstant(0));
  power = o.floatOf(o.ixor(o.bitsOf(power), sign));
  // A negative finite base with an exponent that is no integer.
  auto isInvalid = o.band(o.band(isNegative, o.bnot(isInteger)),
                          o.bnot(o.bor(isZero, o.eq(a, inf))));
  power = o.select(isInvalid, o.constant(kNan), power);
  power = o.select(o.bor(o.unordered(x), o.unordered(y)), o.add(x, y), power);
  return o.select(o.bor(o.eq(x, one), o.eq(y, zero)), one, power);
}

/// 1 / sqrt(x).
template <class Ops>
KILN_ELEMENTARY typename Ops::Float rsqrt(Ops &o, typename Ops::Float x) {
  return o.div(o.constant(1), o.sqrt(x));
}

} // namespace kiln::elementary

#endif // KILN_RUNTIME_ELEMENTARY_POWER_H
