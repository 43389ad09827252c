// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// erf.
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
  auto q = polynomial(o, o.sub(clamped, o.constant(1)), C::kLogErfc);
  auto parts = expParts(o, q);
  auto scale = expScale(o, parts.n);
  // 1 - (scale + scale p), with one rounding at the end where scale >= 2^-23.
  auto large =
      o.fma(o.neg(scale), partExpm1(o, parts), o.sub(o.constant(1), scale));
  auto y = o.select(o.lt(a, o.constant(0.9)), small, large);
  return withSignOf(o, y, x);
}

} // namespace kiln::elementary

#endif // KILN_RUNTIME_ELEMENTARY_ERRORFUNCTION_H
