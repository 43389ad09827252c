// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Looks at the clock, and keeps what variables held.
#include "lib/Exec/RunBudget.h"

#include "lib/Exec/ProgramFinder.h"
#include "lib/Support/StatusMacros.h"
#include "runtime/threads/ThreadPool.h"

#include <algorithm>
#include <cstring>

namespace kiln {
namespace {

/// A run that ends by then never costs a compilation.
constexpr std::chrono::nanoseconds leastQuiet = std::chrono::milliseconds(2);
/// And beyond that one that takes less than this share of compiling: a second
/// run has native code made behind it.
constexpr double quietShare = 1. / 8;
/// What a run may copy of variables, to give it back: a few milliseconds'
/// worth.
constexpr int64_t maxKeptBytes = int64_t(1) << 24;
/// Ops that follow each other faster than that are not timed one by one.
constexpr std::chrono::nanoseconds shortTime = std::chrono::microseconds(20);
constexpr int mostLooksLeftOut = 15;

std::chrono::nanoseconds nanoseconds(double count) {
  return std::chrono::nanoseconds(static_cast<int64_t>(count));
}

} // namespace

RunBudget::RunBudget(const Program &program)
    : program(program),
      quiet(std::max<Clock::duration>(
          leastQuiet, nanoseconds(quietShare * program.maxRunNs))),
      most(availableThreads() > 1 ? Clock::duration::max()
                                  : nanoseconds(program.maxRunNs)) {}

bool RunBudget::isSpent() {
  if (isUnbound || isOver)
    return isOver;
  if (program.hasReplacement())
    return isOver = true;
  if (looksLeftOut > 0) {
    --looksLeftOut;
    return false;
  }
  Clock::time_point now = Clock::now();
  if (now - lastLook < mostLooksLeftOut * shortTime)
    looksLeftOut = mostLooksLeftOut;
  lastLook = now;
  if (!hasBegun && now - start > quiet) {
    hasBegun = program.services.programs->beginReplacement(program);
  }
  return isOver = now - start > most;
}

bool RunBudget::isKept(const VariableSlot &slot) const {
  return std::ranges::any_of(
      kept, [&](const Kept &before) { return before.slot == &slot; });
}

bool RunBudget::canBeTakenBack(VariableSlot &slot) const {
  // Code has the address of what has a static shape; strings have owners.
  return isKept(slot) ||
         (slot.dtype() != DType::String && !slot.isOpen() &&
          static_cast<int64_t>(slot.byteSize()) <= maxKeptBytes - keptBytes);
}

bool RunBudget::mayAct(bool isLast, int64_t variable) {
  if (isUnbound || isOver)
    return !isOver;
  isUnbound = isLast;
  isOver = !isUnbound &&
           (variable < 0 ||
            !canBeTakenBack(
                *program.binding.variables[static_cast<size_t>(variable)]));
  return !isOver;
}

Status RunBudget::beforeWrite(VariableSlot &slot) {
  if (isUnbound || isKept(slot))
    return okStatus();
  Kept own{&slot, {}};
  if (slot.isInitialized()) {
    KILN_ASSIGN_OR_RETURN(Tensor view, slot.view());
    KILN_ASSIGN_OR_RETURN(own.value, view.clone());
    keptBytes += static_cast<int64_t>(slot.byteSize());
  }
  kept.push_back(std::move(own));
  return okStatus();
}

void RunBudget::takeBack() {
  for (const Kept &before : kept) {
    if (before.value.isValid() && before.value.byteSize() != 0)
      std::memcpy(before.slot->data(), before.value.rawData(),
                  before.value.byteSize());
    before.slot->setInitialized(before.value.isValid());
  }
  kept.clear();
}

} // namespace kiln
