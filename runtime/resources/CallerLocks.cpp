// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A list of callers a thread.
#include "runtime/resources/CallerLocks.h"

#include "runtime/abi/RunState.h"
#include "runtime/resources/VariableLocks.h"

#include <algorithm>

namespace kiln {

static thread_local CallerLocks *innermost = nullptr;

CallerLocks::CallerLocks(const KilnRunState *run) noexcept
    : locks(run && run->context ? static_cast<RunContext *>(run->context)->locks
                                : nullptr),
      outer(innermost) {
  innermost = this;
}

CallerLocks::~CallerLocks() { innermost = outer; }

HeldMode CallerLocks::heldMode(const SlotLock &lock) noexcept {
  HeldMode held = HeldMode::None;
  for (const CallerLocks *caller = innermost; caller; caller = caller->outer)
    if (caller->locks)
      held = std::max(held, caller->locks->heldMode(lock));
  return held;
}

} // namespace kiln
