// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The futex system call behind Futex.h.
#include "runtime/threads/Futex.h"

#include <climits>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace kiln {

void futexWait(std::atomic<uint32_t> &word, uint32_t seen,
               int64_t nanoseconds) noexcept {
  timespec limit{nanoseconds / 1'000'000'000, nanoseconds % 1'000'000'000};
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, seen,
          nanoseconds < 0 ? nullptr : &limit, nullptr, 0);
}

void futexWake(std::atomic<uint32_t> &word, int count) noexcept {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, count, nullptr, nullptr, 0);
}

void futexWakeAll(std::atomic<uint32_t> &word) noexcept {
  futexWake(word, INT_MAX);
}

} // namespace kiln
