// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long a run stays in the evaluator where only the run itself can tell how
// long that takes, and what it takes back when it leaves.
#ifndef KILN_LIB_EXEC_RUNBUDGET_H
#define KILN_LIB_EXEC_RUNBUDGET_H

#include "lib/Eval/Evaluator.h"
#include "lib/Exec/Program.h"
#include "runtime/random/StreamLog.h"

#include <chrono>
#include <vector>

namespace kiln {

/// The budget of one run of a program with Program::hasBudget().
///
/// For a while nothing else happens: what ends by then costs no compilation.
/// From then on native code is made behind the run, and when it is there the
/// run is given up, to begin again as native code; a process of one thread
/// gives it up as soon as compiling is estimated to be the sooner.
///
/// What was drawn of random streams is in `streams`, for the run that begins
/// again. Variables get back what they held: no other run has seen the run's
/// values, since it holds them exclusively. An effect that cannot be taken back
/// ends the run before it, where it is not known how much is still to come, and
/// else the budget: the run goes on to its end.
///
/// **Ownership**: borrows the program, which outlives it. Thread safety: one
/// thread at a time.
class RunBudget : public EvalBudget {
public:
  explicit RunBudget(const Program &program);

  bool isSpent() override;
  bool mayAct(bool isLast, int64_t variable) override;
  /// Called before a variable of the program is written, under its exclusive
  /// lock. **Errors**: RESOURCE_EXHAUSTED.
  Status beforeWrite(VariableSlot &slot);
  /// Gives variables their values back, under the same locks.
  void takeBack();
  /// Whether the run was told to end.
  bool wasSpent() const { return isOver; }

  StreamLog streams;

private:
  using Clock = std::chrono::steady_clock;
  struct Kept {
    VariableSlot *slot;
    Tensor value; ///< not valid where it had none
  };

  bool isKept(const VariableSlot &slot) const;
  bool canBeTakenBack(VariableSlot &slot) const;

  const Program &program;
  const Clock::time_point start = Clock::now();
  Clock::time_point lastLook = start;
  const Clock::duration quiet, most;
  int looksLeftOut = 0;
  bool hasBegun = false;  ///< to make native code
  bool isOver = false;    ///< the run is to end
  bool isUnbound = false; ///< the run is to go on to its end
  std::vector<Kept> kept;
  int64_t keptBytes = 0;
};

} // namespace kiln

#endif // KILN_LIB_EXEC_RUNBUDGET_H
