// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow's random numbers: Philox-4x32-10 and the distributions made of its
// words, written once over a type of operations (numbers for the evaluator, a
// builder of IR for generated code).
//
// Layout, as TensorFlow's CPU kernels number their outputs: sample n of a
// stream is the 128-bit block at counter + n; output i takes sample i / 4 (f32,
// i32) or i / 2 (f64, i64); the groups of 4 or 2 outputs of truncated normal
// take their words from sample 64 * (first output) on, as many as are rejected.
// An execution with `count` outputs moves the stream on by samplesTaken(count).
//
// A RandomOps type R has members `f32` and `f64`, Ops types
// (runtime/elementary/Elementary.h) of the same number of lanes, and
// narrow(f64's Int) -> f32's Int, the low half. A word of Philox is kept
// zero-extended in an Int of f64, so that one product of 64 bits gives both of
// its halves.
#ifndef KILN_RUNTIME_RANDOM_RANDOM_H
#define KILN_RUNTIME_RANDOM_RANDOM_H

#include "runtime/elementary/Elementary.h"

#include <array>
#include <cstdint>
#include <span>

namespace kiln::random {

/// A place in a stream; the layout of runtime/abi/Symbols.def's reserveRandom.
struct PhiloxState {
  uint32_t counter[4];
  uint32_t key[2];
};
static_assert(sizeof(PhiloxState) == 24);

/// The start of the stream of a node with these seeds (both 0: the caller draws
/// them from entropy).
constexpr PhiloxState initPhilox(uint64_t seed, uint64_t seed2) {
  return {{0, 0, uint32_t(seed2), uint32_t(seed2 >> 32)},
          {uint32_t(seed), uint32_t(seed >> 32)}};
}

/// Moves on by so many samples of 128 bits.
constexpr void skip(PhiloxState &state, uint64_t samples) {
  uint64_t low = state.counter[0] | uint64_t(state.counter[1]) << 32;
  uint64_t high = state.counter[2] | uint64_t(state.counter[3]) << 32;
  low += samples;
  high += low < samples;
  state = {{uint32_t(low), uint32_t(low >> 32), uint32_t(high),
            uint32_t(high >> 32)},
           {state.key[0], state.key[1]}};
}

/// The samples that an execution with so many outputs takes from its node's
/// stream.
constexpr uint64_t samplesTaken(uint64_t outputs) { return outputs * 256; }

template <class R> using Word = decltype(R::f64)::Int;
template <class R> using Float32 = decltype(R::f32)::Float;
template <class R> using Int32 = decltype(R::f32)::Int;
template <class R> using Float64 = decltype(R::f64)::Float;

/// PhiloxState in lanes: the counter in two words of 64 bits, the key in two of
/// 32, zero-extended.
template <class R> struct PhiloxBase {
  Word<R> counterLow, counterHigh, key0, key1;
};

/// The four words of sample n.
template <class R>
KILN_ELEMENTARY std::array<Word<R>, 4> philox(R &r, const PhiloxBase<R> &base,
                                              Word<R> n) {
  auto &o = r.f64;
  auto mask = o.iconstant(0xffffffff), half = o.iconstant(32);
  auto low = o.iadd(base.counterLow, n);
  auto carry = o.selectInt(o.icmpUlt(low, n), o.iconstant(1), o.iconstant(0));
  auto high = o.iadd(base.counterHigh, carry);
  std::array<Word<R>, 4> c = {o.iand(low, mask), o.lshr(low, half),
                              o.iand(high, mask), o.lshr(high, half)};
  auto key0 = base.key0, key1 = base.key1;
  for (int round = 0; round < 10; ++round) {
    if (round) {
      key0 = o.iand(o.iadd(key0, o.iconstant(0x9e3779b9)), mask);
      key1 = o.iand(o.iadd(key1, o.iconstant(0xbb67ae85)), mask);
    }
    auto a = o.imul(o.iconstant(0xd2511f53), c[0]);
    auto b = o.imul(o.iconstant(0xcd9e8d57), c[2]);
    c = {o.ixor(o.ixor(o.lshr(b, half), c[1]), key0), o.iand(b, mask),
         o.ixor(o.ixor(o.lshr(a, half), c[3]), key1), o.iand(a, mask)};
  }
  return c;
}

/// Uniform in [0, 1) from the low 23 bits of a word.
template <class R> KILN_ELEMENTARY Float32<R> unitF32(R &r, Word<R> word) {
  auto bits = r.f64.ior(r.f64.iand(word, r.f64.iconstant(0x7fffff)),
                        r.f64.iconstant(0x3f800000));
  return r.f32.sub(r.f32.floatOf(r.narrow(bits)), r.f32.constant(1));
}

/// Uniform in [0, 1) from 52 bits; `upper` gives the upper 20 of them.
template <class R>
KILN_ELEMENTARY Float64<R> unitF64(R &r, Word<R> upper, Word<R> lower) {
  auto &o = r.f64;
  auto bits = o.ior(o.shl(o.iand(upper, o.iconstant(0xfffff)), o.iconstant(32)),
                    o.ior(lower, o.iconstant(0x3ff0000000000000)));
  return o.sub(o.floatOf(bits), o.constant(1));
}

/// Two independent normal numbers from two uniform ones (Box and Muller), the
/// sine's first. The angle is rounded as TensorFlow rounds it: near a multiple
/// of pi that decides the digits.
template <class Ops>
KILN_ELEMENTARY std::array<typename Ops::Float, 2>
boxMuller(Ops &o, typename Ops::Float u, typename Ops::Float v) {
  constexpr double twoPi = 0x1.921fb54442d18p+2;
  auto radius = o.sqrt(o.mul(
      o.constant(-2), elementary::log(o, elementary::atLeast(o, u, 1.0e-7))));
  typename Ops::Float angle;
  if constexpr (Ops::kBits == 32) {
    // The product with a double, rounded once.
    constexpr float high = float(twoPi);
    auto product = elementary::twoProduct(o, v, o.constant(high));
    angle = o.add(product.high,
                  o.fma(v, o.constant(twoPi - double(high)), product.low));
  } else {
    angle = o.mul(v, o.constant(twoPi));
  }
  auto both = elementary::sinCosSmall(o, angle);
  return {o.mul(both[0], radius), o.mul(both[1], radius)};
}

/// The outputs of one sample, in order.
template <class R>
KILN_ELEMENTARY std::array<Float32<R>, 4>
uniformsF32(R &r, const std::array<Word<R>, 4> &w) {
  return {unitF32(r, w[0]), unitF32(r, w[1]), unitF32(r, w[2]),
          unitF32(r, w[3])};
}
template <class R>
KILN_ELEMENTARY std::array<Float64<R>, 2>
uniformsF64(R &r, const std::array<Word<R>, 4> &w) {
  return {unitF64(r, w[0], w[1]), unitF64(r, w[2], w[3])};
}
template <class R>
KILN_ELEMENTARY std::array<Float32<R>, 4>
normalsF32(R &r, const std::array<Word<R>, 4> &w) {
  auto a = boxMuller(r.f32, unitF32(r, w[0]), unitF32(r, w[1]));
  auto b = boxMuller(r.f32, unitF32(r, w[2]), unitF32(r, w[3]));
  return {a[0], a[1], b[0], b[1]};
}
template <class R>
KILN_ELEMENTARY std::array<Float64<R>, 2>
normalsF64(R &r, const std::array<Word<R>, 4> &w) {
  return boxMuller(r.f64, unitF64(r, w[0], w[1]), unitF64(r, w[2], w[3]));
}

/// Whether bit `bit` of the index is clear.
template <class R>
KILN_ELEMENTARY auto isClear(R &r, Word<R> index, int64_t bit) {
  return r.f64.icmpEq(r.f64.iand(index, r.f64.iconstant(bit)),
                      r.f64.iconstant(0));
}

/// The word of output `index`, for types of 32 bits.
template <class R>
KILN_ELEMENTARY Word<R> wordAt(R &r, const PhiloxBase<R> &base, Word<R> index) {
  auto &o = r.f64;
  auto w = philox(r, base, o.lshr(index, o.iconstant(2)));
  auto isEven = isClear(r, index, 1);
  return o.selectInt(isClear(r, index, 2), o.selectInt(isEven, w[0], w[1]),
                     o.selectInt(isEven, w[2], w[3]));
}

/// The two words of output `index`, for types of 64 bits.
template <class R>
KILN_ELEMENTARY std::array<Word<R>, 2> wordsAt(R &r, const PhiloxBase<R> &base,
                                               Word<R> index) {
  auto &o = r.f64;
  auto w = philox(r, base, o.lshr(index, o.iconstant(1)));
  auto isEven = isClear(r, index, 1);
  return {o.selectInt(isEven, w[0], w[2]), o.selectInt(isEven, w[1], w[3])};
}

/// Output `index` of RandomUniform.
template <class R>
KILN_ELEMENTARY Float32<R> uniformF32(R &r, const PhiloxBase<R> &base,
                                      Word<R> index) {
  return unitF32(r, wordAt(r, base, index));
}
template <class R>
KILN_ELEMENTARY Float64<R> uniformF64(R &r, const PhiloxBase<R> &base,
                                      Word<R> index) {
  auto w = wordsAt(r, base, index);
  return unitF64(r, w[0], w[1]);
}

/// Output `index` of RandomUniformInt: low + word % range, range = high - low
/// as unsigned and not 0 (for i32 zero-extended).
template <class R>
KILN_ELEMENTARY Int32<R> uniformInt32(R &r, const PhiloxBase<R> &base,
                                      Word<R> index, Int32<R> low,
                                      Word<R> range) {
  auto offset = r.f64.iurem(wordAt(r, base, index), range);
  return r.f32.iadd(low, r.narrow(offset));
}
template <class R>
KILN_ELEMENTARY Word<R> uniformInt64(R &r, const PhiloxBase<R> &base,
                                     Word<R> index, Word<R> low,
                                     Word<R> range) {
  auto &o = r.f64;
  auto w = wordsAt(r, base, index);
  auto word = o.ior(w[0], o.shl(w[1], o.iconstant(32)));
  return o.iadd(low, o.iurem(word, range));
}

/// Output `index` of RandomStandardNormal.
template <class R>
KILN_ELEMENTARY Float32<R> normalF32(R &r, const PhiloxBase<R> &base,
                                     Word<R> index) {
  auto w = philox(r, base, r.f64.lshr(index, r.f64.iconstant(2)));
  auto isFirst = isClear(r, index, 2);
  auto u = unitF32(r, r.f64.selectInt(isFirst, w[0], w[2]));
  auto v = unitF32(r, r.f64.selectInt(isFirst, w[1], w[3]));
  auto both = boxMuller(r.f32, u, v);
  return r.f32.select(isClear(r, index, 1), both[0], both[1]);
}
template <class R>
KILN_ELEMENTARY Float64<R> normalF64(R &r, const PhiloxBase<R> &base,
                                     Word<R> index) {
  auto w = philox(r, base, r.f64.lshr(index, r.f64.iconstant(1)));
  auto both = normalsF64(r, w);
  return r.f64.select(isClear(r, index, 1), both[0], both[1]);
}

} // namespace kiln::random

#endif // KILN_RUNTIME_RANDOM_RANDOM_H
