// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iterators that outlive runs.
#ifndef KILN_LIB_PIPELINES_ITERATOR_H
#define KILN_LIB_PIPELINES_ITERATOR_H

#include "lib/Pipelines/ElementFunction.h"
#include "runtime/resources/Resource.h"

#include <memory>
#include <mutex>
#include <string>

namespace kiln {

class ResourceUser;

/// A place in a dataset, which runs move on. Behind the last element it stays
/// there until it begins again.
///
/// Thread safety: all functions; `mutex` guards the place. A run that asks for
/// an element while another one makes one waits, as long as it is not
/// cancelled.
class Iterator final : public Resource {
public:
  /// `factory` gives the dataset that the iterator begins with at its first
  /// element; null for one that begin() gives one. `owner` alone finds it.
  explicit Iterator(FunctionPtr factory, const ResourceUser *owner);
  ~Iterator() override;

  /// Goes before the first element of a dataset. **Errors**: of the dataset;
  /// FAILED_PRECONDITION in a function of a dataset, whose iterator may be this
  /// one. The iterator stays where it is then.
  Status begin(const DatasetPtr &dataset, PullContext &pull);
  /// **Errors**: OUT_OF_RANGE behind the last element; FAILED_PRECONDITION
  /// before begin(); of the element.
  Status next(Element &element, PullContext &pull);
  /// The same, but false behind the last element.
  StatusOr<bool> take(Element &element, PullContext &pull);

  /// Where it is. **Errors**: FAILED_PRECONDITION before begin(), and, unless
  /// that is allowed, for functions with a state; UNIMPLEMENTED for datasets
  /// whose iterators cannot be saved.
  StatusOr<std::vector<Tensor>> save(bool allowsState, PullContext &pull);
  /// Goes there, in the dataset that it began with. **Errors**:
  /// FAILED_PRECONDITION before begin(); INVALID_ARGUMENT for what an iterator
  /// of another dataset has saved. It stays where it is then.
  Status restore(const std::vector<Tensor> &saved, PullContext &pull);

  /// Ends the walk, so that generators are let go of; unless a run is moving it
  /// on. Later uses are CANCELLED.
  void end() noexcept override;

  /// By which another node of its owner finds it.
  const std::string &handle() const { return name; }
  /// The owner's iterator of a name. **Errors**: INVALID_ARGUMENT for what is
  /// no handle; NOT_FOUND for one of another owner, or of none any more.
  static StatusOr<std::shared_ptr<Iterator>> find(const std::string &name,
                                                  const ResourceUser *owner);
  static std::shared_ptr<Iterator> make(FunctionPtr factory = nullptr,
                                        const ResourceUser *owner = nullptr);

private:
  using Lock = std::unique_lock<std::timed_mutex>;
  /// From one beginning to the end.
  struct Walk {
    StreamTable streams; ///< of the functions' nodes
    IterationState state;
    IteratorPtr place; ///< goes first
  };
  StatusOr<Lock> lock(PullContext &pull);
  Status beginByFactory(const PullContext &pull);
  /// Begins an iterator that has a factory, once. Under the lock.
  Status beginAlone(const PullContext &pull);

  const FunctionPtr factory;
  const ResourceUser *const owner;
  std::string name;
  std::timed_mutex mutex;
  DatasetPtr dataset;         ///< null before the first begin()
  std::unique_ptr<Walk> walk; ///< null before the first begin(), and at the end
  bool hasBegun = false;
  Status failure; ///< of the factory, which is not asked again, or its end
};

} // namespace kiln

#endif // KILN_LIB_PIPELINES_ITERATOR_H
