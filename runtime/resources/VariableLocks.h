// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The locks of one run: a plan worked out with the executable, and its holder.
#ifndef KILN_RUNTIME_RESOURCES_VARIABLELOCKS_H
#define KILN_RUNTIME_RESOURCES_VARIABLELOCKS_H

#include "runtime/resources/CallerLocks.h"
#include "runtime/resources/VariableSlot.h"

#include <span>
#include <vector>

namespace kiln {

/// The locks that every run of an executable takes, worked out once.
///
/// Invariants: entries are in slot order, each slot once; a slot that is both
/// read and written is Update; reads of a plan with writes are WriterShared.
struct LockPlan {
  struct Entry {
    VariableSlot *slot;
    LockMode mode;
  };
  std::vector<Entry> entries;
  bool hasWrites = false;

  /// Slots may repeat within and between the two lists.
  static LockPlan make(std::span<VariableSlot *const> reads,
                       std::span<VariableSlot *const> writes);
};

/// Holds a plan's locks for one run and gives them back in the end.
///
/// Invariants: (1) entries [0, numHeld) are held, those of them in [0,
/// numUpgraded) that are Update exclusively; (2) a run that writes a variable
/// has isWriting(). Thread safety: one thread at a time (beginWrites may come
/// from a worker: the run orders it). The plan must outlive it. **Cost**: about
/// 10 ns a slot uncontended; no allocation.
class VariableLocks {
public:
  explicit VariableLocks(const LockPlan &plan) noexcept : plan(plan) {}
  VariableLocks(const VariableLocks &) = delete;
  VariableLocks &operator=(const VariableLocks &) = delete;
  ~VariableLocks() { release(); }

  /// Takes every lock in slot order. Returns false, holding nothing, when the
  /// state's cancel word was set meanwhile, or as failure() says.
  [[nodiscard]] bool acquire(const KilnRunState *state = nullptr) noexcept;
  /// Makes the update locks exclusive, in slot order; does nothing the second
  /// time. Returns false when the state's cancel word was set meanwhile, or as
  /// failure() says: nothing may be written then.
  [[nodiscard]] bool beginWrites(const KilnRunState *state = nullptr) noexcept;
  /// Gives everything back.
  void release() noexcept;

  /// FAILED_PRECONDITION, with the variable, where a lock was not taken because
  /// a run holds it that has called this one (CallerLocks.h); else OK.
  Status failure() const;

  /// True once beginWrites() has succeeded.
  bool isWriting() const noexcept { return writing; }
  HeldMode heldMode(const SlotLock &lock) const noexcept;

private:
  const LockPlan &plan;
  size_t numHeld = 0;
  size_t numUpgraded =
      0; // entries [0, numUpgraded) whose updates are exclusive
  bool writing = false;
  const LockPlan::Entry *inVain = nullptr; ///< what callers hold
};

} // namespace kiln

#endif // KILN_RUNTIME_RESOURCES_VARIABLELOCKS_H
