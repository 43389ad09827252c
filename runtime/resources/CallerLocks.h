// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What runs hold that wait for a call which may run others on their thread.
#ifndef KILN_RUNTIME_RESOURCES_CALLERLOCKS_H
#define KILN_RUNTIME_RESOURCES_CALLERLOCKS_H

#include "runtime/abi/Abi.h"

#include <cstdint>

namespace kiln {

class SlotLock;
class VariableLocks;

enum class HeldMode : uint8_t { None, Shared, WriterShared, Update, Exclusive };

/// Says, while it lives, that the runs which this thread begins are called by
/// this one, which holds its locks until it ends: they never wait for them.
///
/// Ownership: borrows the run. Thread safety: lives and dies on one thread,
/// the last one made first.
class CallerLocks {
public:
  explicit CallerLocks(const KilnRunState *run) noexcept;
  ~CallerLocks();
  CallerLocks(const CallerLocks &) = delete;
  CallerLocks &operator=(const CallerLocks &) = delete;

  /// How runs that have called this thread's present one hold a lock: the
  /// strongest mode. **Cost**: a look at a thread-local pointer where there are
  /// none, else linear in their locks.
  static HeldMode heldMode(const SlotLock &lock) noexcept;

private:
  const VariableLocks *locks;
  CallerLocks *outer;
};

} // namespace kiln

#endif // KILN_RUNTIME_RESOURCES_CALLERLOCKS_H
