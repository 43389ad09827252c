// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Serves the attempts of a staging area until none can go on. Texts of errors
// are TensorFlow's.
#include "runtime/resources/StagingArea.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <iterator>

namespace kiln {
namespace {

int64_t bytesOf(const std::vector<Tensor> &items) {
  int64_t bytes = 0;
  for (const Tensor &item : items)
    if (item.isValid())
      bytes += static_cast<int64_t>(item.byteSize());
  return bytes;
}

Status checkPlace(const StageAttempt &attempt, int64_t place,
                  size_t numComponents) {
  return place >= 0 && static_cast<uint64_t>(place) < numComponents
             ? okStatus()
             : invalidArgumentError(strCat(
                   "Index '", static_cast<uint64_t>(place), "' for key '",
                   attempt.key, "' was out of bounds '", numComponents, "'."));
}

bool isWhole(const std::vector<Tensor> &tuple) {
  return std::all_of(tuple.begin(), tuple.end(),
                     [](const Tensor &item) { return item.isValid(); });
}

} // namespace

bool StagingArea::begin(StageAttempt &attempt, RunContext &waiter) {
  std::lock_guard guard(mutex);
  attempt.waiter = &waiter;
  attempt.bytes = bytesOf(attempt.items);
  pending.push_back(&attempt);
  serve();
  return attempt.isDone;
}

bool StagingArea::hasEnded(const StageAttempt &attempt) const {
  std::lock_guard guard(mutex);
  return attempt.isDone;
}

Status StagingArea::finish(StageAttempt &attempt) {
  std::lock_guard guard(mutex);
  return std::move(attempt.status);
}

void StagingArea::abandon(StageAttempt &attempt) {
  std::lock_guard guard(mutex);
  std::erase(pending, &attempt);
  const bool hasTaken = attempt.isDone && attempt.status.ok() &&
                        (attempt.kind == StageAttempt::Kind::Take ||
                         attempt.kind == StageAttempt::Kind::TakeFirst);
  if (!hasTaken)
    return;
  Tuple &tuple = tuples[attempt.key];
  if (tuple.empty())
    tuple.resize(attempt.numComponents);
  for (size_t i = 0; i < attempt.items.size(); ++i) {
    auto place = attempt.hasKey ? static_cast<size_t>(attempt.places[i]) : i;
    if (place >= tuple.size() || tuple[place].isValid())
      continue; // another run has put one by now
    numBytes += static_cast<int64_t>(attempt.items[i].byteSize());
    tuple[place] = std::move(attempt.items[i]);
  }
  serve();
}

void StagingArea::clear() {
  std::lock_guard guard(mutex);
  tuples.clear();
  incomplete.clear();
  numBytes = 0;
  serve();
}

int64_t StagingArea::size() const {
  std::lock_guard guard(mutex);
  return static_cast<int64_t>(tuples.size());
}

int64_t StagingArea::incompleteSize() const {
  std::lock_guard guard(mutex);
  return static_cast<int64_t>(incomplete.size());
}

void StagingArea::serve() {
  for (bool isProgress = true; isProgress;) {
    isProgress = false;
    for (size_t i = 0; i < pending.size();) {
      StageAttempt &attempt = *pending[i];
      if (!step(attempt)) {
        ++i;
        continue;
      }
      pending.erase(pending.begin() + static_cast<ptrdiff_t>(i));
      attempt.isDone = isProgress = true;
      // Under the mutex: once finish() has had it, the run may be gone.
      wakeRun(*attempt.waiter);
    }
  }
}

bool StagingArea::step(StageAttempt &attempt) {
  auto at = tuples.end();
  switch (attempt.kind) {
  case StageAttempt::Kind::Put:
    return put(attempt);
  case StageAttempt::Kind::Take:
  case StageAttempt::Kind::Look:
    at = tuples.find(attempt.key);
    break;
  case StageAttempt::Kind::TakeFirst:
    at = tuples.begin();
    break;
  case StageAttempt::Kind::LookAt:
    if (attempt.key >= 0 && static_cast<size_t>(attempt.key) < tuples.size())
      at = std::next(tuples.begin(), attempt.key);
    break;
  }
  if (at == tuples.end())
    return false;
  attempt.status = take(attempt, at);
  return true;
}

Status StagingArea::take(StageAttempt &attempt, Tuples::iterator at) {
  Tuple &tuple = at->second;
  const bool stays = attempt.kind == StageAttempt::Kind::Look ||
                     attempt.kind == StageAttempt::Kind::LookAt;
  if (!stays)
    attempt.key = at->first;
  attempt.numComponents = tuple.size();
  if (!attempt.hasKey) {
    if (stays) {
      attempt.items = tuple;
      return okStatus();
    }
    numBytes -= bytesOf(tuple);
    attempt.items = std::move(tuple);
    tuples.erase(at);
    return okStatus();
  }
  // All are there, or nothing is taken.
  for (int64_t place : attempt.places) {
    KILN_RETURN_IF_ERROR(checkPlace(attempt, place, tuple.size()));
    if (!tuple[static_cast<size_t>(place)].isValid())
      return invalidArgumentError(strCat("Tensor at index '", place,
                                         "' for key '", attempt.key,
                                         "' has already been removed."));
  }
  for (int64_t place : attempt.places) {
    Tensor &item = tuple[static_cast<size_t>(place)];
    attempt.items.push_back(stays ? item : std::move(item));
    if (!stays)
      item = Tensor();
  }
  if (stays)
    return okStatus();
  numBytes -= bytesOf(attempt.items);
  if (std::none_of(tuple.begin(), tuple.end(),
                   [](const Tensor &item) { return item.isValid(); }))
    tuples.erase(at);
  return okStatus();
}

bool StagingArea::put(StageAttempt &attempt) {
  if (memoryLimit > 0 && attempt.bytes > memoryLimit) {
    attempt.status = resourceExhaustedError(strCat(
        "Attempted to insert tensors with combined size of '", attempt.bytes,
        "' bytes into Staging Area with a memory limit of '", memoryLimit,
        "'."));
    return true;
  }
  const bool isPiece =
      attempt.hasKey && attempt.places.size() != attempt.numComponents;
  if (!hasRoomFor(attempt.bytes) ||
      (!isPiece && capacity > 0 &&
       static_cast<int64_t>(tuples.size()) >= capacity))
    return false;
  if (isPiece) {
    attempt.status = putPieces(attempt);
    return true;
  }
  const int64_t key = attempt.hasKey ? attempt.key : nextNumber++;
  if (tuples.try_emplace(key, std::move(attempt.items)).second)
    numBytes += attempt.bytes;
  attempt.items.clear();
  return true;
}

Status StagingArea::putPieces(StageAttempt &attempt) {
  auto found = incomplete.find(attempt.key);
  for (int64_t place : attempt.places) {
    KILN_RETURN_IF_ERROR(checkPlace(attempt, place, attempt.numComponents));
    const auto at = static_cast<size_t>(place);
    if (found == incomplete.end())
      continue;
    KILN_RETURN_IF_ERROR(checkPlace(attempt, place, found->second.size()));
    if (found->second[at].isValid())
      return invalidArgumentError(
          strCat("The tensor for index '", place, "' for key '", attempt.key,
                 "' was already initialized '", found->second.size(), "'."));
  }
  Tuple &tuple = incomplete[attempt.key];
  if (tuple.empty())
    tuple.resize(attempt.numComponents);
  for (size_t i = 0; i < attempt.places.size(); ++i)
    tuple[static_cast<size_t>(attempt.places[i])] = std::move(attempt.items[i]);
  attempt.items.clear();
  numBytes += attempt.bytes;
  if (!isWhole(tuple))
    return okStatus();
  auto whole = incomplete.extract(attempt.key);
  const int64_t bytes = bytesOf(whole.mapped());
  if (!tuples.insert(std::move(whole)).inserted)
    numBytes -= bytes; // dropped, since the key is there
  return okStatus();
}

} // namespace kiln
