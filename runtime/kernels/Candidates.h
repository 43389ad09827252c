// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws candidates of classes from a sampler, and says how often each was to be
// expected: what the kernels of all candidate samplers share.
//
// The numbers, their order and how many are thrown away are TensorFlow's
// (core/kernels/range_sampler).
#ifndef KILN_RUNTIME_KERNELS_CANDIDATES_H
#define KILN_RUNTIME_KERNELS_CANDIDATES_H

#include "runtime/kernels/KernelCall.h"
#include "runtime/kernels/WordSource.h"

#include <cmath>
#include <memory>

namespace kiln {

/// A set of at most `size` numbers that are not negative.
class NumberSet {
public:
  /// False where there is no memory.
  bool reserve(int64_t size) noexcept;
  /// False for one that is there.
  bool insert(int64_t number) noexcept {
    uint64_t at = static_cast<uint64_t>(number) * 0x9e3779b97f4a7c15u;
    for (at ^= at >> 32;; ++at) {
      int64_t &place = numbers[at & mask];
      if (place == number)
        return false;
      if (place < 0)
        return place = number, true;
    }
  }

private:
  std::unique_ptr<int64_t[]> numbers;
  uint64_t mask = 0;
};

/// How many of `count` draws, or of `tries` that gave `count` different ones,
/// are expected to be one of this probability.
inline float expectedCount(float p, int64_t count, int64_t tries) {
  if (tries == count)
    return p * static_cast<float>(count);
  return -std::expm1(static_cast<float>(tries) * std::log1p(-p));
}

/// Input 0 has the columns that output 1 has, of classes in [0, range), and as
/// many classes as are asked for once each are there.
Status checkCandidates(const KernelCall &call, int64_t range, bool isUnique);

/// Draws output 0; returns how many tries that took, -1 when the run ends.
template <class Sampler>
int64_t drawCandidates(const KernelCall &call, const Sampler &sampler,
                       bool isUnique) noexcept {
  constexpr int64_t samplesEach = 512;
  const int64_t count = call.outputElements(0);
  WordSource words = WordSource::take(call, samplesEach * count);
  NumberSet taken;
  if (isUnique && !taken.reserve(count))
    return call.fail(ErrorKind::OutOfMemory, count * 16), -1;
  int64_t tries = 0;
  for (int64_t filled = 0; filled < count;) {
    if (tries++ % 4096 == 0 && mustStop(call.state()))
      return -1;
    const int64_t number = sampler.draw(words);
    if (!isUnique || taken.insert(number))
      call.output<int64_t>(0)[filled++] = number;
  }
  return tries;
}

/// Draws by number 0's stream, each once or not by number 2, and writes all
/// outputs; false when the run ends.
template <class Sampler>
bool giveCandidates(const KernelCall &call, const Sampler &sampler) noexcept {
  const int64_t tries = drawCandidates(call, sampler, call.number(2) != 0);
  if (tries < 0)
    return false;
  auto expect = [&](const int64_t *numbers, int output) {
    for (int64_t i = 0; i < call.outputElements(output); ++i)
      call.output<float>(output)[i] = expectedCount(
          sampler.probability(numbers[i]), call.outputElements(0), tries);
  };
  expect(call.input<int64_t>(0), 1);
  expect(call.output<int64_t>(0), 2);
  return !mustStop(call.state());
}

} // namespace kiln

#endif // KILN_RUNTIME_KERNELS_CANDIDATES_H
