// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What this machine can do at most, measured: the yardsticks of the benchmarks.
#ifndef KILN_BENCH_MACHINELIMIT_H
#define KILN_BENCH_MACHINELIMIT_H

#include <cstdint>

namespace kiln::bench {

/// Loops for one instruction set of this machine. c, a, b: `count` floats, a
/// multiple of 64, aligned to 64 bytes.
struct MachineKernels {
  const char *name; ///< "avx512" …
  int lanes;
  /// Multiplies and adds on registers only: `count` times lanes * chains.
  float (*multiplyAdd)(int64_t count);
  /// c = 3 a + b.
  void (*triad)(float *c, const float *a, const float *b, int64_t count);
  /// The same past the caches: a plain store first reads its line.
  void (*triadNonTemporal)(float *c, const float *a, const float *b,
                           int64_t count);
  /// The sum of a, in many lanes.
  float (*sum)(const float *a, int64_t count);
  /// Independent sums: more than the latency of two units asks for, and with
  /// both constants no more than the 16 registers of AVX2.
  static constexpr int chains = 12;
};

/// Null for an x86-64 CPU without AVX2 and FMA.
const MachineKernels *machineKernels();

/// Threads that this machine runs at once.
int machineThreads();

/// The best of `rounds` rounds, in GFLOP/s.
double multiplyAddLimit(const MachineKernels &kernels, int threads, int rounds);

enum class Traffic { Triad, TriadNonTemporal, Sum };

/// The best of `rounds` rounds of a loop over arrays of `elements` floats, of
/// which each thread has its part, in GB/s: 12 bytes an element for a triad, 4
/// for a sum. Small arrays are gone over many times in a round, so that they
/// come from the cache that they fit in. 0 when there is no memory for them.
double trafficLimit(const MachineKernels &kernels, Traffic traffic,
                    int64_t elements, int threads, int rounds);

} // namespace kiln::bench

#endif // KILN_BENCH_MACHINELIMIT_H
