// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole lines are streamed, the rest is copied.
#include "lib/Eval/StreamingCopy.h"

#include "runtime/arithmetic/CpuVariants.h"

#include <atomic>
#include <cstring>

namespace kiln::eval {
namespace {

constexpr int64_t lineBytes = 64;

#if defined(__x86_64__)
using Vector [[gnu::vector_size(32)]] = float;

KILN_TARGET_WIDE void streamLines(char *target, const char *source,
                                  int64_t bytes) {
  for (int64_t i = 0; i < bytes; i += sizeof(Vector)) {
    Vector part;
    std::memcpy(&part, source + i, sizeof part);
    __builtin_nontemporal_store(part, reinterpret_cast<Vector *>(target + i));
  }
}
#else
void streamLines(char *target, const char *source, int64_t bytes) {
  std::memcpy(target, source, static_cast<size_t>(bytes));
}
#endif

std::atomic<int64_t> finishedStreams{0};

} // namespace

void copyStreaming(void *target, const void *source, int64_t bytes) {
  auto *to = static_cast<char *>(target);
  const auto *from = static_cast<const char *>(source);
  bool isAligned = reinterpret_cast<uintptr_t>(to) % lineBytes == 0;
  int64_t streamed =
      isAligned && isWideCpu() ? bytes / lineBytes * lineBytes : 0;
  streamLines(to, from, streamed);
  std::memcpy(to + streamed, from + streamed,
              static_cast<size_t>(bytes - streamed));
}

// A full fence waits for streamed stores, too, which the synchronization of
// threads alone does not order.
void finishStreaming() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  finishedStreams.fetch_add(1, std::memory_order_relaxed);
}

int64_t numFinishedStreams() noexcept {
  return finishedStreams.load(std::memory_order_relaxed);
}

} // namespace kiln::eval
