// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One mutex an iterator, and their names.
#include "lib/Pipelines/Iterator.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/threads/Cancel.h"
#include "runtime/threads/ForkMutex.h"

#include <chrono>
#include <map>

namespace kiln {
namespace {

constexpr std::string_view handlePrefix = "kiln/iterator/";

/// The iterators of the process by name.
struct Names {
  ForkMutex mutex;
  std::map<std::string, std::weak_ptr<Iterator>> iterators; ///< guarded
  int64_t numMade = 0;                                      ///< guarded

  static Names &process() {
    static Names &names = *new Names;
    return names;
  }
};

} // namespace

Iterator::Iterator(FunctionPtr factory, const ResourceUser *owner)
    : factory(std::move(factory)), owner(owner) {}

Iterator::~Iterator() {
  Names &names = Names::process();
  std::lock_guard guard(names.mutex);
  names.iterators.erase(name);
}

std::shared_ptr<Iterator> Iterator::make(FunctionPtr factory,
                                         const ResourceUser *owner) {
  auto made = std::make_shared<Iterator>(std::move(factory), owner);
  Names &names = Names::process();
  std::lock_guard guard(names.mutex);
  made->name = strCat(handlePrefix, names.numMade++);
  names.iterators[made->name] = made;
  return made;
}

StatusOr<std::shared_ptr<Iterator>> Iterator::find(const std::string &name,
                                                   const ResourceUser *owner) {
  if (!name.starts_with(handlePrefix))
    return invalidArgumentError(
        strCat("expected the handle of an iterator, got ", quote(name)));
  Names &names = Names::process();
  std::shared_ptr<Iterator> found; // goes behind the mutex, which it locks
  {
    std::lock_guard guard(names.mutex);
    if (auto place = names.iterators.find(name); place != names.iterators.end())
      found = place->second.lock();
  }
  if (!found || found->owner != owner)
    return notFoundError(strCat("Resource ", name, " does not exist."));
  return found;
}

void Iterator::end() noexcept {
  std::unique_ptr<Walk> ended;
  Lock held(mutex, std::try_to_lock);
  if (!held)
    return;
  failure = cancelledError("The session of the iterator has been closed.");
  ended.swap(walk);
  held.unlock(); // before the walk goes
}

StatusOr<Iterator::Lock> Iterator::lock(PullContext &pull) {
  Lock held(mutex, std::defer_lock);
  while (!held.try_lock_for(std::chrono::milliseconds(5)))
    KILN_RETURN_IF_ERROR(pull.poll());
  return held;
}

/// A function of a dataset may be one that the iterator itself runs, and waits
/// for.
static Status checkOutside(const PullContext &pull, std::string_view what) {
  if (!pull.wait || !pull.wait->isPipeline)
    return okStatus();
  return failedPreconditionError(
      strCat("expected no iterator to ", what, " in a function of a dataset"));
}

Status Iterator::begin(const DatasetPtr &dataset, PullContext &pull) {
  KILN_RETURN_IF_ERROR(checkOutside(pull, "begin"));
  auto begun = std::make_unique<Walk>();
  KILN_ASSIGN_OR_RETURN(begun->place, dataset->iterate(begun->state));
  KILN_ASSIGN_OR_RETURN(Lock held, lock(pull));
  KILN_RETURN_IF_ERROR(failure);
  walk.swap(begun);
  this->dataset = dataset;
  hasBegun = true;
  held.unlock(); // before the old one goes
  return okStatus();
}

Status Iterator::beginByFactory(const PullContext &pull) {
  auto begun = std::make_unique<Walk>();
  PullContext own = pull;
  own.streams = &begun->streams;
  Element results;
  KILN_RETURN_IF_ERROR(factory->call({}, results, own));
  DatasetPtr made = results.size() == 1 ? datasetOf(results[0]) : nullptr;
  if (!made)
    return invalidArgumentError(
        "The `dataset_factory` function must return a single dataset tensor.");
  KILN_ASSIGN_OR_RETURN(begun->place, made->iterate(begun->state));
  dataset = std::move(made);
  walk = std::move(begun);
  return okStatus();
}

Status Iterator::beginAlone(const PullContext &pull) {
  if (!hasBegun && factory) {
    hasBegun = true;
    failure = beginByFactory(pull);
  }
  return failure;
}

StatusOr<bool> Iterator::take(Element &element, PullContext &pull) {
  KILN_ASSIGN_OR_RETURN(Lock held, lock(pull));
  KILN_RETURN_IF_ERROR(beginAlone(pull));
  if (!hasBegun)
    return failedPreconditionError(
        "GetNext() failed because the iterator has not been initialized. "
        "Ensure "
        "that you have run the initializer operation for this iterator before "
        "getting the next element.");
  if (walk) {
    pull.streams = &walk->streams;
    KILN_ASSIGN_OR_RETURN(bool has, walk->place->next(element, pull));
    if (has)
      return true;
    walk.reset();
  }
  return false;
}

Status Iterator::next(Element &element, PullContext &pull) {
  KILN_ASSIGN_OR_RETURN(const bool has, take(element, pull));
  return has ? okStatus() : outOfRangeError("End of sequence");
}

namespace {

/// What a saved iterator begins with.
constexpr std::string_view savedName = "kiln/iterator";

Status uninitialized(std::string_view does, std::string_view what) {
  return failedPreconditionError(
      strCat(does,
             "() failed because the iterator has not been initialized. "
             "Ensure that you have run the initializer operation for this "
             "iterator before ",
             what, " it."));
}

} // namespace

StatusOr<std::vector<Tensor>> Iterator::save(bool allowsState,
                                             PullContext &pull) {
  KILN_RETURN_IF_ERROR(checkOutside(pull, "be saved"));
  KILN_ASSIGN_OR_RETURN(Lock held, lock(pull));
  KILN_RETURN_IF_ERROR(beginAlone(pull));
  if (!dataset)
    return uninitialized("Save", "saving");
  StateWriter to(allowsState);
  to.name(savedName);
  to.flag(walk != nullptr);
  if (walk)
    KILN_RETURN_IF_ERROR(walk->place->save(to));
  return to.take();
}

Status Iterator::restore(const std::vector<Tensor> &saved, PullContext &pull) {
  KILN_RETURN_IF_ERROR(checkOutside(pull, "be restored"));
  KILN_ASSIGN_OR_RETURN(Lock held, lock(pull));
  KILN_RETURN_IF_ERROR(beginAlone(pull));
  if (!dataset)
    return uninitialized("Restore", "restoring");
  StateReader from(saved);
  bool isThere;
  KILN_RETURN_IF_ERROR(from.name(savedName));
  KILN_RETURN_IF_ERROR(from.flag(isThere));
  std::unique_ptr<Walk> begun;
  if (isThere) {
    begun = std::make_unique<Walk>();
    KILN_ASSIGN_OR_RETURN(begun->place, dataset->iterate(begun->state));
    pull.streams = &begun->streams;
    KILN_RETURN_IF_ERROR(begun->place->restore(from, pull));
  }
  if (!from.isAtEnd())
    return invalidArgumentError("expected the end of a saved iterator");
  walk.swap(begun);
  held.unlock(); // before the old one goes
  return okStatus();
}

} // namespace kiln
