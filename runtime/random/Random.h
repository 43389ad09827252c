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
#ifndef KILN_RUNTIME_RANDOM_RANDOM_H
#define KILN_RUNTIME_RANDOM_RANDOM_H

#include "runtime/random/Philox.h"

#include <array>
#include <cstdint>
#include <span>

namespace kiln::random {

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

/// What RandomUniformInt makes of a word: low + word % range, range = high -
/// low as unsigned and not 0 (for i32 zero-extended).
template <class R>
KILN_ELEMENTARY Int32<R> uniformInt32(R &r, Word<R> word, Int32<R> low,
                                      Word<R> range) {
  return r.f32.iadd(low, r.narrow(r.f64.iurem(word, range)));
}

/// Output `index` of RandomUniformInt.
template <class R>
KILN_ELEMENTARY Int32<R> uniformInt32(R &r, const PhiloxBase<R> &base,
                                      Word<R> index, Int32<R> low,
                                      Word<R> range) {
  return uniformInt32(r, wordAt(r, base, index), low, range);
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
