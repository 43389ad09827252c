// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of arguments through native code, evaluator and reference, on a few
// threads.
#include "bench/elementary/Sweep.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <thread>

namespace kiln::bench {
namespace {

constexpr int64_t kBlock = 1 << 14;
constexpr uint64_t kAll = uint64_t(1) << 32;

template <class T> constexpr DType dtypeOf() {
  return sizeof(T) == 4 ? DType::Float32 : DType::Float64;
}

/// Native code and evaluator of one op.
struct Runners {
  static StatusOr<Runners> create(const char *op, int arity, DType dtype) {
    auto native = OpRunner::create(op, arity, dtype, ExecutionMode::NativeOnly);
    if (!native.ok())
      return native.status();
    auto evaluator =
        OpRunner::create(op, arity, dtype, ExecutionMode::EvaluatorOnly);
    if (!evaluator.ok())
      return evaluator.status();
    return Runners{*std::move(native), *std::move(evaluator)};
  }
  OpRunner native, evaluator;
};

/// The tensors of one thread.
template <class T> struct Block {
  static StatusOr<Block> create(int arity) {
    Block block;
    for (int i = 0; i < arity; ++i) {
      auto tensor = Tensor::create(dtypeOf<T>(), Shape({kBlock}));
      if (!tensor.ok())
        return tensor.status();
      block.arguments.push_back(*std::move(tensor));
    }
    return block;
  }
  std::span<T> argument(int i = 0) {
    return arguments[static_cast<size_t>(i)].mutableData<T>();
  }
  Status run(const Runners &runners, Finding &finding) {
    Status status = runners.native.call(arguments, native);
    if (status.ok())
      status = runners.evaluator.call(arguments, evaluator);
    if (!status.ok())
      return status;
    finding.arguments += kBlock;
    const T *a = native.data<T>().data(), *b = evaluator.data<T>().data();
    if (std::memcmp(a, b, sizeof(T) * kBlock) != 0)
      for (int64_t i = 0; i < kBlock; ++i)
        finding.differences += std::memcmp(a + i, b + i, sizeof(T)) != 0 &&
                               !(a[i] != a[i] && b[i] != b[i]);
    return okStatus();
  }
  const T *result() const { return native.data<T>().data(); }

  std::vector<Tensor> arguments;
  Tensor native, evaluator;
};

/// body(thread) on so many threads; the findings together, or the first error.
template <class Body> StatusOr<Finding> onThreads(int count, const Body &body) {
  std::vector<StatusOr<Finding>> parts(static_cast<size_t>(count), Finding());
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i)
    threads.emplace_back([&, i] { parts[static_cast<size_t>(i)] = body(i); });
  for (std::thread &thread : threads)
    thread.join();
  Finding all;
  for (const StatusOr<Finding> &part : parts) {
    if (!part.ok())
      return part.status();
    all.worst.note(part->worst);
    all.arguments += part->arguments;
    all.differences += part->differences;
    all.falls += part->falls;
    all.strays += part->strays;
  }
  return all;
}

/// Denormals count as zeros of their sign.
template <class T> T flushed(T value) {
  return std::fabs(value) < std::numeric_limits<T>::min()
             ? std::copysign(T(0), value)
             : value;
}

/// How many results may be further off than `limit` units: cheap and a little
/// too many, so that what is exact is looked at rarely.
int64_t countSuspects(const float *got, const double *want, double limit) {
  int64_t suspects = 0;
  for (int64_t i = 0; i < kBlock; ++i) {
    double unit = std::bit_cast<double>(
        (std::bit_cast<uint64_t>(want[i]) & 0x7ff0000000000000) -
        (uint64_t(23) << 52));
    bool isNear = std::fabs(got[i] - want[i]) <= limit * unit;
    bool isSame = got[i] == float(want[i]);
    bool isNan = (got[i] != got[i]) & (want[i] != want[i]);
    suspects += !(isNear | isSame | isNan);
  }
  return suspects;
}

/// Compares a block of floats; `exact(i)` is what decides.
template <class Exact>
void compareFloats(const float *got, const double *want, Worst &worst,
                   const Exact &exact) {
  if (countSuspects(got, want, worst.ulps) == 0)
    return;
  for (int64_t i = 0; i < kBlock; ++i) {
    double unit = std::bit_cast<double>(
        (std::bit_cast<uint64_t>(want[i]) & 0x7ff0000000000000) -
        (uint64_t(23) << 52));
    if (std::fabs(got[i] - want[i]) <= worst.ulps * unit ||
        got[i] == float(want[i]) || (got[i] != got[i] && want[i] != want[i]))
      continue;
    exact(i);
  }
}

/// Results that come after each other in the order of the arguments' bits:
/// rising for positive ones.
uint64_t countFalls(const float *y, bool positive) {
  uint64_t falls = 0;
  if (positive)
    for (int64_t i = 1; i < kBlock; ++i)
      falls += y[i] < y[i - 1];
  else
    for (int64_t i = 1; i < kBlock; ++i)
      falls += y[i] > y[i - 1];
  return falls;
}

uint64_t countStrays(const float *y, float low, float high) {
  uint64_t strays = 0;
  for (int64_t i = 0; i < kBlock; ++i)
    strays += (y[i] < low) | (y[i] > high);
  return strays;
}

} // namespace

StatusOr<Finding> sweepFloats(const Subject &subject,
                              const SweepOptions &options) {
  auto runners = Runners::create(subject.op, 1, DType::Float32);
  if (!runners.ok())
    return runners.status();
  StatusOr<OpRunner> wide = OpRunner::create(subject.op, 1, DType::Float64,
                                             ExecutionMode::NativeOnly);
  if (!wide.ok())
    return wide.status();
  uint64_t blocks = kAll / options.stride / kBlock;
  // Between blocks: the first and the last result of each.
  std::vector<float> firsts(blocks), lasts(blocks);
  std::atomic<uint64_t> next = 0;
  auto body = [&](int) -> StatusOr<Finding> {
    Finding finding;
    auto block = Block<float>::create(1);
    auto doubles = Block<double>::create(1);
    if (!block.ok() || !doubles.ok())
      return block.ok() ? doubles.status() : block.status();
    std::vector<double> reference(kBlock);
    for (uint64_t number; (number = next++) < blocks;) {
      uint64_t first = number * kBlock * options.stride;
      std::span<float> x = block->argument();
      std::span<double> exactX = doubles->argument();
      for (int64_t i = 0; i < kBlock; ++i) {
        x[i] = std::bit_cast<float>(
            uint32_t(first + uint64_t(i) * options.stride));
        exactX[i] = flushed(x[i]);
      }
      Status status = block->run(*runners, finding);
      if (!status.ok())
        return status;
      const double *want = reference.data();
      if (subject.fast) {
        for (int64_t i = 0; i < kBlock; i += 4)
          _mm256_storeu_pd(&reference[i],
                           subject.fast(_mm256_loadu_pd(&exactX[i])));
      } else {
        status = wide->call(doubles->arguments, doubles->native);
        if (!status.ok())
          return status;
        want = doubles->result();
      }
      const float *y = block->result();
      compareFloats(y, want, finding.worst, [&](int64_t i) {
        finding.worst.note(
            ulps(y[i], subject.exact(static_cast<long double>(exactX[i]))),
            exactX[i]);
      });
      finding.strays += countStrays(y, float(subject.low), float(subject.high));
      if (subject.isMonotone)
        finding.falls += countFalls(y, first < kAll / 2);
      firsts[number] = y[0];
      lasts[number] = y[kBlock - 1];
    }
    return finding;
  };
  StatusOr<Finding> all = onThreads(options.threads, body);
  if (all.ok() && subject.isMonotone)
    for (uint64_t i = 1; i < blocks; ++i)
      if (i != blocks / 2) // there the arguments turn negative
        all->falls += i < blocks / 2 ? firsts[i] < lasts[i - 1]
                                     : firsts[i] > lasts[i - 1];
  return all;
}

namespace {

/// Numbers that repeat (splitmix64), a stream a thread.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed * 0x632be59bd9b4e019) {}
  uint64_t next() {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// In [-1, 1).
  double real() { return double(int64_t(next())) * 0x1p-63; }

private:
  uint64_t state;
};

/// Bit patterns half of the time, else numbers around 1.
template <class T> T randomArgument(Random &random) {
  using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  uint64_t kind = random.next();
  if (kind & 1)
    return flushed(std::bit_cast<T>(Bits(random.next())));
  double sum = random.real() + random.real() + random.real();
  return flushed(T(sum * (kind & 6 ? 3 : 100)));
}

/// A pair, half of the time one whose power neither overflows nor vanishes and
/// whose angle is not that of an axis.
template <class T> std::pair<T, T> randomPair(Random &random) {
  T x = randomArgument<T>(random), y = randomArgument<T>(random);
  uint64_t kind = random.next();
  if (kind & 1) {
    double range =
        std::numeric_limits<T>::max_exponent / std::log2(std::fabs(double(x)));
    y = flushed(T(random.real() * range));
    if ((kind & 6) == 0)
      y = std::floor(y);
  } else if (kind & 2) {
    y = flushed(T(x * random.real() * 4));
  }
  return {x, y};
}

/// Numbers where something changes: zeros, limits, integers, their neighbours.
template <class T> std::vector<T> edges() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> magnitudes = {0, Limits::min(), Limits::max(),
                               Limits::infinity(), Limits::quiet_NaN()};
  for (int e : {-120, -60, -30, -25, -24, -23, -8, -3, -2, -1,  0,  1,
                2,    3,   8,   22,  23,  24,  25, 31, 60, 100, 127})
    for (T factor : {T(1), T(1.5), T(1.75)})
      magnitudes.push_back(std::ldexp(factor, e));
  for (T value : {T(3), T(5), T(7), T(10), T(0.1), T(1e10), T(88.7), T(127.5)})
    magnitudes.push_back(value);
  std::vector<T> all;
  for (T value : magnitudes)
    for (T near : {value, std::nextafter(value, T(0)),
                   std::nextafter(value, Limits::infinity())}) {
      all.push_back(flushed(near));
      all.push_back(flushed(-near));
    }
  return all;
}

template <class T>
StatusOr<Finding> sweepAnyPairs(const PairSubject &subject, int64_t count,
                                int numThreads) {
  auto runners = Runners::create(subject.op, 2, dtypeOf<T>());
  if (!runners.ok())
    return runners.status();
  const std::vector<T> table = edges<T>();
  const auto size = int64_t(table.size());
  int64_t blocks = (size * size + kBlock - 1) / kBlock + count / kBlock;
  std::atomic<int64_t> next = 0;
  auto body = [&](int) -> StatusOr<Finding> {
    Finding finding;
    auto block = Block<T>::create(2);
    if (!block.ok())
      return block.status();
    std::vector<double> want(kBlock);
    for (int64_t number; (number = next++) < blocks;) {
      Random random(static_cast<uint64_t>(number) + 1);
      std::span<T> x = block->argument(0), y = block->argument(1);
      for (int64_t i = 0; i < kBlock; ++i) {
        int64_t at = number * kBlock + i;
        if (at < size * size) {
          x[i] = table[static_cast<size_t>(at / size)];
          y[i] = table[static_cast<size_t>(at % size)];
        } else {
          std::tie(x[i], y[i]) = randomPair<T>(random);
        }
      }
      Status status = block->run(*runners, finding);
      if (!status.ok())
        return status;
      const T *z = block->result();
      auto exact = [&](int64_t i) {
        auto wide = subject.exact(static_cast<long double>(x[i]),
                                  static_cast<long double>(y[i]));
        finding.worst.note(ulps(z[i], wide), double(x[i]), double(y[i]));
      };
      if constexpr (sizeof(T) == 4) {
        for (int64_t i = 0; i < kBlock; i += 4)
          _mm256_storeu_pd(&want[i],
                           subject.fast(_mm256_cvtps_pd(_mm_loadu_ps(&x[i])),
                                        _mm256_cvtps_pd(_mm_loadu_ps(&y[i]))));
        compareFloats(z, want.data(), finding.worst, exact);
      } else {
        for (int64_t i = 0; i < kBlock; ++i)
          exact(i);
      }
    }
    return finding;
  };
  return onThreads(numThreads, body);
}

} // namespace

StatusOr<Finding> sweepDoubles(const Subject &subject,
                               const SweepOptions &options) {
  auto runners = Runners::create(subject.op, 1, DType::Float64);
  if (!runners.ok())
    return runners.status();
  std::atomic<int64_t> next = 0;
  auto body = [&](int) -> StatusOr<Finding> {
    Finding finding;
    auto block = Block<double>::create(1);
    if (!block.ok())
      return block.status();
    for (int64_t number; (number = next++) < options.samples / kBlock;) {
      Random random(static_cast<uint64_t>(number) + 1);
      std::span<double> x = block->argument();
      for (double &value : x)
        value = randomArgument<double>(random);
      Status status = block->run(*runners, finding);
      if (!status.ok())
        return status;
      for (int64_t i = 0; i < kBlock; ++i)
        finding.worst.note(ulps(block->result()[i],
                                subject.exact(static_cast<long double>(x[i]))),
                           x[i]);
    }
    return finding;
  };
  return onThreads(options.threads, body);
}

StatusOr<Finding> sweepPairs(const PairSubject &subject,
                             const SweepOptions &options) {
  return sweepAnyPairs<float>(subject, options.pairs, options.threads);
}

StatusOr<Finding> sweepDoublePairs(const PairSubject &subject,
                                   const SweepOptions &options) {
  return sweepAnyPairs<double>(subject, options.samples, options.threads);
}

} // namespace kiln::bench
