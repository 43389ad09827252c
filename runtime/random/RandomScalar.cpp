// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops over the random generators, in one variant for each class of
// processors.
#include "runtime/random/RandomScalar.h"

#include "runtime/arithmetic/CpuVariants.h"
#include "runtime/elementary/ScalarOps.h"

#include <algorithm>

using namespace kiln;
using namespace kiln::random;
using kiln::elementary::ScalarOps;

namespace {

struct ScalarRandomOps {
  ScalarOps<float> f32;
  ScalarOps<double> f64, one;
  KILN_ELEMENTARY int32_t narrow(int64_t word) { return int32_t(word); }
  KILN_ELEMENTARY int64_t spread(int64_t word) { return word; }
  template <class Words, class Body>
  KILN_ELEMENTARY Words repeat(int count, Words words, Body body) {
#pragma clang loop unroll(full)
    for (int i = 0; i < count; ++i)
      words = body(*this, words);
    return words;
  }
};

using Base = PhiloxBase<ScalarRandomOps>;

Base baseOf(const PhiloxState &state) {
  auto join = [](uint32_t low, uint32_t high) {
    return int64_t(low | uint64_t(high) << 32);
  };
  return {join(state.counter[0], state.counter[1]),
          join(state.counter[2], state.counter[3]), state.key[0], state.key[1]};
}

// Samples that are drawn together: the loops below run over them, lane by lane.
constexpr int64_t kSamples = 64;

/// What one sample gives, written to out[0 ... perSample).
struct UniformF32 {
  static constexpr int perSample = 4;
  KILN_ELEMENTARY auto operator()(const std::array<int64_t, 4> &w) const {
    ScalarRandomOps r;
    return uniformsF32(r, w);
  }
};
struct UniformF64 {
  static constexpr int perSample = 2;
  KILN_ELEMENTARY auto operator()(const std::array<int64_t, 4> &w) const {
    ScalarRandomOps r;
    return uniformsF64(r, w);
  }
};
struct NormalF32 {
  static constexpr int perSample = 4;
  KILN_ELEMENTARY auto operator()(const std::array<int64_t, 4> &w) const {
    ScalarRandomOps r;
    return normalsF32(r, w);
  }
};
struct NormalF64 {
  static constexpr int perSample = 2;
  KILN_ELEMENTARY auto operator()(const std::array<int64_t, 4> &w) const {
    ScalarRandomOps r;
    return normalsF64(r, w);
  }
};
struct UniformInt32 {
  static constexpr int perSample = 4;
  uint32_t low, range;
  KILN_ELEMENTARY auto operator()(const std::array<int64_t, 4> &w) const {
    std::array<int32_t, 4> out;
    for (int j = 0; j < 4; ++j)
      out[j] = int32_t(low + uint32_t(w[j]) % range);
    return out;
  }
};
struct UniformInt64 {
  static constexpr int perSample = 2;
  uint64_t low, range;
  KILN_ELEMENTARY auto operator()(const std::array<int64_t, 4> &w) const {
    std::array<int64_t, 2> out;
    for (int j = 0; j < 2; ++j)
      out[j] = int64_t(
          low + (uint64_t(w[2 * j]) | uint64_t(w[2 * j + 1]) << 32) % range);
    return out;
  }
};

#define KILN_DRAW(Variant, Target)                                             \
  struct Variant {                                                             \
    template <class Distribution, class T>                                     \
    Target static void draw(const Base &base, int64_t sample,                  \
                            const Distribution &distribution, T *out) {        \
      constexpr int perSample = Distribution::perSample;                       \
      T lanes[perSample][kSamples];                                            \
      for (int64_t k = 0; k < kSamples; ++k) {                                 \
        ScalarRandomOps r;                                                     \
        auto values = distribution(philox(r, base, sample + k));               \
        for (int j = 0; j < perSample; ++j)                                    \
          lanes[j][k] = values[j];                                             \
      }                                                                        \
      for (int64_t k = 0; k < kSamples; ++k)                                   \
        for (int j = 0; j < perSample; ++j)                                    \
          out[k * perSample + j] = lanes[j][k];                                \
    }                                                                          \
  };
KILN_FOR_EACH_CPU_VARIANT(KILN_DRAW)
#undef KILN_DRAW

/// Outputs first ... of the distribution: whole pieces in place, the ends
/// through a buffer.
template <class Distribution, class T>
void fill(const PhiloxState &state, const Distribution &distribution,
          std::span<T> out, int64_t first) {
  constexpr int64_t piece = kSamples * Distribution::perSample;
  auto draw = [] {
    switch (cpuVariant()) {
#define KILN_SELECT(Variant, Target)                                           \
  case CpuVariant::Variant:                                                    \
    return &Variant::draw<Distribution, T>;
      KILN_FOR_EACH_CPU_VARIANT(KILN_SELECT)
#undef KILN_SELECT
    }
    return &Plain::draw<Distribution, T>;
  }();
  Base base = baseOf(state);
  int64_t count = int64_t(out.size());
  int64_t start = first - first % Distribution::perSample;
  for (; start < first + count; start += piece) {
    int64_t sample = start / Distribution::perSample;
    int64_t from = std::max(start, first);
    int64_t to = std::min(start + piece, first + count);
    if (to - from == piece) {
      draw(base, sample, distribution, out.data() + (from - first));
    } else {
      T buffer[piece];
      draw(base, sample, distribution, buffer);
      std::copy_n(buffer + (from - start), to - from,
                  out.data() + (from - first));
    }
  }
}

/// Words of a stream, one after the other.
class WordReader {
public:
  explicit WordReader(const PhiloxState &state) : base(baseOf(state)) {}
  KILN_ELEMENTARY int64_t next() {
    ScalarRandomOps r;
    if (used == 4) {
      words = philox(r, base, sample++);
      used = 0;
    }
    return words[used++];
  }

private:
  Base base;
  int64_t sample = 0;
  std::array<int64_t, 4> words;
  int used = 4;
};

KILN_ELEMENTARY std::array<float, 2> nextNormals(WordReader &reader, float) {
  ScalarRandomOps r;
  auto u = unitF32(r, reader.next());
  auto v = unitF32(r, reader.next());
  return boxMuller(r.f32, u, v);
}

KILN_ELEMENTARY std::array<double, 2> nextNormals(WordReader &reader, double) {
  ScalarRandomOps r;
  int64_t w[4];
  for (int64_t &word : w)
    word = reader.next();
  return boxMuller(r.f64, unitF64(r, w[0], w[1]), unitF64(r, w[2], w[3]));
}

#define KILN_TRUNCATED(Variant, Target)                                        \
  struct Truncated##Variant {                                                  \
    template <class T>                                                         \
    Target static void draw(const PhiloxState &state, T *out, int count) {     \
      WordReader reader(state);                                                \
      for (int done = 0; done < count;)                                        \
        for (T value : nextNormals(reader, T()))                               \
          if (value > -2 && value < 2 && done < count)                         \
            out[done++] = value;                                               \
    }                                                                          \
  };
KILN_FOR_EACH_CPU_VARIANT(KILN_TRUNCATED)
#undef KILN_TRUNCATED

template <class T>
void fillTruncated(const PhiloxState &state, std::span<T> out, int64_t first) {
  constexpr int64_t group = sizeof(T) == 4 ? 4 : 2;
  auto draw = [] {
    switch (cpuVariant()) {
#define KILN_SELECT(Variant, Target)                                           \
  case CpuVariant::Variant:                                                    \
    return &Truncated##Variant::draw<T>;
      KILN_FOR_EACH_CPU_VARIANT(KILN_SELECT)
#undef KILN_SELECT
    }
    return &TruncatedPlain::draw<T>;
  }();
  int64_t end = first + int64_t(out.size());
  for (int64_t start = first - first % group; start < end; start += group) {
    PhiloxState place = state;
    skip(place, uint64_t(start) * 64);
    T values[group];
    draw(place, values, group);
    int64_t from = std::max(start, first), to = std::min(start + group, end);
    std::copy(values + (from - start), values + (to - start),
              out.data() + (from - first));
  }
}

} // namespace

void random::fillUniform(const PhiloxState &state, std::span<float> out,
                         int64_t first) {
  fill(state, UniformF32(), out, first);
}
void random::fillUniform(const PhiloxState &state, std::span<double> out,
                         int64_t first) {
  fill(state, UniformF64(), out, first);
}
void random::fillUniformInt(const PhiloxState &state, int32_t low, int32_t high,
                            std::span<int32_t> out, int64_t first) {
  fill(state, UniformInt32{uint32_t(low), uint32_t(high) - uint32_t(low)}, out,
       first);
}
void random::fillUniformInt(const PhiloxState &state, int64_t low, int64_t high,
                            std::span<int64_t> out, int64_t first) {
  fill(state, UniformInt64{uint64_t(low), uint64_t(high) - uint64_t(low)}, out,
       first);
}
void random::fillNormal(const PhiloxState &state, std::span<float> out,
                        int64_t first) {
  fill(state, NormalF32(), out, first);
}
void random::fillNormal(const PhiloxState &state, std::span<double> out,
                        int64_t first) {
  fill(state, NormalF64(), out, first);
}
void random::fillTruncatedNormal(const PhiloxState &state, std::span<float> out,
                                 int64_t first) {
  fillTruncated(state, out, first);
}
void random::fillTruncatedNormal(const PhiloxState &state,
                                 std::span<double> out, int64_t first) {
  fillTruncated(state, out, first);
}

std::array<uint32_t, 4> random::philoxWords(const PhiloxState &state) {
  ScalarRandomOps r;
  auto w = philox(r, baseOf(state), int64_t(0));
  return {uint32_t(w[0]), uint32_t(w[1]), uint32_t(w[2]), uint32_t(w[3])};
}
