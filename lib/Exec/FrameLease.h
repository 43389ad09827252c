// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A frame of a program for one run, or for the runs of a callable.
#ifndef KILN_LIB_EXEC_FRAMELEASE_H
#define KILN_LIB_EXEC_FRAMELEASE_H

#include "lib/Exec/Frame.h"
#include "lib/Exec/ProgramFinder.h"
#include "lib/Support/StatusMacros.h"

#include <memory>
#include <span>
#include <utility>

namespace kiln {

/// Holds a program and one of its frames, which goes back to the program's idle
/// ones with the lease. Thread safety: none.
class FrameLease {
public:
  FrameLease() = default;
  explicit FrameLease(ProgramPtr of)
      : owner(std::move(of)), frame(owner->takeFrame()) {}
  ~FrameLease() { giveBack(); }
  FrameLease(FrameLease &&other) noexcept = default;
  FrameLease &operator=(FrameLease &&other) noexcept {
    giveBack();
    owner = std::move(other.owner);
    frame = std::move(other.frame);
    return *this;
  }

  explicit operator bool() const { return frame != nullptr; }
  const ProgramPtr &program() const { return owner; }
  Frame *operator->() const { return frame.get(); }

private:
  void giveBack() {
    if (frame)
      owner->giveBack(std::move(frame));
  }

  ProgramPtr owner;
  std::unique_ptr<Frame> frame; ///< goes first
};

/// What a run is given, and where its results go: as Frame::run().
struct RunArguments {
  std::span<const FeedView> views; ///< of `feeds`
  std::span<const Tensor> feeds;
  std::span<const int> places;
  std::span<Tensor> results;
  const RunControl &control;
  /// The run that was given up and that this one takes the place of; may be
  /// null.
  const RunContext *begun = nullptr;
};

/// Binds the lease's frame and runs it.
inline Status bindAndRun(const FrameLease &lease, const RunArguments &run) {
  KILN_RETURN_IF_ERROR(lease->bind(run.views));
  return run.begun
             ? lease->runAfter(*run.begun, run.feeds, run.places, run.results,
                               run.control)
             : lease->run(run.feeds, run.places, run.results, run.control);
}

/// Has `find` lease a frame, binds and runs it; again where the shape of a
/// variable changed meanwhile. `find` takes the lease, which may hold a frame
/// already, and returns a status.
template <class Find>
Status findAndRun(FrameLease &lease, const RunArguments &run,
                  const Find &find) {
  for (;;) {
    KILN_RETURN_IF_ERROR(find(lease));
    Status status = bindAndRun(lease, run);
    if (!lease->isStale()) [[likely]]
      return status;
  }
}

} // namespace kiln

#endif // KILN_LIB_EXEC_FRAMELEASE_H
