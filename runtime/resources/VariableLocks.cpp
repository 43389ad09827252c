// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes, upgrades and gives back a run's locks in slot order.
#include "runtime/resources/VariableLocks.h"

#include "lib/Support/Strings.h"
#include "runtime/abi/RunState.h"

#include <algorithm>

namespace kiln {

LockPlan LockPlan::make(std::span<VariableSlot *const> reads,
                        std::span<VariableSlot *const> writes) {
  LockPlan plan;
  plan.hasWrites = !writes.empty();
  for (VariableSlot *slot : writes)
    plan.entries.push_back({slot, LockMode::Update});
  for (VariableSlot *slot : reads)
    plan.entries.push_back(
        {slot, plan.hasWrites ? LockMode::WriterShared : LockMode::Shared});
  // The strongest of a slot's entries comes first, and stays.
  auto order = [](const Entry &a, const Entry &b) {
    return a.slot != b.slot ? a.slot->index() < b.slot->index()
                            : a.mode > b.mode;
  };
  auto sameSlot = [](const Entry &a, const Entry &b) {
    return a.slot == b.slot;
  };
  std::sort(plan.entries.begin(), plan.entries.end(), order);
  plan.entries.erase(
      std::unique(plan.entries.begin(), plan.entries.end(), sameSlot),
      plan.entries.end());
  return plan;
}

bool VariableLocks::acquire(const KilnRunState *state) noexcept {
  while (numHeld < plan.entries.size()) {
    const LockPlan::Entry &entry = plan.entries[numHeld];
    if (!entry.slot->lock().acquire(entry.mode, state)) {
      if (cancelCode(state) == 0)
        inVain = &entry;
      release();
      return false;
    }
    ++numHeld;
  }
  return true;
}

bool VariableLocks::beginWrites(const KilnRunState *state) noexcept {
  if (writing)
    return true;
  for (; numUpgraded < numHeld; ++numUpgraded) {
    const LockPlan::Entry &entry = plan.entries[numUpgraded];
    if (entry.mode == LockMode::Update && !entry.slot->lock().upgrade(state)) {
      if (cancelCode(state) == 0)
        inVain = &entry;
      return false;
    }
  }
  writing = true;
  return true;
}

Status VariableLocks::failure() const {
  if (!inVain)
    return okStatus();
  return failedPreconditionError(
      strCat("expected a run that does not ",
             inVain->mode == LockMode::Update ? "write" : "read", " variable ",
             quote(inVain->slot->name()),
             ", which the run that has called it (from a branch, a loop or a "
             "function) holds until it ends"));
}

HeldMode VariableLocks::heldMode(const SlotLock &lock) const noexcept {
  for (size_t i = 0; i < numHeld; ++i) {
    const LockPlan::Entry &entry = plan.entries[i];
    if (&entry.slot->lock() != &lock)
      continue;
    switch (entry.mode) {
    case LockMode::Shared:
      return HeldMode::Shared;
    case LockMode::WriterShared:
      return HeldMode::WriterShared;
    case LockMode::Update:
      return i < numUpgraded ? HeldMode::Exclusive : HeldMode::Update;
    }
  }
  return HeldMode::None;
}

void VariableLocks::release() noexcept {
  while (numHeld > 0) {
    --numHeld;
    const LockPlan::Entry &entry = plan.entries[numHeld];
    if (entry.mode == LockMode::Update && numHeld < numUpgraded)
      entry.slot->lock().releaseExclusive();
    else
      entry.slot->lock().release(entry.mode);
  }
  numUpgraded = 0;
  writing = false;
}

} // namespace kiln
