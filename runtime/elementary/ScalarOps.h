// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations of runtime/elementary/Elementary.h on numbers. Include it only
// in files that are compiled with -ffp-contract=off.
#ifndef KILN_RUNTIME_ELEMENTARY_SCALAROPS_H
#define KILN_RUNTIME_ELEMENTARY_SCALAROPS_H

#include "runtime/elementary/Common.h"

#include <bit>
#include <concepts>
#include <type_traits>

namespace kiln::elementary {

template <std::floating_point T> struct ScalarOps {
  using Float = T;
  using Int = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;
  using Unsigned = std::make_unsigned_t<Int>;
  using Bool = bool;
  static constexpr int kBits = 8 * sizeof(T);

#define KILN_OP KILN_ELEMENTARY constexpr
  KILN_OP Float constant(double value) { return Float(value); }
  KILN_OP Int iconstant(int64_t value) { return Int(value); }

  KILN_OP Float add(Float a, Float b) { return a + b; }
  KILN_OP Float sub(Float a, Float b) { return a - b; }
  KILN_OP Float mul(Float a, Float b) { return a * b; }
  KILN_OP Float div(Float a, Float b) { return a / b; }
  KILN_OP Float neg(Float a) { return -a; }
  KILN_OP Float abs(Float a) {
    return std::bit_cast<Float>(
        Unsigned(std::bit_cast<Unsigned>(a) & (~Unsigned(0) >> 1)));
  }
  KILN_ELEMENTARY Float sqrt(Float a) {
    if constexpr (kBits == 32)
      return __builtin_sqrtf(a);
    else
      return __builtin_sqrt(a);
  }
  KILN_ELEMENTARY Float fma(Float a, Float b, Float c) {
    if constexpr (kBits == 32)
      return __builtin_fmaf(a, b, c);
    else
      return __builtin_fma(a, b, c);
  }
  KILN_ELEMENTARY Float floor(Float a) {
    if constexpr (kBits == 32)
      return __builtin_floorf(a);
    else
      return __builtin_floor(a);
  }
  KILN_ELEMENTARY Float roundEven(Float a) {
    if constexpr (kBits == 32)
      return __builtin_roundevenf(a);
    else
      return __builtin_roundeven(a);
  }

  KILN_OP Bool lt(Float a, Float b) { return a < b; }
  KILN_OP Bool le(Float a, Float b) { return a <= b; }
  KILN_OP Bool gt(Float a, Float b) { return a > b; }
  KILN_OP Bool ge(Float a, Float b) { return a >= b; }
  KILN_OP Bool eq(Float a, Float b) { return a == b; }
  KILN_OP Bool ne(Float a, Float b) { return a != b; }
  KILN_OP Bool unordered(Float a) { return a != a; }
  KILN_OP Float select(Bool c, Float a, Float b) { return c ? a : b; }
  KILN_OP Int selectInt(Bool c, Int a, Int b) { return c ? a : b; }
  KILN_OP Bool band(Bool a, Bool b) { return a & b; }
  KILN_OP Bool bor(Bool a, Bool b) { return a | b; }
  KILN_OP Bool bnot(Bool a) { return !a; }

  KILN_OP Int bitsOf(Float a) { return std::bit_cast<Int>(a); }
  KILN_OP Float floatOf(Int a) { return std::bit_cast<Float>(a); }
  KILN_OP Int toInt(Float a) { return Int(a); }
  KILN_OP Float fromInt(Int a) { return Float(a); }

  KILN_OP Int iadd(Int a, Int b) { return Int(Unsigned(a) + Unsigned(b)); }
  KILN_OP Int isub(Int a, Int b) { return Int(Unsigned(a) - Unsigned(b)); }
  KILN_OP Int imul(Int a, Int b) { return Int(Unsigned(a) * Unsigned(b)); }
  KILN_OP Int iurem(Int a, Int b) { return Int(Unsigned(a) % Unsigned(b)); }
  KILN_OP Int umulHigh(Int a, Int b) {
    if constexpr (kBits == 32) {
      return Int(Unsigned(uint64_t(Unsigned(a)) * Unsigned(b) >> 32));
    } else {
      // By halves: a loop with products of 128 bits is not vectorized.
      Unsigned aLow = uint32_t(a), aHigh = Unsigned(a) >> 32;
      Unsigned bLow = uint32_t(b), bHigh = Unsigned(b) >> 32;
      Unsigned middle = aHigh * bLow + (aLow * bLow >> 32);
      Unsigned other = aLow * bHigh + uint32_t(middle);
      return Int(aHigh * bHigh + (middle >> 32) + (other >> 32));
    }
  }
  KILN_OP Int iand(Int a, Int b) { return a & b; }
  KILN_OP Int ior(Int a, Int b) { return a | b; }
  KILN_OP Int ixor(Int a, Int b) { return a ^ b; }
  KILN_OP Int shl(Int a, Int n) { return Int(Unsigned(a) << n); }
  KILN_OP Int lshr(Int a, Int n) { return Int(Unsigned(a) >> n); }
  KILN_OP Int ashr(Int a, Int n) { return a >> n; }
  KILN_OP Bool icmpEq(Int a, Int b) { return a == b; }
  KILN_OP Bool icmpLt(Int a, Int b) { return a < b; }
  KILN_OP Bool icmpUlt(Int a, Int b) { return Unsigned(a) < Unsigned(b); }
#undef KILN_OP
};

} // namespace kiln::elementary

#endif // KILN_RUNTIME_ELEMENTARY_SCALAROPS_H
