// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Serves the attempts of a queue until none can go on. Texts of errors are
// TensorFlow's.
#include "runtime/resources/Queue.h"

#include "lib/Support/DataMemory.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <span>

namespace kiln {

bool Queue::begin(QueueAttempt &attempt, RunContext &waiter) {
  std::lock_guard guard(mutex);
  attempt.waiter = &waiter;
  (attempt.isEnqueueSide() ? enqueues : dequeues).push_back(&attempt);
  serve();
  return attempt.isDone;
}

bool Queue::hasEnded(const QueueAttempt &attempt) const {
  std::lock_guard guard(mutex);
  return attempt.isDone;
}

Status Queue::outcome(const QueueAttempt &attempt) const {
  std::lock_guard guard(mutex);
  return attempt.status;
}

Status Queue::finish(QueueAttempt &attempt) {
  std::lock_guard guard(mutex);
  if (!attempt.isEnqueueSide())
    numTaken -= numElements(attempt);
  if (elements->empty() && numTaken == 0)
    elements->release();
  return std::move(attempt.status);
}

void Queue::abandon(QueueAttempt &attempt) {
  std::lock_guard guard(mutex);
  if (!attempt.isDone)
    std::erase(attempt.isEnqueueSide() ? enqueues : dequeues, &attempt);
  if (!attempt.isEnqueueSide())
    putBack(attempt);
  serve(); // it may have held up others
}

void Queue::closeAndCancel() {
  std::lock_guard guard(mutex);
  closed = true;
  for (QueueAttempt *attempt : std::exchange(enqueues, {}))
    settle(*attempt, cancelledError("Enqueue operation was cancelled"));
  serve();
}

int64_t Queue::size() const {
  std::lock_guard guard(mutex);
  return sizeLocked();
}

bool Queue::isClosed() const {
  std::lock_guard guard(mutex);
  return closed;
}

void Queue::serve() {
  bool isProgress = true;
  while (isProgress) {
    isProgress = serveEnqueues();
    isProgress |= serveDequeues();
  }
}

bool Queue::serveEnqueues() {
  bool isProgress = false;
  while (!enqueues.empty() && put(*enqueues.front(), isProgress))
    enqueues.pop_front();
  return isProgress;
}

bool Queue::serveDequeues() {
  bool isProgress = false;
  while (!dequeues.empty() && take(*dequeues.front(), isProgress))
    dequeues.pop_front();
  return isProgress;
}

bool Queue::put(QueueAttempt &attempt, bool &isProgress) {
  if (attempt.kind == QueueAttempt::Kind::Close) {
    settle(attempt, closed ? cancelledError(strCat("Queue '", theSpec.name,
                                                   "' is already closed."))
                           : okStatus());
    return closed = isProgress = true;
  }
  if (closed) {
    settle(attempt, cancelledError(strCat(typeName(attempt), " '", theSpec.name,
                                          "' is closed.")));
    return isProgress = true;
  }
  while (attempt.numMoved < attempt.items.size() &&
         (theSpec.capacity < 0 || sizeLocked() < theSpec.capacity)) {
    uint64_t failedBytes = 0;
    if (!elements->reserve(elements->size() + numTaken + 1, failedBytes)) {
      endWithoutMemory(attempt, failedBytes);
      return isProgress = true;
    }
    elements->put(
        std::span(attempt.items).subspan(attempt.numMoved, numComponents()));
    attempt.numMoved += numComponents();
    isProgress = true;
  }
  if (attempt.numMoved < attempt.items.size())
    return false;
  settle(attempt, okStatus());
  return isProgress = true;
}

bool Queue::take(QueueAttempt &attempt, bool &isProgress) {
  if (closed && sizeLocked() < attempt.wanted) {
    int64_t wanted = attempt.wanted, size = sizeLocked();
    putBack(attempt);
    if (attempt.kind != QueueAttempt::Kind::DequeueUpTo || elements->empty()) {
      settle(attempt,
             outOfRangeError(
                 strCat(typeName(attempt), " '", theSpec.name,
                        "' is closed and has insufficient elements (requested ",
                        wanted, ", current size ", size, ")")));
      return isProgress = true;
    }
    attempt.wanted = sizeLocked();
  }
  // A batch of a Priority queue is in order as a whole: it waits for all of it,
  // as far as the queue can hold so many.
  if (theSpec.kind == QueueKind::Priority && sizeLocked() < attempt.wanted &&
      (theSpec.capacity < 0 || attempt.wanted <= theSpec.capacity))
    return false;
  const int64_t kept = closed ? 0 : theSpec.minAfterDequeue;
  for (; attempt.wanted > 0 && sizeLocked() > kept; --attempt.wanted) {
    uint64_t failedBytes = 0;
    if (!reserveData(attempt.items, attempt.items.size() + numComponents(),
                     failedBytes)) {
      putBack(attempt);
      endWithoutMemory(attempt, failedBytes);
      return isProgress = true;
    }
    attempt.items.resize(attempt.items.size() + numComponents());
    elements->take(std::span(attempt.items).last(numComponents()));
    ++numTaken;
    isProgress = true;
  }
  if (attempt.wanted > 0)
    return false;
  settle(attempt, okStatus());
  return isProgress = true;
}

void Queue::putBack(QueueAttempt &attempt) {
  const size_t count = numElements(attempt);
  for (size_t i = count; i > 0; --i)
    elements->putBack(std::span(attempt.items)
                          .subspan((i - 1) * numComponents(), numComponents()));
  numTaken -= count;
  attempt.wanted += static_cast<int64_t>(count);
  attempt.items.clear();
}

std::string_view Queue::typeName(const QueueAttempt &attempt) const {
  // In TensorFlow a padding queue inherits all but its batches.
  const bool isOfBatch = attempt.kind == QueueAttempt::Kind::Dequeue ||
                         attempt.kind == QueueAttempt::Kind::DequeueUpTo;
  return queueTypeName(theSpec.kind == QueueKind::PaddingFifo && !isOfBatch
                           ? QueueKind::Fifo
                           : theSpec.kind);
}

/// An element of a batch that is in the queue stays there.
void Queue::endWithoutMemory(QueueAttempt &attempt, uint64_t bytes) {
  settle(attempt, outOfMemory(strCat("the list of the elements of queue '",
                                     theSpec.name, "'"),
                              bytes));
}

void Queue::settle(QueueAttempt &attempt, Status status) {
  attempt.isDone = true;
  attempt.status = std::move(status);
  // Under the mutex: once finish() has had it, the run may be gone.
  wakeRun(*attempt.waiter);
}

} // namespace kiln
