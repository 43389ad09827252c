// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A run whose feeds come and whose fetches are asked for in several calls.
#ifndef KILN_LIB_SESSION_PARTIALRUN_H
#define KILN_LIB_SESSION_PARTIALRUN_H

#include "lib/Exec/CutFrame.h"
#include "runtime/memory/RunStrings.h"
#include "runtime/slots/Slots.h"

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace kiln {

/// The state of a run in steps (CutGraph.h), of which each node runs once, as
/// soon as all that it needs has been fed. It holds no lock of a variable
/// between calls. **Ownership**: shared by its session and the calls under way.
/// Thread safety: step() from any thread; calls take turns at `mutex`.
class PartialRun {
public:
  /// A feed of the request with its value.
  struct StepFeed {
    Output output;
    Tensor value;
  };

  PartialRun(std::shared_ptr<const Program> program, RunRequest request);
  /// A run whose first step fails: TensorFlow asks for a placeholder that is
  /// not among the feeds where it runs.
  PartialRun(Status failure, SessionServices &services, RunRequest request);
  ~PartialRun();

  /// Runs what needs no feed. **Errors**: the run's.
  Status begin();
  /// Feeds, runs what can be run, fetches. Sets isOver where nothing is left to
  /// be done with the run, or it has failed. **Errors**: INVALID_ARGUMENT, with
  /// TensorFlow's texts, for what is not the request's and what was fed or
  /// fetched before, then nothing has happened; the run's.
  StatusOr<std::vector<Tensor>> step(std::span<const StepFeed> feeds,
                                     std::span<const Output> fetches,
                                     const RunControl &control, bool &isOver);

private:
  /// The feeds that each unit waits for.
  void findNeeds();
  Status checkStep(std::span<const StepFeed> feeds,
                   std::span<const Output> fetches,
                   std::vector<int> &feedNumbers,
                   std::vector<int> &fetchNumbers) const;
  Status runStep(std::span<const int> fetches, const RunControl &control);

  const std::shared_ptr<const Program> program; ///< none of a run that fails
  SessionServices &services;
  const Status failure;
  const RunRequest request;
  std::mutex mutex;
  RunStrings strings;
  SlotTable slots;
  RunContext context;
  KilnRunState state;
  CancelScope sessionScope;
  std::optional<CutFrame> frame; ///< none of a run that fails
  bool hasEnded = false;
  std::vector<bool> isFed, isFetched; ///< by place in the request
  /// By fetch: the feeds that its value needs.
  std::vector<std::vector<bool>> needs;
};

} // namespace kiln

#endif // KILN_LIB_SESSION_PARTIALRUN_H
