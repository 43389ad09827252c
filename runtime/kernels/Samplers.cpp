// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Candidates for a loss that looks at some classes of many: numbers drawn from
// a distribution, and how often each was to be expected.
//
// The numbers, their order and how many are thrown away are TensorFlow's
// (core/kernels/range_sampler).
#include "lib/Support/Strings.h"
#include "runtime/kernels/Kernels.h"
#include "runtime/kernels/WordSource.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <new>

namespace kiln {
namespace {

/// A set of at most `size` numbers that are not negative.
class NumberSet {
public:
  /// False where there is no memory.
  bool reserve(int64_t size) noexcept {
    mask = std::bit_ceil(static_cast<uint64_t>(size) * 2) - 1;
    numbers.reset(new (std::nothrow) int64_t[mask + 1]);
    if (numbers)
      std::fill_n(numbers.get(), mask + 1, int64_t(-1));
    return numbers != nullptr;
  }
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

struct Uniform {
  explicit Uniform(const KernelCall &call) : range(call.number(1)) {}
  int64_t draw(WordSource &words) const noexcept {
    return static_cast<int64_t>(words.below(static_cast<uint64_t>(range)));
  }
  float probability(int64_t) const noexcept {
    return static_cast<float>(1.0 / static_cast<double>(range));
  }
  int64_t range;
};

/// Zipf's: P(k) = log((k + 2) / (k + 1)) / log(range + 1).
struct LogUniform {
  explicit LogUniform(const KernelCall &call)
      : range(call.number(1)),
        logarithm(std::log1p(static_cast<double>(range))) {}
  int64_t draw(WordSource &words) const noexcept {
    const double x = std::exp(words.unitDouble() * logarithm);
    return (static_cast<int64_t>(x) - 1) % range;
  }
  float probability(int64_t number) const noexcept {
    const auto k = static_cast<double>(number);
    return static_cast<float>(std::log((k + 2) / (k + 1)) / logarithm);
  }
  int64_t range;
  double logarithm;
};

/// By weights, from a table of aliases (Walker's method): a place is drawn,
/// then its own number or its alias.
struct Weighted {
  explicit Weighted(const KernelCall &call)
      : probabilities(call.input<float>(1)), own(call.input<float>(2)),
        aliases(call.input<int32_t>(3)), range(call.inputElements(1)) {}
  int64_t draw(WordSource &words) const noexcept {
    const float x = words.unitFloat();
    const uint32_t place = words.below(static_cast<uint32_t>(range));
    return x < own[place] ? place : aliases[place];
  }
  float probability(int64_t number) const noexcept {
    return number < 0 || number >= range ? 0 : probabilities[number];
  }
  const float *probabilities, *own;
  const int32_t *aliases;
  int64_t range;
};

/// How many of `count` draws, or of `tries` that gave `count` different ones,
/// are expected to be one of this probability.
float expectedCount(float p, int64_t count, int64_t tries) {
  if (tries == count)
    return p * static_cast<float>(count);
  return -std::expm1(static_cast<float>(tries) * std::log1p(-p));
}

/// Draws output 0; returns how many tries that took, -1 when the run ends.
template <class Sampler>
int64_t drawAll(const KernelCall &call, const Sampler &sampler,
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

Status checkTrueClasses(const KernelCall &call) {
  const int64_t columns = call.inputDims(0)[1],
                expected = call.outputDims(1)[1];
  if (columns != expected)
    return invalidArgumentError(
        strCat("true_classes must have num_true columns, expected: ", expected,
               " was: ", columns));
  return okStatus();
}

/// true classes : [batch, k] x int64, what the sampler takes -> candidates :
/// [n] x int64, expected counts of the true ones and of the candidates :
/// float32; [stream, range, whether no candidate comes twice]
template <class Sampler>
int32_t sampleCandidates(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  if (Status status = checkTrueClasses(call); !status.ok())
    return !call.fail(std::move(status));
  const int64_t count = call.outputElements(0);
  const bool isUnique = call.number(2) != 0;
  if (isUnique && count > call.number(1))
    return !call.fail(invalidArgumentError("Sampler's range is too small."));
  const Sampler sampler(call);
  const int64_t tries = drawAll(call, sampler, isUnique);
  if (tries < 0)
    return 1;
  auto expect = [&](const int64_t *numbers, int output) {
    for (int64_t i = 0; i < call.outputElements(output); ++i)
      call.output<float>(output)[i] =
          expectedCount(sampler.probability(numbers[i]), count, tries);
  };
  expect(call.input<int64_t>(0), 1);
  expect(call.output<int64_t>(0), 2);
  return mustStop(call.state());
}

/// As sampleCandidates: every class once.
int32_t takeAllCandidates(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  if (Status status = checkTrueClasses(call); !status.ok())
    return !call.fail(std::move(status));
  for (int64_t i = 0; i < call.outputElements(0); ++i)
    call.output<int64_t>(0)[i] = i;
  std::fill_n(call.output<float>(1), call.outputElements(1), 1.0f);
  std::fill_n(call.output<float>(2), call.outputElements(2), 1.0f);
  return mustStop(call.state());
}

struct Candidate {
  int64_t number;
  int32_t place;
  auto operator<=>(const Candidate &) const = default;
};

/// true classes : [batch, k] x int64, candidates : [n] x int64 -> row, place of
/// the candidate and -FLT_MAX for each true class that is a candidate, its last
/// place; finds out how many.
int32_t accidentalHits(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  const int64_t count = call.inputElements(1), columns = call.inputDims(0)[1];
  std::unique_ptr<Candidate[]> sorted(
      new (std::nothrow) Candidate[static_cast<size_t>(count)]);
  if (!sorted)
    return !call.fail(ErrorKind::OutOfMemory,
                      count * int64_t(sizeof(Candidate)));
  for (int64_t i = 0; i < count; ++i)
    sorted[static_cast<size_t>(i)] = {call.input<int64_t>(1)[i],
                                      static_cast<int32_t>(i)};
  Candidate *end = sorted.get() + count;
  std::sort(sorted.get(), end);
  auto forEachHit = [&](auto &&body) {
    return call.forEach(call.inputElements(0), [&](int64_t i) {
      const int64_t number = call.input<int64_t>(0)[i];
      const Candidate *after =
          std::upper_bound(sorted.get(), end, Candidate{number, INT32_MAX});
      if (after != sorted.get() && after[-1].number == number)
        body(i / columns, after[-1].place);
      return true;
    });
  };
  int64_t hits = 0;
  if (forEachHit([&](int64_t, int32_t) { ++hits; }) != 0)
    return 1;
  call.bind(0, hits);
  auto *rows = call.allocateOutput<int32_t>(0);
  auto *places = call.allocateOutput<int64_t>(1);
  auto *weights = call.allocateOutput<float>(2);
  if (!rows || !places || !weights)
    return 1;
  return forEachHit([&](int64_t row, int32_t place) {
    *rows++ = static_cast<int32_t>(row);
    *places++ = place;
    *weights++ = -std::numeric_limits<float>::max();
  });
}

} // namespace

std::vector<Kernel> samplerKernels() {
  // A run that begins again draws the same numbers again.
  auto drawing = [](std::string name, KilnKernelFn run) {
    return Kernel{std::move(name), run, /*hasEffects=*/true, /*mayFail=*/true,
                  /*effectsEndWithRun=*/true};
  };
  return {{"ComputeAccidentalHits", accidentalHits},
          {"TakeAllCandidates", takeAllCandidates},
          drawing("SampleLogUniform", sampleCandidates<LogUniform>),
          drawing("SampleUniform", sampleCandidates<Uniform>),
          drawing("SampleWeighted", sampleCandidates<Weighted>)};
}

} // namespace kiln
