// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What this machine can do at most: float32 multiply-adds and a triad over
// arrays beyond the caches, on one thread and on all.
//
// One JSON line a figure, the best of several rounds: "fma_f32_ISA" in
// GFLOP/s, "triad" (c = 3 a + b, 12 bytes an element; the line that a plain
// store first reads is not counted) and "triad_nontemporal" in GB/s. Machines
// are shared: compare with figures of the same minutes only.
#include "bench/MachineLimit.h"

#include <cstdio>
#include <vector>

using namespace kiln::bench;

int main() {
  const MachineKernels *kernels = machineKernels();
  if (!kernels) {
    std::fprintf(stderr,
                 "kiln-bench-limit: expected a CPU with AVX2 and FMA\n");
    return 1;
  }
  std::vector<int> threadCounts = {1};
  if (machineThreads() > 1)
    threadCounts.push_back(machineThreads());
  for (int threads : threadCounts)
    std::printf("{\"system\": \"limit\", \"workload\": \"fma_f32_%s\", "
                "\"threads\": %d, \"gflops\": %.1f}\n",
                kernels->name, threads,
                multiplyAddLimit(*kernels, threads, 40));
  // 64 MiB an array: beyond most last-level caches.
  constexpr int64_t elements = int64_t(1) << 24;
  for (Traffic traffic : {Traffic::Triad, Traffic::TriadNonTemporal})
    for (int threads : threadCounts) {
      double rate = trafficLimit(*kernels, traffic, elements, threads, 25);
      if (rate == 0) {
        std::fprintf(stderr, "kiln-bench-limit: no memory for the arrays\n");
        return 1;
      }
      std::printf("{\"system\": \"limit\", \"workload\": \"triad%s\", "
                  "\"threads\": %d, \"gbs\": %.1f}\n",
                  traffic == Traffic::Triad ? "" : "_nontemporal", threads,
                  rate);
    }
  return 0;
}
