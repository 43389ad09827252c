// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lock that runs hold one after the other: a critical section's.
#ifndef KILN_RUNTIME_RESOURCES_MUTEX_H
#define KILN_RUNTIME_RESOURCES_MUTEX_H

#include "kiln/Tensor.h"
#include "runtime/abi/RunState.h"
#include "runtime/resources/Resource.h"

#include <deque>
#include <memory>
#include <mutex>

namespace kiln {

/// One op that waits for a mutex, from Mutex::begin() to finish() or abandon().
///
/// Ownership: the run's, at one place as long as a mutex knows it; borrows the
/// context. Thread safety: between begin() and finish() the mutex guards it.
class LockAttempt {
  friend class Mutex;
  bool isDone = false;
  RunContext *waiter = nullptr;
};

/// The lock that runs wait for, in the order in which they come.
///
/// Invariant: outside of the guard none waits while nobody holds the lock.
/// Thread safety: all functions; `guard` guards everything. No other lock is
/// taken under it.
class Mutex final : public Resource {
public:
  Mutex() = default;
  Mutex(const Mutex &) = delete;
  Mutex &operator=(const Mutex &) = delete;

  /// Returns true when the attempt has the lock; otherwise wakeRun(waiter)
  /// tells when it has.
  bool begin(LockAttempt &attempt, RunContext &waiter);
  bool hasEnded(const LockAttempt &attempt) const;
  /// Lets go of one that waits, or of its lock.
  void abandon(LockAttempt &attempt);
  /// Gives the lock to the next one.
  void release();

private:
  void serve();

  mutable std::mutex guard;
  bool isLocked = false;
  std::deque<LockAttempt *> pending;
};

/// The tensor that holds a lock until the last copy of it is gone, or
/// releaseLock(): a scalar variant. The caller has the lock. **Errors**:
/// RESOURCE_EXHAUSTED, then the lock is released.
StatusOr<Tensor> holdLock(std::shared_ptr<Mutex> mutex);
/// Releases the lock of such a tensor; false for any other tensor, and for one
/// that holds none any more.
bool releaseLock(const Tensor &tensor);

} // namespace kiln

#endif // KILN_RUNTIME_RESOURCES_MUTEX_H
