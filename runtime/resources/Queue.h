// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queues of tuples of tensors, at which runs wait.
#ifndef KILN_RUNTIME_RESOURCES_QUEUE_H
#define KILN_RUNTIME_RESOURCES_QUEUE_H

#include "kiln/Tensor.h"
#include "runtime/abi/RunState.h"
#include "runtime/resources/QueueElements.h"
#include "runtime/resources/QueueSpec.h"
#include "runtime/resources/Resource.h"

#include <deque>
#include <memory>
#include <mutex>
#include <vector>

namespace kiln {

class Queue;

/// One op on one queue, from Queue::begin() to Queue::finish().
///
/// Ownership: the run's, at one place as long as a queue knows it; borrows
/// queue and context. Thread safety: between begin() and finish() the queue's
/// mutex guards it.
class QueueAttempt {
public:
  enum class Kind : uint8_t {
    Enqueue,
    DequeueOne,
    Dequeue,
    DequeueUpTo,
    Close
  };

  /// Puts `items`, whole elements one behind the other.
  static QueueAttempt enqueue(std::vector<Tensor> items) {
    QueueAttempt attempt(Kind::Enqueue);
    attempt.items = std::move(items);
    return attempt;
  }
  /// Takes an element into items.
  static QueueAttempt dequeueOne() {
    QueueAttempt attempt(Kind::DequeueOne);
    attempt.wanted = 1;
    return attempt;
  }
  /// Takes `count` elements (>= 1) into items, as a batch.
  static QueueAttempt dequeue(int64_t count) {
    QueueAttempt attempt(Kind::Dequeue);
    attempt.wanted = count;
    return attempt;
  }
  /// As dequeue(); of a closed queue fewer, but at least one.
  static QueueAttempt dequeueUpTo(int64_t count) {
    QueueAttempt attempt(Kind::DequeueUpTo);
    attempt.wanted = count;
    return attempt;
  }
  /// Closes the queue when the enqueues before it have ended.
  static QueueAttempt close() { return QueueAttempt(Kind::Close); }

  /// What a finished dequeue took, component by component of each element.
  std::vector<Tensor> items;

private:
  friend class Queue;
  explicit QueueAttempt(Kind kind) : kind(kind) {}
  bool isEnqueueSide() const {
    return kind == Kind::Enqueue || kind == Kind::Close;
  }

  Kind kind;
  bool isDone = false;
  int64_t wanted = 0;  ///< elements still to take
  size_t numMoved = 0; ///< of items, in the queue already
  Status status;
  RunContext *waiter = nullptr;
};

/// A queue.
///
/// Attempts are served in the order in which they began, enqueues and dequeues
/// apart: the first one that cannot go on holds up those behind it. An attempt
/// may go on step by step: a batch larger than the capacity passes through.
///
/// Invariants: (1) at most capacity elements, but for those put back; (2)
/// outside of the mutex no attempt is pending that could make progress; (3)
/// elements that a dequeue took and that it does not give to its run
/// (cancelled, or too few when the queue closed, or memory for a list of what
/// it took could not be had) are back (QueueElements::putBack()): room for them
/// is kept.
/// **Differences** from TensorFlow: it loses the elements of a cancelled
/// dequeue, and those that a Priority queue has when it is closed and fewer
/// than a DequeueUpTo asks for. Thread safety: all functions; `mutex` guards
/// everything. No other lock is taken under it. **Cost**: a mutex and moves of
/// tensors; nothing is copied.
class Queue final : public Resource {
public:
  explicit Queue(QueueSpec spec)
      : theSpec(std::move(spec)), elements(QueueElements::create(theSpec)) {}
  Queue(const Queue &) = delete;
  Queue &operator=(const Queue &) = delete;

  const QueueSpec &spec() const { return theSpec; }
  size_t numComponents() const { return theSpec.types.size(); }

  /// Starts an attempt and does what can be done. Returns true when it has
  /// ended; otherwise its end is told by wakeRun(waiter).
  bool begin(QueueAttempt &attempt, RunContext &waiter);
  /// True when a pending attempt has ended.
  bool hasEnded(const QueueAttempt &attempt) const;
  /// How an ended attempt ended. **Errors**: CANCELLED "FIFOQueue 'q' is
  /// closed."; OUT_OF_RANGE for a dequeue of a closed queue with too few;
  /// RESOURCE_EXHAUSTED where the list of elements cannot grow.
  Status outcome(const QueueAttempt &attempt) const;
  /// Lets go of an ended attempt, whose items are its run's from now on.
  /// Returns and **errors** as outcome().
  Status finish(QueueAttempt &attempt);
  /// Lets go of an attempt, ended or not; what it took goes back.
  void abandon(QueueAttempt &attempt);
  /// Closes at once and ends all pending enqueues with CANCELLED.
  void closeAndCancel();

  int64_t size() const;
  bool isClosed() const;

private:
  using Attempts = std::deque<QueueAttempt *>;

  void serve();
  bool serveEnqueues();
  bool serveDequeues();
  /// Puts what fits; true when the attempt has ended.
  bool put(QueueAttempt &attempt, bool &isProgress);
  bool take(QueueAttempt &attempt, bool &isProgress);
  void settle(QueueAttempt &attempt, Status status);
  void putBack(QueueAttempt &attempt);
  void endWithoutMemory(QueueAttempt &attempt, uint64_t bytes);
  size_t numElements(const QueueAttempt &attempt) const {
    return attempt.items.size() / numComponents();
  }
  /// As the error of an attempt names the queue.
  std::string_view typeName(const QueueAttempt &attempt) const;
  int64_t sizeLocked() const { return static_cast<int64_t>(elements->size()); }

  const QueueSpec theSpec;
  mutable std::mutex mutex;
  const std::unique_ptr<QueueElements> elements;
  size_t numTaken = 0; ///< elements of dequeues that may still put them back
  Attempts enqueues, dequeues;
  bool closed = false;
};

} // namespace kiln

#endif // KILN_RUNTIME_RESOURCES_QUEUE_H
