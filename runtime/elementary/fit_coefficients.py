# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Fits the polynomials of the elementary functions and prints Coefficients.h (needs mpmath).
#
# Each polynomial is a weighted least-squares fit at Chebyshev nodes, whose coefficients are rounded
# one after the other, lowest power first, the rest being fitted again after each: what rounding a
# coefficient loses is made good by the next ones. The comment of an array gives the largest error
# relative to the function, in powers of two.
from mpmath import mp, mpf, cos, pi, exp, log, sin, tanh, sinh, asin, asinh, atan, atanh, erf, erfc, expm1, log1p, sqrt, matrix, floor, ldexp, frexp
mp.dps = 60


def rounded(value, bits):
    man, e = frexp(value)
    return ldexp(mp.nint(ldexp(man, bits)), e - bits)


def fit(g, weight, lo, hi, count, bits):
    """Coefficients of the polynomial closest to g on [lo, hi], and the largest weighted error."""
    n = 4 * count + 8
    nodes = [(lo + hi) / 2 + (hi - lo) / 2 * cos(pi * (2 * k + 1) / (2 * n)) for k in range(n)]
    gs, ws = [g(t) for t in nodes], [weight(t) for t in nodes]
    fixed = []
    for i in range(count):
        rest = count - i
        a, b = matrix(n, rest), matrix(n, 1)
        for k, t in enumerate(nodes):
            b[k] = ws[k] * (gs[k] - sum(c * t**j for j, c in enumerate(fixed)))
            for j in range(rest):
                a[k, j] = ws[k] * t**(i + j)
        at = a.T
        fixed.append(rounded(mp.lu_solve(at * a, at * b)[0], bits))
    worst = max(abs(w * (v - sum(c * t**j for j, c in enumerate(fixed)))) for t, v, w in zip(nodes, gs, ws))
    return fixed, worst


def root(f):  # a function of z = x * x, given as one of x
    return lambda z: f(sqrt(z))


def log_tail(t):  # (log((1+t)/(1-t)) - 2t - 2/3 t^3) / t^5
    return sum(2 * t**(2 * k) / (2 * k + 5) for k in range(40))


def erfc_tail(t):
    x = 4 * (1 + t) / (1 - t)
    return erfc(x) * exp(x * x) * (2 * x + 1)


ENDS = {  # the intervals that depend on the format, by what a result still shows
    "kLogErfc": {32: (mpf(-0.1), mpf(3)), 64: (mpf(-0.1), mpf(5))},
    "kErfcTail": {32: (mpf(-7) / 9, mpf(5.3) / mpf(13.3)), 64: (mpf(-7) / 9, mpf(22.6) / mpf(30.6))},
}
tiny = mpf(2)**-60
half = log(mpf(2)) / 2 + mpf(2)**-12
quarter = pi / 4 + mpf(2)**-12
# name, meaning, g, weight (error of the function relative to it per error of g), interval, counts
TABLE = [
    ("kExp", "(exp(r) - 1 - r) / r^2, |r| <= log(2)/2", lambda r: (exp(r) - 1 - r) / r**2, lambda r: r**2 / exp(r), (-half, half), (5, 10)),
    ("kExpm1", "(exp(r) - 1 - r) / r^2, |r| <= 0.56", lambda r: (expm1(r) - r) / r**2, lambda r: r**2 / expm1(r), (mpf(-0.56), mpf(0.56)), (6, 12)),
    ("kLog", "(log(1 + f) - f + f^2/2) / f^3, sqrt(1/2) <= 1 + f < sqrt(2)", lambda f: (log1p(f) - f + f**2 / 2) / f**3, lambda f: f**3 / log1p(f), (sqrt(mpf(1) / 2) - 1, sqrt(mpf(2)) - 1), (9, 20)),
    ("kSin", "(sin(r) - r) / r^3 by r^2, |r| <= pi/4", root(lambda r: (sin(r) - r) / r**3), root(lambda r: r**3 / sin(r)), (tiny, quarter**2), (3, 7)),
    ("kCos", "(cos(r) - 1 + r^2/2) / r^4 by r^2, |r| <= pi/4", root(lambda r: (cos(r) - 1 + r**2 / 2) / r**4), root(lambda r: r**4), (tiny, quarter**2), (3, 6)),
    ("kAtan", "(atan(t) - t) / t^3 by t^2, 0 <= t <= 1", root(lambda t: (atan(t) - t) / t**3), root(lambda t: t**3 / atan(t)), (tiny, mpf(1)), (9, 21)),
    ("kTanh", "(tanh(x) - x) / x^3 by x^2, |x| <= 0.625", root(lambda x: (tanh(x) - x) / x**3), root(lambda x: x**3 / tanh(x)), (tiny, mpf(0.625)**2), (5, 11)),
    ("kSinh", "(sinh(x) - x) / x^3 by x^2, |x| <= 1", root(lambda x: (sinh(x) - x) / x**3), root(lambda x: x**3 / sinh(x)), (tiny, mpf(1)), (4, 8)),
    ("kErf", "erf(x) / x - 1 by x^2, |x| <= 0.9", root(lambda x: erf(x) / x - 1), root(lambda x: x / erf(x)), (tiny, mpf(0.9)**2), (7, 13)),
    ("kLogErfc", "log(erfc(1 + u)), -0.1 <= u, up to where erf rounds to 1", lambda u: log(erfc(1 + u)), lambda u: erfc(1 + u) / erf(1 + u), None, (10, 28)),
    ("kAsin", "(asin(t) - t) / t^3 by t^2, 0 <= t <= 1/2", root(lambda t: (asin(t) - t) / t**3), root(lambda t: t**3 / asin(t)), (tiny, mpf(1) / 4), (5, 12)),
    ("kAsinh", "(asinh(x) - x) / x^3 by x^2, |x| <= 1/2", root(lambda x: (asinh(x) - x) / x**3), root(lambda x: x**3 / asinh(x)), (tiny, mpf(1) / 4), (5, 13)),
    ("kAtanh", "(atanh(x) - x) / x^3 by x^2, |x| <= 1/2", root(lambda x: (atanh(x) - x) / x**3), root(lambda x: x**3 / atanh(x)), (tiny, mpf(1) / 4), (6, 14)),
    ("kErfcTail", "erfc(x) exp(x^2) (2 x + 1) - 5/4 by t = (x - 4) / (x + 4), 1/2 <= x, up to where erfc vanishes", lambda t: erfc_tail(t) - mpf(5) / 4, lambda t: 1 / erfc_tail(t), None, (10, 24)),
    ("kPowLog", "(log((1+t)/(1-t)) - 2t - 2/3 t^3) / t^5 by t^2, |t| <= 0.1716", root(log_tail), lambda z: z**2, (tiny, mpf(0.1716)**2), (3, 8)),
]

print("""// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Polynomial coefficients of the elementary functions, lowest power first, written by
// fit_coefficients.py; a comment gives what is approximated, where, and log2 of the error
// relative to the function.
#ifndef KILN_RUNTIME_ELEMENTARY_COEFFICIENTS_H
#define KILN_RUNTIME_ELEMENTARY_COEFFICIENTS_H

#include <array>
#include <cstdint>

namespace kiln::elementary {

template <int Bits> struct Coefficients;
""")


def literal(value):
    man, e = frexp(value)
    m = int(ldexp(abs(man), 53))
    s = "%s0x1.%013xp%d" % ("-" if value < 0 else "", (m & ((1 << 52) - 1)), e - 1)
    head, tail = s.split("p")
    return head.rstrip("0").rstrip(".") + "p" + tail


for which, (bits, precision) in enumerate(((32, 24), (64, 53))):
    print("template <> struct Coefficients<%d> {" % bits)
    for name, meaning, g, w, interval, counts in TABLE:
        if interval is None:
            interval = ENDS[name][bits]
        cs, worst = fit(g, w, interval[0], interval[1], counts[which], precision)
        print("  // %s: %.1f" % (meaning, mp.log(worst, 2)))
        print("  static constexpr std::array<double, %d> %s = {" % (len(cs), name))
        print("      " + ", ".join(literal(c) for c in cs) + "};")
    print("};\n")

WORDS = {32: 7, 64: 19}
for bits, count in WORDS.items():
    with mp.workdps(700):
        digits = int(floor(ldexp(2 / +pi, bits * count - bits - 1)))
    words = [(digits >> (bits * (count - 1 - i))) & ((1 << bits) - 1) for i in range(count)]
    print("// The bits of 2/pi behind %d zeros: bit p (from the left, from 0) weighs 2^(%d - p)." % (bits + 1, bits))
    print("inline constexpr std::array<uint%d_t, %d> kTwoOverPi%d = {" % (bits, count, bits))
    print("    " + ", ".join(("0x%0" + str(bits // 4) + "x") % x for x in words) + "};\n")
print("} // namespace kiln::elementary\n\n#endif // KILN_RUNTIME_ELEMENTARY_COEFFICIENTS_H")
