// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the process took from the system: allocations and page faults.
#ifndef KILN_BENCH_PROCESSCOUNTERS_H
#define KILN_BENCH_PROCESSCOUNTERS_H

#include <cstdint>

namespace kiln::bench {

struct ProcessCounters {
  int64_t allocations = 0; ///< calls of malloc and its kin, all threads
  int64_t pageFaults = 0;  ///< those served without reading a disk
};

/// Whether allocations are seen: not under sanitizers, which have their own
/// allocator, nor with another C library than glibc.
bool countsAllocations();

/// Counts between its construction and stop(). One at a time.
class CountedRegion {
public:
  CountedRegion();
  ProcessCounters stop();

private:
  ProcessCounters start;
};

} // namespace kiln::bench

#endif // KILN_BENCH_PROCESSCOUNTERS_H
