// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes and runs plans.
#include "runtime/fourier/Plan.h"

#include "runtime/fourier/Butterflies.h"
#include "runtime/threads/ForkMutex.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <numbers>
#include <utility>

namespace kiln::fourier {
namespace {

/// Prime factors up to here are sums; longer ones make a convolution.
constexpr int largestFactor = 31;
/// From here on a sequence on its own is transformed as a matrix.
constexpr int64_t shortestMatrix = 64;
/// How many plans, and how many elements of theirs, are kept.
constexpr size_t mostPlans = 64;
constexpr int64_t mostElements = int64_t(1) << 22;

/// exp(-2 pi i k / n), of an angle of at most an eighth of a turn.
std::complex<double> root(int64_t k, int64_t n) {
  k %= n;
  // In eighths of n, so that all comparisons are exact.
  const int64_t eighth = 8 * k / n;
  const int64_t quarters = (eighth + 1) / 2;
  const double angle = 2 * std::numbers::pi *
                       static_cast<double>(4 * k - quarters * n) /
                       static_cast<double>(4 * n);
  double cosine = std::cos(angle), sine = std::sin(angle);
  for (int64_t i = 0; i < quarters % 4; ++i)
    cosine = -std::exchange(sine, cosine);
  return {cosine, -sine};
}

/// Powers of two as 8 and 4, then the odd ones, from small to large; empty
/// where one is too large.
std::vector<int> factorsOf(int64_t n) {
  std::vector<int> factors;
  int exponent = 0;
  for (; n % 2 == 0; n /= 2)
    ++exponent;
  // Two times 4 rather than 8 and 2.
  for (; exponent >= 3 && exponent != 4; exponent -= 3)
    factors.push_back(8);
  for (; exponent >= 2; exponent -= 2)
    factors.push_back(4);
  if (exponent == 1)
    factors.push_back(2);
  for (int factor = 3; n > 1; factor += 2) {
    if (factor > largestFactor)
      return {};
    for (; n % factor == 0; n /= factor)
      factors.push_back(factor);
  }
  return factors;
}

/// A divisor of n that is near its root, from below; 1 where there is none.
int64_t middleDivisor(int64_t n) {
  auto divisor = static_cast<int64_t>(std::sqrt(static_cast<double>(n)));
  while (divisor > 1 && n % divisor != 0)
    --divisor;
  return std::max<int64_t>(divisor, 1);
}

/// A length of at least n whose transform is fast.
int64_t fastLength(int64_t n) {
  int64_t best = 16;
  while (best < n)
    best *= 2;
  for (int64_t odd : {3, 5, 9, 15}) {
    int64_t length = 16 * odd;
    while (length < n)
      length *= 2;
    best = std::min(best, length);
  }
  return best;
}

template <class T> struct PlanCache {
  ForkMutex mutex;
  std::map<int64_t, std::shared_ptr<const Plan<T>>> plans;
  int64_t elements = 0;
};

} // namespace

template <class T>
std::shared_ptr<const Plan<T>> Plan<T>::of(int64_t length) noexcept {
  static auto &cache = *new PlanCache<T>();
  try {
    {
      std::lock_guard lock(cache.mutex);
      if (auto found = cache.plans.find(length); found != cache.plans.end())
        return found->second;
    }
    auto made = std::make_shared<const Plan>(length);
    std::lock_guard lock(cache.mutex);
    if (cache.plans.size() >= mostPlans ||
        cache.elements + length > mostElements) {
      cache.plans.clear();
      cache.elements = 0;
    }
    if (cache.plans.emplace(length, made).second)
      cache.elements += length;
    return made;
  } catch (const std::bad_alloc &) {
    return nullptr;
  }
}

template <class T> Plan<T>::Plan(int64_t length) : size(length) {
  std::vector<int> factors = factorsOf(length);
  if (length > 1 && factors.empty()) {
    makeConvolution();
    return;
  }
  makeStages(factors);
  const int64_t height = middleDivisor(length);
  if (length >= shortestMatrix && height >= 4)
    makeMatrix(height);
}

template <class T> void Plan<T>::makeStages(const std::vector<int> &factors) {
  int64_t left = size;
  for (int factor : factors) {
    Stage stage;
    stage.factor = factor;
    stage.rows = left / factor;
    for (int64_t p = 0; p < stage.rows; ++p)
      for (int j = 1; j < factor; ++j) {
        std::complex<double> turn = root(p * j, left);
        stage.real.push_back(static_cast<T>(turn.real()));
        stage.imag.push_back(static_cast<T>(turn.imag()));
      }
    for (int k = 0; factor > 5 && factor != 8 && k < factor; ++k) {
      stage.rootsReal.push_back(static_cast<T>(root(k, factor).real()));
      stage.rootsImag.push_back(static_cast<T>(root(k, factor).imag()));
    }
    stages.push_back(std::move(stage));
    left /= factor;
  }
}

template <class T> void Plan<T>::makeMatrix(int64_t height) {
  const int64_t width = size / height;
  auto count = static_cast<size_t>(size);
  turnsReal.reserve(count);
  turnsImag.reserve(count);
  for (int64_t row = 0; row < height; ++row)
    for (int64_t column = 0; column < width; ++column) {
      std::complex<double> turn = root(row * column, size);
      turnsReal.push_back(static_cast<T>(turn.real()));
      turnsImag.push_back(static_cast<T>(turn.imag()));
    }
  columns = of(height);
  rows = of(width);
  if (!columns || !rows)
    throw std::bad_alloc();
}

template <class T> void Plan<T>::makeConvolution() {
  const int64_t length = fastLength(2 * size - 1);
  convolution = of(length);
  if (!convolution)
    throw std::bad_alloc();
  const auto count = static_cast<size_t>(length);
  std::vector<T> scratchReal(static_cast<size_t>(convolution->scratchSize(1))),
      scratchImag(scratchReal.size());
  kernelReal.resize(count);
  kernelImag.resize(count);
  for (int64_t j = 0; j < size; ++j) {
    // j^2 modulo 2 size, of numbers below 2^30.
    std::complex<double> turn = root(j * j % (2 * size), 2 * size);
    chirpReal.push_back(static_cast<T>(turn.real()));
    chirpImag.push_back(static_cast<T>(turn.imag()));
    for (int64_t at : {j, (length - j) % length}) {
      kernelReal[static_cast<size_t>(at)] =
          static_cast<T>(turn.real() / static_cast<double>(length));
      kernelImag[static_cast<size_t>(at)] =
          static_cast<T>(-turn.imag() / static_cast<double>(length));
    }
  }
  Split<T> kernel = {kernelReal.data(), kernelImag.data()};
  Split<T> made = convolution->run(
      kernel, {scratchReal.data(), scratchImag.data()}, /*lanes=*/1);
  if (made.real != kernel.real) {
    std::copy_n(made.real, count, kernel.real);
    std::copy_n(made.imag, count, kernel.imag);
  }
}

template <class T> int64_t Plan<T>::scratchSize(int64_t lanes) const {
  return convolution
             ? convolution->length() * lanes + convolution->scratchSize(lanes)
             : size * lanes;
}

template <class T>
Split<T> Plan<T>::run(Split<T> x, Split<T> scratch, int64_t lanes) const {
  if (convolution)
    return runConvolution(x, scratch, lanes);
  return columns && lanes == 1 ? runMatrix(x, scratch)
                               : runStages(x, scratch, lanes);
}

template <class T>
Split<T> Plan<T>::runStages(Split<T> x, Split<T> scratch, int64_t lanes) const {
  int64_t count = lanes;
  for (const Stage &stage : stages) {
    loops<T>().runStage({x.real, x.imag, scratch.real, scratch.imag,
                         stage.real.data(), stage.imag.data(),
                         stage.rootsReal.data(), stage.rootsImag.data(),
                         stage.rows, count, stage.factor});
    count *= stage.factor;
    std::swap(x, scratch);
  }
  return x;
}

template <class T>
Split<T> Plan<T>::runMatrix(Split<T> x, Split<T> scratch) const {
  const int64_t height = columns->length(), width = rows->length();
  Split<T> from = columns->runStages(x, scratch, width);
  Split<T> to = from.real == x.real ? scratch : x;
  loops<T>().turnAndTranspose(from, turnsReal.data(), turnsImag.data(), to,
                              height, width);
  return rows->runStages(to, from, height);
}

template <class T>
Split<T> Plan<T>::runConvolution(Split<T> x, Split<T> scratch,
                                 int64_t lanes) const {
  const int64_t length = convolution->length();
  Split<T> padded = scratch;
  Split<T> rest = {scratch.real + length * lanes,
                   scratch.imag + length * lanes};
  loops<T>().multiply(x, chirpReal.data(), chirpImag.data(), padded, size,
                      lanes);
  std::fill(padded.real + size * lanes, padded.real + length * lanes, T(0));
  std::fill(padded.imag + size * lanes, padded.imag + length * lanes, T(0));
  Split<T> sums = convolution->run(padded, rest, lanes);
  Split<T> other = sums.real == padded.real ? rest : padded;
  loops<T>().multiply(sums, kernelReal.data(), kernelImag.data(), sums, length,
                      lanes);
  // Backwards, with the parts exchanged.
  Split<T> back =
      convolution->run({sums.imag, sums.real}, {other.imag, other.real}, lanes);
  loops<T>().multiply({back.imag, back.real}, chirpReal.data(),
                      chirpImag.data(), x, size, lanes);
  return x;
}

template class Plan<float>;
template class Plan<double>;

} // namespace kiln::fourier
