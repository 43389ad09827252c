// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ends a run or a wait: a token that is cancelled, or a deadline that
// passes.
#ifndef KILN_RUNTIME_THREADS_CANCEL_H
#define KILN_RUNTIME_THREADS_CANCEL_H

#include "runtime/abi/RunState.h"
#include "runtime/threads/ForkMutex.h"

#include <atomic>
#include <chrono>
#include <optional>
#include <vector>

namespace kiln {

/// Cancels the runs attached to it, now and later: one per session for close(),
/// one per RunOptions::cancel.
///
/// Invariants: (1) once cancelled it stays so: runs attached later are
/// cancelled at once; (2) no state is touched after its detach() returned.
/// Thread safety: all functions; `mutex` guards `runs`, isCancelled() takes
/// none. A child of fork() may use a token that other threads used meanwhile;
/// their runs stay attached to it there. It must outlive its attachments.
class CancelToken {
public:
  CancelToken() = default;
  CancelToken(const CancelToken &) = delete;
  CancelToken &operator=(const CancelToken &) = delete;

  void cancel();
  bool isCancelled() const { return cancelled.load(std::memory_order_acquire); }
  /// The number of runs attached.
  size_t numRuns() const;

private:
  friend class CancelScope;
  void attach(KilnRunState *state);
  void detach(KilnRunState *state);

  mutable ForkMutex mutex;
  std::vector<KilnRunState *> runs;
  std::atomic<bool> cancelled{false};
};

/// Attaches a run to a token while it lives; a null token is nothing.
class CancelScope {
public:
  CancelScope(CancelToken *token, KilnRunState *state)
      : token(token), state(state) {
    if (token)
      token->attach(state);
  }
  ~CancelScope() {
    if (token)
      token->detach(state);
  }
  CancelScope(const CancelScope &) = delete;
  CancelScope &operator=(const CancelScope &) = delete;

private:
  CancelToken *token;
  KilnRunState *state;
};

/// Ends a run with DEADLINE_EXCEEDED at a point in time, unless the scope has
/// gone by then.
///
/// One thread a process, started by the first deadline, sets the words.
/// **Edges**: time_point::max() is no deadline and costs nothing; a point in
/// the past cancels at once.
class DeadlineScope {
public:
  using Clock = std::chrono::steady_clock;
  static constexpr Clock::time_point noDeadline = Clock::time_point::max();

  DeadlineScope(Clock::time_point deadline, KilnRunState *state);
  ~DeadlineScope();
  DeadlineScope(const DeadlineScope &) = delete;
  DeadlineScope &operator=(const DeadlineScope &) = delete;

private:
  KilnRunState *state;
};

/// How long a caller waits: for a compilation, for a run, for its parts. The
/// one form of it below the public RunOptions; what runs sees it as the word
/// that a WaitScope sets, a compilation is bounded by its own work
/// (CompileControl).
struct WaitControl {
  using Clock = DeadlineScope::Clock;
  Clock::time_point deadline = DeadlineScope::noDeadline;
  /// May be null.
  CancelToken *cancel = nullptr;
  /// It makes an element of a dataset, for an iterator that is locked.
  bool isPipeline = false;

  /// **Errors**: CANCELLED and DEADLINE_EXCEEDED where it waits no longer.
  Status check() const;
};

/// Ends a run where its caller waits no longer, while the scope lives, and lets
/// the run tell what it calls. **Cost**: two stores for a caller that waits for
/// ever.
class WaitScope {
public:
  WaitScope(const WaitControl &control, KilnRunState *state)
      : context(*static_cast<RunContext *>(state->context)) {
    context.wait = &control;
    if (control.cancel) [[unlikely]]
      cancel.emplace(control.cancel, state);
    if (control.deadline != DeadlineScope::noDeadline) [[unlikely]]
      deadline.emplace(control.deadline, state);
  }
  ~WaitScope() { context.wait = nullptr; }
  WaitScope(const WaitScope &) = delete;
  WaitScope &operator=(const WaitScope &) = delete;

private:
  RunContext &context;
  std::optional<CancelScope> cancel;
  std::optional<DeadlineScope> deadline;
};

} // namespace kiln

#endif // KILN_RUNTIME_THREADS_CANCEL_H
