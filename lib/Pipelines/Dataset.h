// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sequences of elements, and places in them: what the ops of tf.data make.
#ifndef KILN_LIB_PIPELINES_DATASET_H
#define KILN_LIB_PIPELINES_DATASET_H

#include "kiln/Tensor.h"
#include "lib/Pipelines/IteratorState.h"
#include "lib/Support/Variants.h"
#include "runtime/abi/RunState.h"
#include "runtime/random/StreamTable.h"

#include <map>
#include <memory>
#include <vector>

namespace kiln {

/// An element of a dataset: its components.
using Element = std::vector<Tensor>;

/// Who asks for an element. Borrows everything.
struct PullContext {
  /// The run's; null where nothing cancels it.
  const KilnRunState *state = nullptr;
  /// How long functions may take; null for ever.
  const WaitControl *wait = nullptr;
  /// The random streams of functions' nodes, which an iterator begins anew;
  /// null for the session's.
  StreamTable *streams = nullptr;
  /// Of the datasets around that functions have given.
  int depth = 0;

  /// **Errors**: CANCELLED, DEADLINE_EXCEEDED once the run is to end.
  Status poll() const;
};

/// A place in a dataset. Thread safety: one thread at a time.
class DatasetIterator {
public:
  virtual ~DatasetIterator() = default;
  /// Sets the next element and returns true; false behind the last one, and
  /// whenever it is asked again. **Errors**: of what makes the element, which
  /// is lost then: the next call gives the one behind it. In both cases
  /// `element` is undefined.
  virtual StatusOr<bool> next(Element &element, PullContext &pull) = 0;

  /// Says where it is. **Errors**: UNIMPLEMENTED for an iterator that cannot;
  /// FAILED_PRECONDITION for functions with a state.
  virtual Status save(StateWriter &to) const;
  /// Goes where one like it was when it was saved, from before the first
  /// element. **Errors**: INVALID_ARGUMENT for what another one has written; of
  /// functions.
  virtual Status restore(StateReader &from, PullContext &pull);
};

/// The same of an input that may have ended, and is null then.
Status saveInput(const std::unique_ptr<DatasetIterator> &input,
                 StateWriter &to);
Status restoreInput(std::unique_ptr<DatasetIterator> &input, StateReader &from,
                    PullContext &pull);

/// What iterators of one place in a tree of datasets share: those that a
/// repetition makes one after the other. Two inputs of a dataset are two
/// places, though they may be one dataset. Thread safety: none.
class IterationState {
public:
  /// That of an input.
  IterationState &input(size_t number) {
    std::unique_ptr<IterationState> &place = inputs[number];
    if (!place)
      place = std::make_unique<IterationState>();
    return *place;
  }
  /// What this place keeps, made by `make` when it is first asked for.
  template <class T, class Make> std::shared_ptr<T> keep(const Make &make) {
    if (!kept)
      kept = std::shared_ptr<T>(make());
    return std::static_pointer_cast<T>(kept);
  }

private:
  std::map<size_t, std::unique_ptr<IterationState>> inputs;
  std::shared_ptr<void> kept;
};

/// A sequence of elements, described by what makes it. Thread safety: constant.
/// Ownership: shared by iterators and by other datasets that are made of it.
class Dataset : public VariantObject {
public:
  /// Datasets may be nested this deep: their iterators call each other.
  static constexpr int maxDepth = 1000;

  Dataset() = default;
  explicit Dataset(const std::shared_ptr<const Dataset> &input)
      : depth(input->depth + 1) {}
  /// A place before the first element. The state outlives it. **Errors**: of
  /// what the dataset was given.
  virtual StatusOr<std::unique_ptr<DatasetIterator>>
  iterate(IterationState &state) const = 0;

  static constexpr int64_t infinite = -1, unknown = -2;
  /// How many elements it has, as far as TensorFlow tells without making them.
  virtual int64_t cardinality() const { return unknown; }
  /// How many rows each of its elements has; unknown where they may differ.
  virtual int64_t rowsOfElements() const { return unknown; }

  /// How many datasets are on the longest way to a source, this one included.
  int depth = 1;
};
using DatasetPtr = std::shared_ptr<const Dataset>;
using IteratorPtr = std::unique_ptr<DatasetIterator>;

/// The tensor by which a dataset goes from op to op: a scalar variant.
/// **Errors**: RESOURCE_EXHAUSTED, also for one that is nested too deep.
StatusOr<Tensor> tensorOf(DatasetPtr dataset);
/// **Errors**: RESOURCE_EXHAUSTED for datasets that are nested deeper than
/// Dataset::maxDepth.
Status checkDatasetDepth(int depth);

/// The dataset of such a tensor; null for any other.
DatasetPtr datasetOf(const Tensor &tensor);

} // namespace kiln

#endif // KILN_LIB_PIPELINES_DATASET_H
