// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes names from queues and records from files. Texts of errors are
// TensorFlow's.
#include "lib/Ops/Files/HostReader.h"

#include "lib/Support/StatusMacros.h"

#include <algorithm>
#include <new>

namespace kiln {
namespace {

/// The name of a file that an element of a queue is.
StatusOr<std::string> nameIn(std::span<const Tensor> element) {
  if (element.size() != 1)
    return invalidArgumentError("Expected single component queue");
  if (element[0].dtype() != DType::String)
    return invalidArgumentError("Expected queue with single string component");
  if (element[0].numElements() != 1)
    return invalidArgumentError("Expected to dequeue a one-element string "
                                "tensor");
  return std::string(element[0].data<String>()[0].view());
}

} // namespace

bool Reader::begin(ReadAttempt &attempt, RunContext &waiter) {
  std::lock_guard guard(mutex);
  attempt.waiter = &waiter;
  row.push_back(&attempt);
  return advanceLocked(attempt);
}

bool Reader::advance(ReadAttempt &attempt) {
  std::lock_guard guard(mutex);
  return advanceLocked(attempt);
}

void Reader::abandon(ReadAttempt &attempt) {
  std::lock_guard guard(mutex);
  if (attempt.dequeue)
    attempt.queue.abandon(*attempt.dequeue);
  attempt.dequeue.reset();
  leave(attempt);
}

int64_t Reader::numRecords() const {
  std::lock_guard guard(mutex);
  return progress.numRecords;
}

int64_t Reader::numFilesEnded() const {
  std::lock_guard guard(mutex);
  return progress.filesEnded;
}

void Reader::reset() {
  std::lock_guard guard(mutex);
  resetLocked();
}

StatusOr<std::string> Reader::serialize() const {
  std::lock_guard guard(mutex);
  return source->serialize(progress);
}

Status Reader::restore(std::string_view message) {
  std::lock_guard guard(mutex);
  resetLocked();
  KILN_ASSIGN_OR_RETURN(progress, source->parse(message, name));
  return okStatus();
}

void Reader::resetLocked() {
  source->end();
  progress = ReaderProgress();
}

void Reader::leave(ReadAttempt &attempt) {
  const bool wasFirst = !row.empty() && row.front() == &attempt;
  std::erase(row, &attempt);
  if (wasFirst && !row.empty())
    wakeRun(*row.front()->waiter);
}

bool Reader::advanceLocked(ReadAttempt &attempt) {
  if (attempt.isDone)
    return true;
  if (row.front() != &attempt)
    return false;
  StatusOr<bool> hasEnded = false;
  try {
    hasEnded = readRecords(attempt);
  } catch (const std::bad_alloc &) {
    hasEnded = resourceExhaustedError("OOM when allocating a record");
  }
  if (hasEnded.ok() && !*hasEnded)
    return false;
  attempt.isDone = true;
  attempt.status = hasEnded.status();
  leave(attempt);
  return true;
}

StatusOr<bool> Reader::beginFile(ReadAttempt &attempt) {
  if (!attempt.dequeue) {
    attempt.dequeue = QueueAttempt::dequeueOne();
    if (!attempt.queue.begin(*attempt.dequeue, *attempt.waiter))
      return false;
  } else if (!attempt.queue.hasEnded(*attempt.dequeue)) {
    return false;
  }
  Status taken = attempt.queue.finish(*attempt.dequeue);
  std::vector<Tensor> element = std::move(attempt.dequeue->items);
  attempt.dequeue.reset();
  KILN_RETURN_IF_ERROR(taken);
  KILN_ASSIGN_OR_RETURN(progress.file, nameIn(element));
  if (source->readsFiles())
    KILN_RETURN_IF_ERROR(attempt.files.check(progress.file));
  KILN_RETURN_IF_ERROR(source->begin(progress.file));
  ++progress.filesBegun;
  return true;
}

StatusOr<bool> Reader::readRecords(ReadAttempt &attempt) {
  while (static_cast<int64_t>(attempt.records.size()) < attempt.count) {
    if (!isInFile()) {
      KILN_ASSIGN_OR_RETURN(bool hasBegun, beginFile(attempt));
      if (!hasBegun)
        return false;
    }
    Record record;
    KILN_ASSIGN_OR_RETURN(RecordSource::Step step, source->read(record));
    if (step.hasRecord) {
      attempt.records.push_back(std::move(record));
      ++progress.numRecords;
    }
    if (step.isAtEnd) {
      source->end();
      progress.filesEnded = progress.filesBegun;
      if (!attempt.records.empty())
        break;
    }
  }
  return true;
}

} // namespace kiln
