// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of one run at a time of a program that is cut: values between its
// parts, what has been done, what is waited for.
#ifndef KILN_LIB_EXEC_CUTFRAME_H
#define KILN_LIB_EXEC_CUTFRAME_H

#include "lib/Exec/CutPlan.h"
#include "lib/Exec/Frame.h"
#include "lib/Exec/RegionRun.h"

#include <functional>
#include <vector>

namespace kiln {

/// Runs the units of a plan. Each part is a run of its own program, with its
/// own locks; none is held between them, and none while the run waits. All ops
/// that cut and could come next have begun when it waits: the first one that
/// can go on does. A branch or loop with such ops inside is run by frames of
/// its blocks, which wait with this one.
///
/// Ownership: borrows plan, session, and the state and context of its frame.
/// Thread safety: none; one run at a time. **Cost**: a look-up in the cache a
/// part and run, about 0.2 µs.
class CutFrame {
public:
  CutFrame(const CutPlan &plan, SessionServices &services, KilnRunState &state,
           RunContext &context);

  /// As Frame::run(). **Errors**: of an op that waits, with its node; what the
  /// units before it did stays.
  Status run(std::span<const Tensor> feeds, std::span<const int> places,
             std::span<Tensor> results, const RunControl &control);

  /// Begins a run in steps (CutGraph.h), which ends with clear().
  void beginSteps();
  /// Gives it a feed.
  void arrive(int feed, const Tensor &value);
  /// Does all that can be done now, and waits until there are values for these
  /// fetches, which no feed that is missing keeps away. **Errors**: as run().
  Status runStep(std::span<const int> fetches, const RunControl &control);
  /// The value of a fetch, which is the caller's alone. **Errors**:
  /// RESOURCE_EXHAUSTED.
  StatusOr<Tensor> takeFetch(int fetch) {
    return takeOrCopy(plan.graph.fetches[static_cast<size_t>(fetch)]);
  }
  /// Begins the block of a region with feeds that it takes; handles of
  /// variables are feeds that are not valid. What they hold stays as it is.
  void beginBlock(std::span<Tensor> feeds);
  /// Does all that can be done without waiting; true when nothing is left.
  /// **Errors**: as run().
  StatusOr<bool> advance(const RunControl &control);
  /// A value that the frame may go on using; not valid for number -1.
  Tensor valueOf(int value) const {
    return value < 0 ? Tensor() : values[static_cast<size_t>(value)];
  }
  /// The first op that is waited for, and its name; null for none.
  const BlockingOp *pendingOp(std::string &name) const;
  /// Lets go of everything, so that a frame at rest holds no user's memory.
  void clear();

private:
  void begin(std::span<const Tensor> feeds, std::span<const int> places,
             std::span<Tensor> results);
  void beginUnits(bool areFeedsThere);
  /// Runs units until all have been, or nothing can be done without waiting and
  /// isEnough() says so.
  Status runUnits(const RunControl &control,
                  const std::function<bool()> &isEnough = {});
  Status runPart(size_t unit, const RunControl &control);
  Status runReady(const RunControl &control);
  Status beginOp(size_t unit);
  Status beginRegion(size_t unit, const RunControl &control);
  /// Gives what an op has put into `outputs`.
  void completeOp(size_t unit);
  Status completeRegion(size_t unit);
  /// Ends the pending units that have ended; true where one has.
  StatusOr<bool> collect(const RunControl &control);
  Status cancelled() const;
  void complete(size_t unit);
  Status giveResults(std::span<const int> places, std::span<Tensor> results);
  const CutUnit &unitAt(size_t unit) const { return plan.graph.units[unit]; }
  /// The value for its only or for one of several uses: in the second case, and
  /// when it is not the run's own, a copy.
  StatusOr<Tensor> takeOrCopy(int value);
  /// The value, which the frame goes on using: but not a slot's for its only
  /// use, so that the op with the last one may change a list.
  Tensor takeOrShare(int value);

  const CutPlan &plan;
  SessionServices &services;
  KilnRunState &state;
  RunContext &context;

  std::vector<Tensor> values;
  std::vector<int> numBefore;
  std::vector<size_t> ready;
  /// One a unit, made when it first runs.
  std::vector<std::unique_ptr<BlockingAttempt>> attempts;
  std::vector<std::unique_ptr<RegionRun>> regions;
  std::vector<size_t> pending;
  size_t numLeft = 0; ///< units that have not ended
  bool isInSteps = false;
  std::vector<Tensor> inputs, outputs; ///< of the unit that runs
  std::vector<int> identity;           ///< 0, 1, 2 …
  std::vector<FeedView> views;
};

} // namespace kiln

#endif // KILN_LIB_EXEC_CUTFRAME_H
