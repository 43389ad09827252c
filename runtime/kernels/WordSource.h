// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random numbers one after the other, as TensorFlow's ops draw them that do
// not know how many they need.
#ifndef KILN_RUNTIME_KERNELS_WORDSOURCE_H
#define KILN_RUNTIME_KERNELS_WORDSOURCE_H

#include "runtime/kernels/KernelCall.h"
#include "runtime/random/RandomScalar.h"

#include <bit>
#include <limits>

namespace kiln {

/// The words of a stream in order. **Source**: SingleSampleAdapter and
/// SimplePhilox of TensorFlow.
class WordSource {
public:
  explicit WordSource(const random::PhiloxState &state) noexcept
      : state(state) {}
  /// Takes so many samples of 128 bits of the stream that number 0 of the call
  /// names; what is drawn beyond them, the next call draws again.
  static WordSource take(const KernelCall &call, int64_t samples) noexcept {
    uint32_t words[6];
    reserveRandom(call.context(), static_cast<int32_t>(call.number(0)), samples,
                  words);
    return WordSource(std::bit_cast<random::PhiloxState>(words));
  }

  uint32_t word() noexcept {
    if (used == block.size()) {
      block = random::philoxWords(state);
      random::skip(state, 1);
      used = 0;
    }
    return block[used++];
  }
  uint64_t twoWords() noexcept {
    const uint64_t low = word();
    return low | uint64_t(word()) << 32;
  }
  /// In [0, 1).
  float unitFloat() noexcept {
    return std::bit_cast<float>((word() & 0x7fffff) | 0x3f800000) - 1;
  }
  double unitDouble() noexcept {
    const uint64_t upper = word() & 0xfffff;
    return std::bit_cast<double>(upper << 32 | word() | 0x3ff0000000000000) - 1;
  }
  /// In [0, n), without skew; n > 0.
  uint32_t below(uint32_t n) noexcept {
    return belowBy(n, [this] { return word(); });
  }
  uint64_t below(uint64_t n) noexcept {
    return belowBy(n, [this] { return twoWords(); });
  }

private:
  template <class T, class Next> static T belowBy(T n, Next next) noexcept {
    if (std::has_single_bit(n))
      return next() & (n - 1);
    const T skewed = std::numeric_limits<T>::max() % n + 1;
    T bits = next();
    while (bits < skewed)
      bits = next();
    return bits % n;
  }

  random::PhiloxState state;
  std::array<uint32_t, 4> block = {};
  size_t used = block.size();
};

} // namespace kiln

#endif // KILN_RUNTIME_KERNELS_WORDSOURCE_H
