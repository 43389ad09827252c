// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts allocations by standing in for malloc and its kin, and asks the system
// for page faults.
//
// Linked into one program only: symbols of an executable come before those of
// the libraries that it loads, so LLVM's and the C++ library's calls are seen
// too.
#include "bench/ProcessCounters.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <sys/resource.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||     \
    __has_feature(memory_sanitizer)
#define KILN_BENCH_SANITIZED 1
#endif
#endif
#if defined(__GLIBC__) && !defined(KILN_BENCH_SANITIZED)
#define KILN_BENCH_COUNTS 1
#endif

namespace kiln::bench {
namespace {

// While nothing is counted an allocation costs one load more.
std::atomic<bool> counting{false};
std::atomic<int64_t> allocations{0};

int64_t minorFaults() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

} // namespace

#ifdef KILN_BENCH_COUNTS
bool countsAllocations() { return true; }
/// Called for every allocation.
static void note() {
  if (counting.load(std::memory_order_relaxed))
    allocations.fetch_add(1, std::memory_order_relaxed);
}
#else
bool countsAllocations() { return false; }
#endif

CountedRegion::CountedRegion() {
  allocations.store(0, std::memory_order_relaxed);
  start.pageFaults = minorFaults();
  counting.store(true, std::memory_order_relaxed);
}

ProcessCounters CountedRegion::stop() {
  counting.store(false, std::memory_order_relaxed);
  return {allocations.load(std::memory_order_relaxed),
          minorFaults() - start.pageFaults};
}

} // namespace kiln::bench

#ifdef KILN_BENCH_COUNTS
#define KILN_BENCH_EXPORT extern "C" __attribute__((visibility("default")))
extern "C" {
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
}

KILN_BENCH_EXPORT void *malloc(size_t size) {
  kiln::bench::note();
  return __libc_malloc(size);
}
KILN_BENCH_EXPORT void *calloc(size_t count, size_t size) {
  kiln::bench::note();
  return __libc_calloc(count, size);
}
KILN_BENCH_EXPORT void *realloc(void *memory, size_t size) {
  kiln::bench::note();
  return __libc_realloc(memory, size);
}
KILN_BENCH_EXPORT void *memalign(size_t alignment, size_t size) {
  kiln::bench::note();
  return __libc_memalign(alignment, size);
}
KILN_BENCH_EXPORT void *aligned_alloc(size_t alignment, size_t size) {
  kiln::bench::note();
  return __libc_memalign(alignment, size);
}
KILN_BENCH_EXPORT int posix_memalign(void **memory, size_t alignment,
                                     size_t size) {
  kiln::bench::note();
  *memory = __libc_memalign(alignment, size);
  return *memory ? 0 : ENOMEM;
}
#endif
