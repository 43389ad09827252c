// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Philox-4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3",
// 2011), written once over a type of operations, and streams of its samples.
//
// A RandomOps type R has members `f32` and `f64`, Ops types
// (runtime/elementary/Elementary.h) of the same number of lanes, `one`, an f64
// of one lane, and
//   narrow(f64's Int) -> f32's Int, the low half
//   spread(one's Int) -> f64's Int, the same in all lanes
//   repeat(n, words, body): the words that n times body(R &, words) makes of
//     them.
// A word of Philox is the low half of an Int of f64, so that one product of 64
// bits gives two words. Between rounds the upper half is anything; samples are
// zero-extended.
#ifndef KILN_RUNTIME_RANDOM_PHILOX_H
#define KILN_RUNTIME_RANDOM_PHILOX_H

#include "runtime/elementary/Elementary.h"

#include <array>
#include <cstdint>

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

/// PhiloxState, the same in all lanes: the counter in two words of 64 bits, the
/// key in two of 32, zero-extended.
template <class R> struct PhiloxBase {
  decltype(R::one)::Int counterLow, counterHigh, key0, key1;
};

/// One round of Philox, of the counter's four words and the key's two, which
/// are raised for the next one.
struct PhiloxRound {
  template <class R>
  KILN_ELEMENTARY std::array<Word<R>, 6>
  operator()(R &r, const std::array<Word<R>, 6> &w) const {
    auto &o = r.f64;
    auto mask = o.iconstant(0xffffffff), half = o.iconstant(32);
    auto raise = [&](Word<R> key, int64_t by) {
      return r.one.iand(r.one.iadd(key, r.one.iconstant(by)),
                        r.one.iconstant(0xffffffff));
    };
    auto a = o.imul(o.iconstant(0xd2511f53), o.iand(w[0], mask));
    auto b = o.imul(o.iconstant(0xcd9e8d57), o.iand(w[2], mask));
    return {o.ixor(o.ixor(o.lshr(b, half), w[1]), r.spread(w[4])),
            b,
            o.ixor(o.ixor(o.lshr(a, half), w[3]), r.spread(w[5])),
            a,
            raise(w[4], 0x9e3779b9),
            raise(w[5], 0xbb67ae85)};
  }
};

/// The four words of sample n.
template <class R>
KILN_ELEMENTARY std::array<Word<R>, 4> philox(R &r, const PhiloxBase<R> &base,
                                              Word<R> n) {
  auto &o = r.f64;
  auto mask = o.iconstant(0xffffffff), half = o.iconstant(32);
  auto low = o.iadd(r.spread(base.counterLow), n);
  auto carry = o.selectInt(o.icmpUlt(low, n), o.iconstant(1), o.iconstant(0));
  auto high = o.iadd(r.spread(base.counterHigh), carry);
  std::array<Word<R>, 6> words = {o.iand(low, mask),  o.lshr(low, half),
                                  o.iand(high, mask), o.lshr(high, half),
                                  base.key0,          base.key1};
  words = r.repeat(10, words, PhiloxRound());
  return {o.iand(words[0], mask), o.iand(words[1], mask),
          o.iand(words[2], mask), o.iand(words[3], mask)};
}

} // namespace kiln::random

#endif // KILN_RUNTIME_RANDOM_PHILOX_H
