// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tokens keep a list of their runs; one timer thread serves all deadlines.
#include "runtime/threads/Cancel.h"

#include "runtime/threads/PerProcess.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace kiln {

void CancelToken::cancel() {
  std::lock_guard guard(mutex);
  cancelled.store(true, std::memory_order_release);
  for (KilnRunState *state : runs)
    requestCancel(state, StatusCode::Cancelled);
}

size_t CancelToken::numRuns() const {
  std::lock_guard guard(mutex);
  return runs.size();
}

void CancelToken::attach(KilnRunState *state) {
  std::lock_guard guard(mutex);
  runs.push_back(state);
  if (cancelled)
    requestCancel(state, StatusCode::Cancelled);
}

void CancelToken::detach(KilnRunState *state) {
  std::lock_guard guard(mutex);
  auto it = std::find(runs.begin(), runs.end(), state);
  *it = runs.back();
  runs.pop_back();
}

namespace {

/// The thread that waits for deadlines. `mutex` guards pending and started; a
/// state is touched under it alone.
class DeadlineTimer {
public:
  using Clock = DeadlineScope::Clock;

  void add(Clock::time_point deadline, KilnRunState *state) {
    std::lock_guard guard(mutex);
    bool isFirst =
        std::none_of(pending.begin(), pending.end(), [&](const Entry &entry) {
          return entry.deadline <= deadline;
        });
    pending.push_back({deadline, state});
    if (!started) {
      started = true;
      std::thread([this] { loop(); }).detach();
    } else if (isFirst) {
      changed.notify_one();
    }
  }
  void remove(KilnRunState *state) {
    std::lock_guard guard(mutex);
    std::erase_if(pending,
                  [&](const Entry &entry) { return entry.state == state; });
  }

private:
  struct Entry {
    Clock::time_point deadline;
    KilnRunState *state;
  };

  void loop() {
    std::unique_lock lock(mutex);
    for (;;) {
      Clock::time_point now = Clock::now(), next = Clock::time_point::max();
      std::erase_if(pending, [&](const Entry &entry) {
        if (entry.deadline <= now) {
          requestCancel(entry.state, StatusCode::DeadlineExceeded);
          return true;
        }
        next = std::min(next, entry.deadline);
        return false;
      });
      if (next == Clock::time_point::max())
        changed.wait(lock);
      else
        changed.wait_until(lock, next);
    }
  }

  std::mutex mutex;
  std::condition_variable changed;
  std::vector<Entry> pending;
  bool started = false;
};

} // namespace

DeadlineScope::DeadlineScope(Clock::time_point deadline, KilnRunState *state)
    : state(deadline == noDeadline ? nullptr : state) {
  if (!this->state)
    return;
  if (deadline <= Clock::now()) {
    requestCancel(state, StatusCode::DeadlineExceeded);
    this->state = nullptr;
    return;
  }
  PerProcess<DeadlineTimer>::get().add(deadline, state);
}

DeadlineScope::~DeadlineScope() {
  if (state)
    PerProcess<DeadlineTimer>::get().remove(state);
}

Status WaitControl::check() const {
  if (cancel && cancel->isCancelled())
    return errorStatus(ErrorKind::Cancelled, {});
  if (deadline != DeadlineScope::noDeadline && deadline <= Clock::now())
    return errorStatus(ErrorKind::DeadlineExceeded, {});
  return okStatus();
}

} // namespace kiln
