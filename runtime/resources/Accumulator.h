// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients that runs add up until enough of them are there for a step.
#ifndef KILN_RUNTIME_RESOURCES_ACCUMULATOR_H
#define KILN_RUNTIME_RESOURCES_ACCUMULATOR_H

#include "kiln/Tensor.h"
#include "runtime/abi/RunState.h"
#include "runtime/resources/Resource.h"

#include <mutex>
#include <string>
#include <vector>

namespace kiln {

/// What a node that declares an accumulator says of it.
struct AccumulatorSpec {
  DType dtype = DType::Invalid;
  Shape shape;
  bool isMean = true;
  bool isSparse = false;
};

/// One op that waits for gradients, from Accumulator::begin() to finish().
///
/// Ownership: the run's, at one place as long as an accumulator knows it;
/// borrows the context. Thread safety: between begin() and finish() the
/// accumulator's mutex guards it.
class TakeAttempt {
public:
  explicit TakeAttempt(int64_t required) : required(required) {}

  const int64_t required;
  /// What a finished one has got: the gradient, or indices, values and shape.
  std::vector<Tensor> items = {};

private:
  friend class Accumulator;
  bool isDone = false;
  Status status;
  RunContext *waiter = nullptr;
};

/// An accumulator.
///
/// Invariants: (1) outside of the mutex no attempt is pending that could end;
/// (2) rows of a sparse one and their counts are as many as its values have.
/// **Difference** from TensorFlow: a gradient or a step that is refused for its
/// shape changes nothing. Thread safety: all functions; `mutex` guards
/// everything. No other lock is taken under it. **Source**: TensorFlow's
/// ConditionalAccumulator and SparseConditionalAccumulator, texts of errors
/// too.
class Accumulator final : public Resource {
public:
  explicit Accumulator(AccumulatorSpec spec) : theSpec(std::move(spec)) {}
  Accumulator(const Accumulator &) = delete;
  Accumulator &operator=(const Accumulator &) = delete;

  const AccumulatorSpec &spec() const { return theSpec; }

  /// Adds a gradient, unless its step is before the global one. **Errors**:
  /// INVALID_ARGUMENT for a shape that does not fit; RESOURCE_EXHAUSTED.
  Status apply(int64_t step, const Tensor &gradient);
  /// Adds rows `values` at `indices`; those of equal indices are added where
  /// both lists are sorted. A shape of the whole is given or not valid.
  Status applyRows(int64_t step, const Tensor &indices, const Tensor &values,
                   const Tensor &shape);
  /// As StagingArea's.
  bool begin(TakeAttempt &attempt, RunContext &waiter);
  bool hasEnded(const TakeAttempt &attempt) const;
  Status finish(TakeAttempt &attempt);
  /// Lets go of one that has not been finished. What it took is lost, as in
  /// TensorFlow.
  void abandon(TakeAttempt &attempt);

  int64_t count() const;
  void setGlobalStep(int64_t step);

private:
  void serve();
  Status take(std::vector<Tensor> &items);
  Status checkRows(const Tensor &indices, const Tensor &values,
                   const Tensor &shape) const;
  Status mergeRows(std::span<const int64_t> added, const Tensor &values);

  const AccumulatorSpec theSpec;
  mutable std::mutex mutex;
  int64_t numGradients = 0, globalStep = 0;
  Tensor sum; ///< of numGradients, where that is not 0
  std::vector<int64_t> rows, rowCounts;
  std::vector<TakeAttempt *> pending; ///< in the order in which they began
};

} // namespace kiln

#endif // KILN_RUNTIME_RESOURCES_ACCUMULATOR_H
