// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Candidates for a loss that looks at some classes of many, of distributions
// without weights; and where candidates are true classes.
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/kernels/Candidates.h"
#include "runtime/kernels/Kernels.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <new>

namespace kiln {

bool NumberSet::reserve(int64_t size) noexcept {
  mask = std::bit_ceil(static_cast<uint64_t>(size) * 2) - 1;
  numbers.reset(new (std::nothrow) int64_t[mask + 1]);
  if (numbers)
    std::fill_n(numbers.get(), mask + 1, int64_t(-1));
  return numbers != nullptr;
}

static Status checkTrueColumns(const KernelCall &call) {
  const int64_t columns = call.inputDims(0)[1],
                expected = call.outputDims(1)[1];
  if (columns != expected)
    return invalidArgumentError(
        strCat("true_classes must have num_true columns, expected: ", expected,
               " was: ", columns));
  return okStatus();
}

Status checkCandidates(const KernelCall &call, int64_t range, bool isUnique) {
  KILN_RETURN_IF_ERROR(checkTrueColumns(call));
  if (isUnique && call.outputElements(0) > range)
    return invalidArgumentError("Sampler's range is too small.");
  for (int64_t i = 0; i < call.inputElements(0); ++i)
    if (const int64_t number = call.input<int64_t>(0)[i];
        number < 0 || number >= range)
      return invalidArgumentError(strCat("`true_candidate` out of range [0, ",
                                         range, "), received ", number));
  return okStatus();
}

namespace {

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

/// true classes : [batch, k] x int64 -> candidates : [n] x int64, expected
/// counts of the true ones and of the candidates : float32; [stream, range,
/// whether no candidate comes twice]
template <class Sampler>
int32_t sampleCandidates(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  if (Status status =
          checkCandidates(call, call.number(1), call.number(2) != 0);
      !status.ok())
    return !call.fail(std::move(status));
  return !giveCandidates(call, Sampler(call));
}

/// As sampleCandidates: every class once.
int32_t takeAllCandidates(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  if (Status status =
          checkCandidates(call, call.outputElements(0), /*isUnique=*/true);
      !status.ok())
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
          drawing("SampleUniform", sampleCandidates<Uniform>)};
}

} // namespace kiln
