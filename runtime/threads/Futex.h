// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sleeping on a 32-bit word with a time limit, which std::atomic::wait has not,
// and short busy waits.
#ifndef KILN_RUNTIME_THREADS_FUTEX_H
#define KILN_RUNTIME_THREADS_FUTEX_H

#include <atomic>
#include <cstdint>

namespace kiln {

/// Sleeps while the word is `seen`, until woken or for `nanoseconds` (< 0:
/// without limit). May return early.
void futexWait(std::atomic<uint32_t> &word, uint32_t seen,
               int64_t nanoseconds = -1) noexcept;
/// Wakes up to `count` sleepers.
void futexWake(std::atomic<uint32_t> &word, int count) noexcept;
void futexWakeAll(std::atomic<uint32_t> &word) noexcept;

/// Tells the core that this is a busy wait: about 40 ns on current x86.
inline void cpuRelax() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

} // namespace kiln

#endif // KILN_RUNTIME_THREADS_FUTEX_H
