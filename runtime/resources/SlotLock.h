// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lock of one variable: readers beside one writer to be, and nothing beside
// a writer at work.
#ifndef KILN_RUNTIME_RESOURCES_SLOTLOCK_H
#define KILN_RUNTIME_RESOURCES_SLOTLOCK_H

#include "runtime/abi/Abi.h"

#include <atomic>
#include <cstdint>

namespace kiln {

/// How a run holds a slot, from weak to strong.
enum class LockMode : uint8_t {
  /// Reads, in a run that writes nothing. Beside Shared, WriterShared and
  /// Update.
  Shared,
  /// Reads, in a run that writes other slots. Beside Shared and WriterShared,
  /// never beside Update: two runs that each
  /// read what the other is about to write would wait for each other at the
  /// upgrade.
  WriterShared,
  /// Reads now and writes later. Beside Shared only.
  Update,
};

/// A lock of one word.
///
/// Invariants:
///  1. Exclusive is reached only from Update, by upgrade(); it is alone.
///  2. From the moment upgrade() asks, no new reader gets in: writers are not
///  starved by readers. From the moment that
///     an Update is waited for, no new WriterShared gets in.
///  3. Slots are acquired in slot order and upgraded in slot order by every
///  run, and nothing is waited for after the
///     first upgrade began except readers of slots not upgraded yet: no cycle
///     of waiting runs can arise.
///  4. A run that another one has called on its thread (CallerLocks.h) never
///  waits for what that one holds: what goes beside it is taken at once, also
///  where a writer waits; anything else fails.
/// Waiting ends early when the word `cancel` of the given state becomes
/// nonzero; false is returned and nothing is held that was not held before.
/// Thread safety: all functions. **Cost**: uncontended one compare-and-swap to
/// take, one to give back, no system call.
class SlotLock {
public:
  SlotLock() noexcept = default;
  SlotLock(const SlotLock &) = delete;
  SlotLock &operator=(const SlotLock &) = delete;

  bool acquire(LockMode mode, const KilnRunState *state = nullptr) noexcept {
    uint32_t old = word.load(std::memory_order_relaxed);
    if ((old & blockers(mode)) == 0 &&
        word.compare_exchange_strong(old, old + unit(mode),
                                     std::memory_order_acquire,
                                     std::memory_order_relaxed))
      return true;
    return acquireSlow(mode, state);
  }
  void release(LockMode mode) noexcept;
  /// Turns the caller's Update into exclusive once the readers have gone.
  bool upgrade(const KilnRunState *state = nullptr) noexcept;
  /// Gives back an upgraded Update.
  void releaseExclusive() noexcept;

private:
  // Layout: 12 bits of readers, 12 bits of writers' readers, then flags. The
  // top bit of each count is a blocker, so a count never overflows.
  static constexpr uint32_t readerUnit = 1u, readerMask = 0xfffu,
                            readersFull = 0x800u;
  static constexpr uint32_t writerReaderUnit = 1u << 12,
                            writerReaderMask = 0xfffu << 12,
                            writerReadersFull = 1u << 23;
  static constexpr uint32_t updateHeld = 1u << 24;
  static constexpr uint32_t updateWanted =
      1u << 25; // an Update is waited for: no new WriterShared
  static constexpr uint32_t closing =
      1u << 26; // upgrade asked for or done: no new reader
  static constexpr uint32_t parked = 1u << 27; // a thread sleeps on the word

  static constexpr uint32_t blockers(LockMode mode) noexcept {
    switch (mode) {
    case LockMode::Shared:
      return closing | readersFull;
    case LockMode::WriterShared:
      return updateHeld | updateWanted | writerReadersFull;
    case LockMode::Update:
      return updateHeld | writerReaderMask;
    }
    return ~0u;
  }
  static constexpr uint32_t unit(LockMode mode) noexcept {
    return mode == LockMode::Shared         ? readerUnit
           : mode == LockMode::WriterShared ? writerReaderUnit
                                            : updateHeld;
  }
  bool acquireSlow(LockMode mode, const KilnRunState *state) noexcept;
  void wake() noexcept;

  std::atomic<uint32_t> word{0};
};

} // namespace kiln

#endif // KILN_RUNTIME_RESOURCES_SLOTLOCK_H
