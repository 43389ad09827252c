// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puts components together to elements.
#include "runtime/resources/Barrier.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <limits>

namespace kiln {
namespace {

QueueSpec specOf(std::string name, std::vector<DType> types,
                 std::vector<Shape> shapes) {
  types.insert(types.begin(), {DType::Int64, DType::String});
  shapes.insert(shapes.begin(), {Shape(), Shape()});
  return {.name = std::move(name),
          .types = std::move(types),
          .shapes = std::move(shapes),
          .kind = QueueKind::Priority};
}

} // namespace

Barrier::Barrier(std::string name, std::vector<DType> types,
                 std::vector<Shape> shapes)
    : name(name),
      whole(specOf(std::move(name), std::move(types), std::move(shapes))),
      nextNumber(std::numeric_limits<int64_t>::min()) {}

int64_t Barrier::incompleteSize() const {
  std::lock_guard guard(mutex);
  return static_cast<int64_t>(incomplete.size());
}

Status Barrier::checkInsertion(size_t numKeys) const {
  if (!isClosed || (!isCancelled && (numKeys == 0 || !incomplete.empty())))
    return okStatus();
  return cancelledError(
      strCat("Barrier ", name, " is closed.  Pending enqueues cancelled: ",
             int(isCancelled), ".  Number of new insertions: ", numKeys,
             ".  Number of incomplete keys: ", incomplete.size(), "."));
}

Status Barrier::insertOne(std::string_view key, size_t place, Tensor value,
                          size_t component, bool &isNew,
                          std::vector<Tensor> &ready) {
  auto at = incomplete.find(key);
  if (at == incomplete.end() && isClosed)
    return cancelledError(strCat(
        "Barrier ", name, " is closed, but attempted to insert a brand new ",
        "key: ", key, ".  Pending enqueues cancelled: ", int(isCancelled),
        ".  Insertion index: ", place,
        ".  Number of incomplete keys: ", incomplete.size(), "."));
  if (at == incomplete.end()) {
    at = incomplete.try_emplace(std::string(key)).first;
    at->second.number = nextNumber;
    isNew = true;
  }
  Element &element = at->second;
  if (element.components.empty())
    element.components.resize(spec().types.size() - firstComponent);
  Tensor &own = element.components[component];
  if (own.isValid())
    return invalidArgumentError(strCat("Key ", key,
                                       " already has a value for component ",
                                       component, " in barrier ", name));
  own = std::move(value);
  if (!std::ranges::all_of(element.components,
                           [](const Tensor &part) { return part.isValid(); }))
    return okStatus();
  KILN_ASSIGN_OR_RETURN(Tensor number,
                        Tensor::fromValues<int64_t>(Shape(), {element.number}));
  KILN_ASSIGN_OR_RETURN(Tensor name, Tensor::fromStrings(Shape(), {key}));
  ready.push_back(std::move(number));
  ready.push_back(std::move(name));
  std::ranges::move(element.components, std::back_inserter(ready));
  incomplete.erase(at);
  return okStatus();
}

Status Barrier::insert(std::span<const String> keys, std::vector<Tensor> values,
                       size_t component, RunContext &waiter) {
  std::lock_guard guard(mutex);
  KILN_RETURN_IF_ERROR(checkInsertion(keys.size()));
  std::vector<Tensor> ready;
  bool hasNew = false;
  Status status;
  for (size_t i = 0; i < keys.size() && status.ok(); ++i)
    status = insertOne(keys[i].view(), i, std::move(values[i]), component,
                       hasNew, ready);
  nextNumber += hasNew;
  if (!ready.empty()) {
    // Nothing bounds the queue: this does not wait.
    QueueAttempt attempt = QueueAttempt::enqueue(std::move(ready));
    if (!whole.begin(attempt, waiter)) {
      whole.abandon(attempt);
      return internalError("expected a barrier's queue to take elements");
    }
    KILN_RETURN_IF_ERROR(whole.finish(attempt));
  }
  closeQueue();
  return status;
}

StatusOr<int64_t> Barrier::numToTake(int64_t count, bool takesFewer) {
  std::lock_guard guard(mutex);
  if (!isClosed)
    return count;
  int64_t available = whole.size();
  if (takesFewer)
    count = std::min(count, available);
  else
    available += static_cast<int64_t>(incomplete.size());
  if (available < std::max<int64_t>(count, 1))
    return outOfRangeError(
        strCat("Barrier '", name, "' is closed and has insufficient elements ",
               "(requested ", count, ", total size ", available, ")"));
  return count;
}

Status Barrier::close(bool cancels) {
  std::lock_guard guard(mutex);
  if (isClosed && (isCancelled || !cancels))
    return cancelledError(strCat("Barrier '", name, "' is already closed."));
  isClosed = true;
  isCancelled = cancels;
  if (cancels)
    incomplete.clear();
  closeQueue();
  return okStatus();
}

void Barrier::closeQueue() {
  if (isClosed && incomplete.empty())
    whole.closeAndCancel();
}

} // namespace kiln
