// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A branch, loop or call of a cut run, driven block by block, iteration by
// iteration.
#ifndef KILN_LIB_EXEC_REGIONRUN_H
#define KILN_LIB_EXEC_REGIONRUN_H

#include "lib/Exec/CutPlan.h"
#include "lib/Exec/Frame.h"

#include <memory>
#include <span>
#include <vector>

namespace kiln {

class CutFrame;

/// From begin() to its end or clear(). What it waits for wakes the run that it
/// is of.
///
/// Ownership: borrows the unit, its plans, and what a CutFrame does. Thread
/// safety: the run's thread.
class RegionRun {
public:
  RegionRun(const CutUnit &unit, const CutPlan::Inner &plans,
            SessionServices &services, KilnRunState &state,
            RunContext &context);
  ~RegionRun();

  /// Takes values of the unit's inputs; those of handles are not valid.
  /// **Errors**: INVALID_ARGUMENT for a condition that is none.
  Status begin(std::span<Tensor> inputs);
  /// Does all that can be done without waiting; true when it has ended.
  /// **Errors**: CutFrame::run()'s.
  StatusOr<bool> advance(const RunControl &control);
  /// What an ended one gives, one an output of the unit; not valid for handles
  /// and for what is not looked at.
  std::span<const Tensor> results() const { return values; }
  /// The op that it waits for; null for none.
  const BlockingOp *pendingOp(std::string &name) const;
  void clear();

private:
  CutFrame &frameOf(bool isSecond);
  /// Begins a block with `values` and what it takes from around the region.
  void enter(bool isSecond);
  /// Takes the results of the block that has ended; true where the region has.
  StatusOr<bool> leave();

  const CutUnit &unit;
  const CutRegion &region;
  const CutPlan::Inner &plans;
  SessionServices &services;
  KilnRunState &state;
  RunContext &context;
  std::unique_ptr<CutFrame> first, second; ///< made when they are first entered
  bool isInSecond = false;
  std::vector<Tensor> values; ///< that go from block to block
  std::vector<Tensor> around; ///< what both take from around the region
};

} // namespace kiln

#endif // KILN_LIB_EXEC_REGIONRUN_H
