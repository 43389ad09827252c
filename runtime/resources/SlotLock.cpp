// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The contended paths of SlotLock: spin briefly, then sleep and look at the
// cancel word now and then.
#include "runtime/resources/SlotLock.h"

#include "runtime/abi/RunState.h"
#include "runtime/resources/CallerLocks.h"
#include "runtime/threads/Futex.h"

namespace kiln {
namespace {

// A small run lasts about a microsecond: that long it pays to stay awake.
constexpr int spinsBeforeSleep = 64;
// How late a sleeper notices that its run was cancelled.
constexpr int64_t sleepNanoseconds = 10'000'000;

/// Whether a lock may be taken beside what a caller holds of it.
bool goesBeside(LockMode mode, HeldMode held) noexcept {
  return (mode == LockMode::Shared && held != HeldMode::Exclusive) ||
         (mode == LockMode::WriterShared && held < HeldMode::Update);
}

} // namespace

bool SlotLock::acquireSlow(LockMode mode, const KilnRunState *state) noexcept {
  if (HeldMode held = CallerLocks::heldMode(*this); held != HeldMode::None) {
    if (!goesBeside(mode, held))
      return false;
    word.fetch_add(unit(mode), std::memory_order_acquire);
    return true;
  }
  for (int spins = 0;; ++spins) {
    uint32_t old = word.load(std::memory_order_relaxed);
    if ((old & blockers(mode)) == 0) {
      uint32_t taken = old + unit(mode);
      // Other waiting updates ask again when this one's release wakes them.
      if (mode == LockMode::Update)
        taken &= ~updateWanted;
      if (word.compare_exchange_weak(old, taken, std::memory_order_acquire,
                                     std::memory_order_relaxed))
        return true;
      continue;
    }
    if (cancelCode(state) != 0) {
      // The wish must not outlive the waiter: it blocks WriterShared.
      if (mode == LockMode::Update &&
          (word.fetch_and(~updateWanted, std::memory_order_relaxed) & parked))
        wake();
      return false;
    }
    if (spins < spinsBeforeSleep) {
      cpuRelax();
      continue;
    }
    uint32_t asleep =
        old | parked | (mode == LockMode::Update ? updateWanted : 0u);
    if (asleep == old ||
        word.compare_exchange_weak(old, asleep, std::memory_order_relaxed))
      futexWait(word, asleep, sleepNanoseconds);
  }
}

bool SlotLock::upgrade(const KilnRunState *state) noexcept {
  uint32_t old = word.fetch_or(closing, std::memory_order_acquire);
  for (int spins = 0; (old & readerMask) != 0;
       ++spins, old = word.load(std::memory_order_acquire)) {
    if (cancelCode(state) != 0 ||
        CallerLocks::heldMode(*this) != HeldMode::None) {
      if (word.fetch_and(~closing, std::memory_order_relaxed) & parked)
        wake();
      return false;
    }
    if (spins < spinsBeforeSleep) {
      cpuRelax();
      continue;
    }
    uint32_t asleep = old | closing | parked;
    if (asleep == old ||
        word.compare_exchange_weak(old, asleep, std::memory_order_relaxed))
      futexWait(word, asleep, sleepNanoseconds);
  }
  return true;
}

void SlotLock::release(LockMode mode) noexcept {
  uint32_t old;
  bool lets = true; // whether a sleeper may go on
  switch (mode) {
  case LockMode::Shared:
    old = word.fetch_sub(readerUnit, std::memory_order_release);
    lets = (old & readerMask) == readerUnit || (old & readersFull);
    break;
  case LockMode::WriterShared:
    old = word.fetch_sub(writerReaderUnit, std::memory_order_release);
    lets = (old & writerReaderMask) == writerReaderUnit ||
           (old & writerReadersFull);
    break;
  case LockMode::Update:
    old = word.fetch_and(~updateHeld, std::memory_order_release);
    break;
  }
  if (lets && (old & parked))
    wake();
}

void SlotLock::releaseExclusive() noexcept {
  if (word.fetch_and(~(updateHeld | closing), std::memory_order_release) &
      parked)
    wake();
}

void SlotLock::wake() noexcept {
  word.fetch_and(~parked, std::memory_order_relaxed);
  futexWakeAll(word);
}

} // namespace kiln
