// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that do nothing but multiply, or nothing but move.
#include "bench/MachineLimit.h"

#include <algorithm>
#include <barrier>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace kiln::bench {
namespace {

using Clock = std::chrono::steady_clock;

/// Work for thread i of n.
using Work = std::function<void(int, int)>;

/// Runs the work on n threads that start together; the seconds from the first
/// start to the last end. The threads look at the clock themselves: this one
/// may be woken when they are done.
double secondsOn(int threads, const Work &work) {
  std::barrier start(threads);
  std::vector<Clock::time_point> begins(threads), ends(threads);
  std::vector<std::thread> pool;
  for (int i = 0; i < threads; ++i)
    pool.emplace_back([&, i] {
      start.arrive_and_wait();
      begins[i] = Clock::now();
      work(i, threads);
      ends[i] = Clock::now();
    });
  for (std::thread &thread : pool)
    thread.join();
  return std::chrono::duration<double>(
             *std::max_element(ends.begin(), ends.end()) -
             *std::min_element(begins.begin(), begins.end()))
      .count();
}

double bestSecondsOn(int threads, int rounds, const Work &work) {
  double best = secondsOn(threads, work);
  for (int round = 1; round < rounds; ++round)
    best = std::min(best, secondsOn(threads, work));
  return best;
}

template <int Lanes>
using Floats = float __attribute__((vector_size(Lanes * sizeof(float))));

constexpr int chains = MachineKernels::chains;

/// Multiplies and adds on registers only. Inlined into callers that name the
/// instruction set.
template <int Lanes>
__attribute__((always_inline)) inline float multiplyAdd(int64_t count) {
  using Vector = Floats<Lanes>;
  const Vector factor = Vector{} + 0.999f, addend = Vector{} + 1e-3f;
  Vector sums[chains];
#pragma clang loop unroll(full)
  for (int i = 0; i < chains; ++i)
    sums[i] = Vector{} + static_cast<float>(i + 2);
  for (int64_t step = 0; step < count; ++step) {
#pragma clang loop unroll(full)
    for (int i = 0; i < chains; ++i)
      sums[i] = __builtin_elementwise_fma(sums[i], factor, addend);
  }
  Vector total{};
#pragma clang loop unroll(full)
  for (int i = 0; i < chains; ++i)
    total += sums[i];
  return total[0];
}

template <int Lanes, bool NonTemporal>
__attribute__((always_inline)) inline void
triad(float *c, const float *a, const float *b, int64_t count) {
  using Vector = Floats<Lanes>;
  for (int64_t i = 0; i < count; i += Lanes) {
    Vector value = __builtin_elementwise_fma(
        *reinterpret_cast<const Vector *>(a + i), Vector{} + 3.0f,
        *reinterpret_cast<const Vector *>(b + i));
    auto *to = reinterpret_cast<Vector *>(c + i);
    if constexpr (NonTemporal)
      __builtin_nontemporal_store(value, to);
    else
      *to = value;
  }
}

template <int Lanes>
__attribute__((always_inline)) inline float sum(const float *a, int64_t count) {
  using Vector = Floats<Lanes>;
  Vector sums[4] = {};
  for (int64_t i = 0; i < count; i += 4 * Lanes) {
#pragma clang loop unroll(full)
    for (int j = 0; j < 4; ++j)
      sums[j] += *reinterpret_cast<const Vector *>(a + i + j * Lanes);
  }
  const Vector lanes = sums[0] + sums[1] + sums[2] + sums[3];
  float total = 0;
  for (int lane = 0; lane < Lanes; ++lane)
    total += lanes[lane];
  return total;
}

#define KILN_KERNELS(ISA, LANES, ATTRIBUTE)                                    \
  ATTRIBUTE float multiplyAdd_##ISA(int64_t n) {                               \
    return multiplyAdd<LANES>(n);                                              \
  }                                                                            \
  ATTRIBUTE void triad_##ISA(float *c, const float *a, const float *b,         \
                             int64_t n) {                                      \
    triad<LANES, false>(c, a, b, n);                                           \
  }                                                                            \
  ATTRIBUTE void triadNonTemporal_##ISA(float *c, const float *a,              \
                                        const float *b, int64_t n) {           \
    triad<LANES, true>(c, a, b, n);                                            \
  }                                                                            \
  ATTRIBUTE float sum_##ISA(const float *a, int64_t n) {                       \
    return sum<LANES>(a, n);                                                   \
  }                                                                            \
  constexpr MachineKernels kernels_##ISA = {                                   \
      #ISA,     LANES, multiplyAdd_##ISA, triad_##ISA, triadNonTemporal_##ISA, \
      sum_##ISA};

#if defined(__x86_64__)
KILN_KERNELS(avx512, 16, __attribute__((target("avx512f"))))
KILN_KERNELS(avx2, 8, __attribute__((target("avx2,fma"))))
#else
KILN_KERNELS(baseline, 4, )
#endif

struct Free {
  void operator()(float *memory) const { std::free(memory); }
};
using Array = std::unique_ptr<float, Free>;

Array makeArray(int64_t elements) {
  Array array(static_cast<float *>(
      std::aligned_alloc(64, static_cast<size_t>(elements) * sizeof(float))));
  if (array)
    std::fill_n(array.get(), elements, 1.0f);
  return array;
}

} // namespace

const MachineKernels *machineKernels() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f"))
    return &kernels_avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return &kernels_avx2;
  return nullptr;
#else
  return &kernels_baseline;
#endif
}

int machineThreads() {
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

double multiplyAddLimit(const MachineKernels &kernels, int threads,
                        int rounds) {
  // Some 10 ms: shorter than a time slice, so that the best round had the core
  // to itself.
  constexpr int64_t steps = 2'000'000;
  double seconds = bestSecondsOn(threads, rounds, [&](int, int) {
    volatile float result = kernels.multiplyAdd(steps);
    (void)result;
  });
  return 2.0 * kernels.lanes * chains * steps * threads / seconds / 1e9;
}

double trafficLimit(const MachineKernels &kernels, Traffic traffic,
                    int64_t elements, int threads, int rounds) {
  // Parts are multiples of every vector and of what a loop takes at once.
  const int64_t part = std::max<int64_t>(elements / threads / 64, 1) * 64;
  elements = part * threads;
  Array a = makeArray(elements), b = makeArray(elements),
        c = makeArray(elements);
  if (!a || !b || !c)
    return 0;
  // At least some 4 million elements a round: starting threads is not counted,
  // but they do not start at once.
  const int64_t passes = std::max<int64_t>(1, (int64_t(1) << 22) / elements);
  double seconds = bestSecondsOn(threads, rounds, [&](int i, int) {
    const int64_t begin = part * i;
    for (int64_t pass = 0; pass < passes; ++pass) {
      if (traffic == Traffic::Sum) {
        volatile float result = kernels.sum(a.get() + begin, part);
        (void)result;
        continue;
      }
      auto *loop =
          traffic == Traffic::Triad ? kernels.triad : kernels.triadNonTemporal;
      loop(c.get() + begin, a.get() + begin, b.get() + begin, part);
    }
  });
  double bytes = traffic == Traffic::Sum ? 4.0 : 12.0;
  return bytes * static_cast<double>(elements * passes) / seconds / 1e9;
}

} // namespace kiln::bench
