// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts allocations, for what must do none. It replaces operator new: one
// source file of a program includes it.
#ifndef KILN_TEST_UNIT_COUNTALLOCATIONS_H
#define KILN_TEST_UNIT_COUNTALLOCATIONS_H

#include "test/unit/Sanitizers.h"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace kiln::testing {
/// Since the program began; stays 0 under sanitizers, which have an operator
/// new of their own.
inline std::atomic<int64_t> numAllocations{0};
} // namespace kiln::testing

#if !KILN_SANITIZED
void *operator new(size_t bytes) {
  kiln::testing::numAllocations.fetch_add(1, std::memory_order_relaxed);
  if (void *memory = std::malloc(bytes ? bytes : 1))
    return memory;
  std::abort();
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, size_t) noexcept { std::free(memory); }
#endif

#endif // KILN_TEST_UNIT_COUNTALLOCATIONS_H
