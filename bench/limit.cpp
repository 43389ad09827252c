// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What this machine can do at most: float32 multiply-adds and a triad over
// arrays beyond the caches, on one thread and on all.
//
// One JSON line a figure, the best of several rounds: "fma_f32_ISA" in
// GFLOP/s, "triad" (c = 3 a + b, 12 bytes an element; the line that a plain
// store first reads is not counted) and "triad_nontemporal" in GB/s. Machines
// are shared: compare with figures of the same minutes only.
#include <algorithm>
#include <barrier>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

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

// Enough independent chains to hide the latency of two units.
constexpr int chains = 16;

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

/// The two loops for one instruction set.
struct Kernels {
  const char *name;
  int lanes;
  float (*multiplyAdd)(int64_t);
  void (*triad)(float *, const float *, const float *, int64_t);
  void (*triadNonTemporal)(float *, const float *, const float *, int64_t);
};

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
  constexpr Kernels kernels_##ISA = {#ISA, LANES, multiplyAdd_##ISA,           \
                                     triad_##ISA, triadNonTemporal_##ISA};

#if defined(__x86_64__)
KILN_KERNELS(avx512, 16, __attribute__((target("avx512f"))))
KILN_KERNELS(avx2, 8, __attribute__((target("avx2,fma"))))

const Kernels *chooseKernels() {
  if (__builtin_cpu_supports("avx512f"))
    return &kernels_avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return &kernels_avx2;
  return nullptr;
}
#else
KILN_KERNELS(baseline, 4, )

const Kernels *chooseKernels() { return &kernels_baseline; }
#endif

void printMultiplyAdd(const Kernels &kernels, int threads) {
  // Some 10 ms: shorter than a time slice, so that the best round had the core
  // to itself.
  constexpr int64_t steps = 2'000'000;
  double seconds = bestSecondsOn(threads, 40, [&](int, int) {
    volatile float result = kernels.multiplyAdd(steps);
    (void)result;
  });
  double flops = 2.0 * kernels.lanes * chains * steps * threads;
  std::printf("{\"system\": \"limit\", \"workload\": \"fma_f32_%s\", "
              "\"threads\": %d, \"gflops\": %.1f}\n",
              kernels.name, threads, flops / seconds / 1e9);
}

struct Free {
  void operator()(float *memory) const { std::free(memory); }
};
using Array = std::unique_ptr<float, Free>;

// 64 MiB an array: beyond most last-level caches.
constexpr int64_t elements = int64_t(1) << 24;

Array makeArray() {
  Array array(static_cast<float *>(
      std::aligned_alloc(64, static_cast<size_t>(elements) * sizeof(float))));
  if (array)
    std::fill_n(array.get(), elements, 1.0f);
  return array;
}

bool printTriad(const Kernels &kernels, std::vector<int> threadCounts) {
  Array a = makeArray(), b = makeArray(), c = makeArray();
  if (!a || !b || !c)
    return false;
  for (bool nonTemporal : {false, true})
    for (int threads : threadCounts) {
      auto *loop = nonTemporal ? kernels.triadNonTemporal : kernels.triad;
      double seconds = bestSecondsOn(threads, 25, [&](int i, int n) {
        // Parts are multiples of every vector.
        int64_t part = elements / n / 64 * 64;
        int64_t begin = part * i;
        int64_t count = i + 1 == n ? elements - begin : part;
        loop(c.get() + begin, a.get() + begin, b.get() + begin, count);
      });
      std::printf("{\"system\": \"limit\", \"workload\": \"triad%s\", "
                  "\"threads\": %d, \"gbs\": %.1f}\n",
                  nonTemporal ? "_nontemporal" : "", threads,
                  12.0 * elements / seconds / 1e9);
    }
  return true;
}

} // namespace

int main() {
  const Kernels *kernels = chooseKernels();
  if (!kernels) {
    std::fprintf(stderr,
                 "kiln-bench-limit: expected a CPU with AVX2 and FMA\n");
    return 1;
  }
  int all = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  std::vector<int> threadCounts = {1};
  if (all > 1)
    threadCounts.push_back(all);
  for (int threads : threadCounts)
    printMultiplyAdd(*kernels, threads);
  if (!printTriad(*kernels, threadCounts)) {
    std::fprintf(stderr, "kiln-bench-limit: no memory for the arrays\n");
    return 1;
  }
  return 0;
}
