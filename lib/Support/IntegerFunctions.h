// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the functions of integers give, as templates over a value type: numbers
// for the evaluator, folding and shapes, a builder of IR for native code.
//
// `Ops` has the types Int and Bool, the width `bits`, `isUnsigned`, and
//   constant(n)                        n wrapped
//   add, sub, mul (a, b)               wrapped
//   bitAnd, bitOr, bitXor (a, b)
//   shl, shr, lshr (a, n)              0 <= n < bits; shr keeps the sign
//   minUnsigned(a, b)
//   less, greater, equal, unequal (a, b)
//   both(p, q), select(p, a, b)
//   divide(a, b)                       {quotient towards zero, rest}; b is not
//                                      0, and -1 only where dividesByMinusOne
//   repeat(n, state, body)             state = body(ops, state), n times, or
//                                      until state.rest is 0
#ifndef KILN_LIB_SUPPORT_INTEGERFUNCTIONS_H
#define KILN_LIB_SUPPORT_INTEGERFUNCTIONS_H

#include <cstdint>
#include <type_traits>

namespace kiln::integers {

#define KILN_INTEGER template <class Ops> constexpr typename Ops::Int
#define KILN_INT typename Ops::Int

KILN_INTEGER neg(Ops ops, KILN_INT x) { return ops.sub(ops.constant(0), x); }

/// The smallest integer has no magnitude and stays.
KILN_INTEGER abs(Ops ops, KILN_INT x) {
  if (ops.isUnsigned)
    return x;
  auto negative = ops.less(x, ops.constant(0));
  return ops.select(negative, neg(ops, x), x);
}

KILN_INTEGER sign(Ops ops, KILN_INT x) {
  if (ops.isUnsigned)
    return ops.minUnsigned(x, ops.constant(1));
  auto zero = ops.constant(0);
  auto positive = ops.select(ops.greater(x, zero), ops.constant(1), zero);
  return ops.select(ops.less(x, zero), ops.constant(-1), positive);
}

KILN_INTEGER bitNot(Ops ops, KILN_INT x) {
  return ops.bitXor(x, ops.constant(-1));
}

KILN_INTEGER add(Ops ops, KILN_INT x, KILN_INT y) { return ops.add(x, y); }
KILN_INTEGER sub(Ops ops, KILN_INT x, KILN_INT y) { return ops.sub(x, y); }
KILN_INTEGER mul(Ops ops, KILN_INT x, KILN_INT y) { return ops.mul(x, y); }
KILN_INTEGER bitAnd(Ops ops, KILN_INT x, KILN_INT y) {
  return ops.bitAnd(x, y);
}
KILN_INTEGER bitOr(Ops ops, KILN_INT x, KILN_INT y) { return ops.bitOr(x, y); }
KILN_INTEGER bitXor(Ops ops, KILN_INT x, KILN_INT y) {
  return ops.bitXor(x, y);
}
KILN_INTEGER max(Ops ops, KILN_INT x, KILN_INT y) {
  return ops.select(ops.greater(x, y), x, y);
}
KILN_INTEGER min(Ops ops, KILN_INT x, KILN_INT y) {
  return ops.select(ops.less(x, y), x, y);
}

template <class Int> struct Quotient {
  Int quotient, rest;
};

/// The quotient rounded towards zero, and the rest, which has the sign of x; y
/// is not 0. The smallest integer by -1 would trap: -1 is a negation.
template <class Ops>
constexpr Quotient<KILN_INT> divide(Ops ops, KILN_INT x, KILN_INT y) {
  if (ops.isUnsigned || ops.dividesByMinusOne)
    return ops.divide(x, y);
  auto negates = ops.equal(y, ops.constant(-1));
  auto divisor = ops.select(negates, ops.constant(1), y);
  Quotient<KILN_INT> plain = ops.divide(x, divisor);
  return {ops.select(negates, neg(ops, x), plain.quotient),
          ops.select(negates, ops.constant(0), plain.rest)};
}

KILN_INTEGER div(Ops ops, KILN_INT x, KILN_INT y) {
  return divide(ops, x, y).quotient;
}
KILN_INTEGER rem(Ops ops, KILN_INT x, KILN_INT y) {
  return divide(ops, x, y).rest;
}

/// Whether rounding down differs from rounding towards zero.
template <class Ops>
constexpr typename Ops::Bool roundsDown(Ops ops, KILN_INT rest, KILN_INT y) {
  auto otherSign = ops.less(ops.bitXor(rest, y), ops.constant(0));
  return ops.both(otherSign, ops.unequal(rest, ops.constant(0)));
}

KILN_INTEGER floorDiv(Ops ops, KILN_INT x, KILN_INT y) {
  auto [quotient, rest] = divide(ops, x, y);
  if (ops.isUnsigned)
    return quotient;
  auto lower = ops.sub(quotient, ops.constant(1));
  return ops.select(roundsDown(ops, rest, y), lower, quotient);
}

KILN_INTEGER floorMod(Ops ops, KILN_INT x, KILN_INT y) {
  auto rest = divide(ops, x, y).rest;
  if (ops.isUnsigned)
    return rest;
  auto moves = roundsDown(ops, rest, y);
  return ops.select(moves, ops.add(rest, y), rest);
}

/// A number of bits to shift by, brought into its range.
KILN_INTEGER shiftCount(Ops ops, KILN_INT y) {
  auto count = ops.minUnsigned(y, ops.constant(ops.bits - 1));
  if (ops.isUnsigned)
    return count;
  auto zero = ops.constant(0);
  return ops.select(ops.less(y, zero), zero, count);
}
KILN_INTEGER shiftLeft(Ops ops, KILN_INT x, KILN_INT y) {
  return ops.shl(x, shiftCount(ops, y));
}
KILN_INTEGER shiftRight(Ops ops, KILN_INT x, KILN_INT y) {
  return ops.shr(x, shiftCount(ops, y));
}

template <class Int> struct PowerState {
  Int square, rest, product;
};

/// By repeated squaring over the bits of y, which is not negative.
KILN_INTEGER pow(Ops ops, KILN_INT x, KILN_INT y) {
  using State = PowerState<KILN_INT>;
  auto one = ops.constant(1);
  return ops
      .repeat(ops.isUnsigned ? ops.bits : ops.bits - 1, State{x, y, one},
              [](Ops in, State state) {
                auto odd = in.unequal(in.bitAnd(state.rest, in.constant(1)),
                                      in.constant(0));
                auto product = in.mul(state.product, state.square);
                return State{in.mul(state.square, state.square),
                             in.lshr(state.rest, in.constant(1)),
                             in.select(odd, product, state.product)};
              })
      .product;
}

#undef KILN_INTEGER
#undef KILN_INT

/// The operations on numbers; T is an integer type or bool.
template <class T> struct ScalarIntegers {
  using Int = T;
  using Bool = bool;
  /// What T wraps in; at least as wide as int, to which operands would promote.
  using Wide = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  static constexpr bool isBool = std::is_same_v<T, bool>;
  static constexpr int bits = isBool ? 1 : 8 * sizeof(T);
  static constexpr bool isUnsigned = std::is_unsigned_v<T>;
  static constexpr bool dividesByMinusOne = sizeof(T) < sizeof(int);

  static constexpr T constant(int64_t n) { return static_cast<T>(n); }
  static constexpr T add(T a, T b) { return static_cast<T>(Wide(a) + Wide(b)); }
  static constexpr T sub(T a, T b) { return static_cast<T>(Wide(a) - Wide(b)); }
  static constexpr T mul(T a, T b) { return static_cast<T>(Wide(a) * Wide(b)); }
  static constexpr T bitAnd(T a, T b) { return static_cast<T>(a & b); }
  static constexpr T bitOr(T a, T b) { return static_cast<T>(a | b); }
  static constexpr T bitXor(T a, T b) { return static_cast<T>(a ^ b); }
  static constexpr T shl(T a, T n) { return static_cast<T>(Wide(a) << n); }
  static constexpr T shr(T a, T n) { return static_cast<T>(a >> n); }
  static constexpr T lshr(T a, T n) { return static_cast<T>(bitsOf(a) >> n); }
  static constexpr T minUnsigned(T a, T b) {
    return bitsOf(a) < bitsOf(b) ? a : b;
  }
  static constexpr bool less(T a, T b) { return a < b; }
  static constexpr bool greater(T a, T b) { return a > b; }
  static constexpr bool equal(T a, T b) { return a == b; }
  static constexpr bool unequal(T a, T b) { return a != b; }
  static constexpr bool both(bool p, bool q) { return p & q; }
  static constexpr T select(bool p, T a, T b) { return p ? a : b; }
  static constexpr Quotient<T> divide(T a, T b) {
    return {static_cast<T>(a / b), static_cast<T>(a % b)};
  }
  template <class State, class Body>
  static constexpr State repeat(int count, State state, Body body) {
    for (int i = 0; i < count && state.rest != 0; ++i)
      state = body(ScalarIntegers(), state);
    return state;
  }

private:
  /// Without the copies of the sign.
  static constexpr Wide bitsOf(T a) {
    constexpr Wide mask = ~Wide(0) >> (8 * sizeof(Wide) - bits);
    return Wide(a) & mask;
  }
};

} // namespace kiln::integers

#endif // KILN_LIB_SUPPORT_INTEGERFUNCTIONS_H
