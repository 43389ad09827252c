// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements that wait for their components, by keys, and then for a run that
// takes them.
#ifndef KILN_RUNTIME_RESOURCES_BARRIER_H
#define KILN_RUNTIME_RESOURCES_BARRIER_H

#include "runtime/resources/Queue.h"

#include <map>
#include <string>

namespace kiln {

/// A barrier: whole elements lie in a queue, from which they come in the order
/// in which their keys were first seen.
///
/// Invariants: (1) an element of `incomplete` lacks a component; (2) the queue
/// is closed exactly when the barrier is and has no such elements.
/// **Difference** from TensorFlow: what the same call put in before one that is
/// refused stays. Thread safety: all functions; `mutex` guards everything, and
/// the queue's own may be taken under it. **Source**: TensorFlow's Barrier,
/// texts of errors too.
class Barrier final : public Resource {
public:
  /// The types and shapes of an element's components.
  Barrier(std::string name, std::vector<DType> types,
          std::vector<Shape> shapes);
  Barrier(const Barrier &) = delete;
  Barrier &operator=(const Barrier &) = delete;

  /// The components behind the two of the queue: the number of an element, by
  /// which elements are ordered, and its key.
  static constexpr size_t firstComponent = 2;
  const QueueSpec &spec() const { return whole.spec(); }
  /// Where whole elements lie.
  Queue &queue() { return whole; }

  /// Puts values[i] into the element of keys[i]. **Errors**: INVALID_ARGUMENT
  /// where it has this component; CANCELLED for a new element of a closed
  /// barrier; RESOURCE_EXHAUSTED.
  Status insert(std::span<const String> keys, std::vector<Tensor> values,
                size_t component, RunContext &waiter);
  /// How many elements to take from the queue where `count` are asked for, or
  /// fewer from a closed one. **Errors**: OUT_OF_RANGE where there will not be
  /// so many.
  StatusOr<int64_t> numToTake(int64_t count, bool takesFewer);
  /// Lets no new element in; where it cancels, none that is incomplete.
  /// **Errors**: CANCELLED where it is closed so already.
  Status close(bool cancels);

  int64_t readySize() const { return whole.size(); }
  int64_t incompleteSize() const;

private:
  struct Element {
    int64_t number = 0;
    std::vector<Tensor> components; ///< not valid where it lacks one
  };

  Status checkInsertion(size_t numKeys) const;
  Status insertOne(std::string_view key, size_t place, Tensor value,
                   size_t component, bool &isNew, std::vector<Tensor> &ready);
  void closeQueue();

  const std::string name;
  Queue whole;
  mutable std::mutex mutex;
  std::map<std::string, Element, std::less<>> incomplete;
  int64_t nextNumber;
  bool isClosed = false, isCancelled = false;
};

} // namespace kiln

#endif // KILN_RUNTIME_RESOURCES_BARRIER_H
