// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The datasets, by what they do with others. Each function's dataset keeps what
// it is given. **Source**: tf.data of TensorFlow 1.15.
#ifndef KILN_LIB_PIPELINES_DATASETS_H
#define KILN_LIB_PIPELINES_DATASETS_H

#include "lib/Pipelines/ElementFunction.h"

#include <cstdint>

namespace kiln {

/// What a dataset may hold of its input at a time where nothing else is said.
inline constexpr int64_t anyBytes = INT64_MAX;

// Sources.cpp

DatasetPtr oneElement(Element element);
/// The rows of components that have equally many. **Errors**: INVALID_ARGUMENT
/// for others.
StatusOr<DatasetPtr> rowsOf(Element components);
/// start, start + step, ... before stop, as numbers of a type. **Errors**:
/// INVALID_ARGUMENT for a step of 0.
StatusOr<DatasetPtr> rangeOf(int64_t start, int64_t stop, int64_t step,
                             DType dtype);

/// Elements that are there.
DatasetPtr ofElements(std::vector<Element> elements);

// Sequences.cpp

/// `count` times; below 0 without end.
DatasetPtr repeated(DatasetPtr input, int64_t count);
/// The first `count` elements; below 0 all.
DatasetPtr firstOf(DatasetPtr input, int64_t count);
/// Those behind the first `count`; below 0 none.
DatasetPtr restOf(DatasetPtr input, int64_t count);
/// Elements index, index + shards, ...; **Errors**: INVALID_ARGUMENT.
StatusOr<DatasetPtr> shardOf(DatasetPtr input, int64_t shards, int64_t index);
DatasetPtr concatenated(DatasetPtr first, DatasetPtr second);
/// As long as the shortest.
DatasetPtr zipped(std::vector<DatasetPtr> inputs);
/// Leaves elements out that end in an error.
DatasetPtr withoutErrors(DatasetPtr input);
/// The rows of the components of each element.
DatasetPtr unbatched(DatasetPtr input);
/// The same elements, of which cardinality() says that there are so many.
DatasetPtr ofLength(DatasetPtr input, int64_t cardinality);
/// Fails where there are not as many elements; -1 any, -2 endless.
DatasetPtr counted(DatasetPtr input, int64_t cardinality);

// Caches.cpp

/// Computes the elements once, the first time that it is walked to its end.
DatasetPtr cached(DatasetPtr input, int64_t maxBytes = anyBytes);

// Batches.cpp

struct BatchSpec {
  int64_t size = 1;
  bool dropsRemainder = false;
  int64_t maxBytes = anyBytes; ///< of a batch; beyond RESOURCE_EXHAUSTED
};
/// **Errors**: INVALID_ARGUMENT for a size below 1. The iterator's:
/// INVALID_ARGUMENT for elements of different shapes.
StatusOr<DatasetPtr> batched(DatasetPtr input, BatchSpec batch);
/// For each component a shape, with -1 for the largest extent of a batch, and a
/// scalar.
struct Padding {
  std::vector<Tensor> shapes, values;
};
StatusOr<DatasetPtr> paddedBatches(DatasetPtr input, BatchSpec batch,
                                   Padding padding);

// Rebatch.cpp

/// Sizes that batches have in turn.
struct RebatchSpec {
  std::vector<int64_t> sizes;
  bool dropsRemainder = false;
  std::vector<DType> types;  ///< of an element
  std::vector<Shape> shapes; ///< of batches of size 0
  int64_t maxBytes = anyBytes;
};
/// The rows of batches in batches of other sizes. **Errors**: INVALID_ARGUMENT
/// for none and for negative ones.
StatusOr<DatasetPtr> rebatched(DatasetPtr input, RebatchSpec spec);

// Sparse.cpp

struct SparseParts {
  Tensor indices, values, shape;
};
/// The rows of a sparse tensor, each as three tensors. **Errors**:
/// INVALID_ARGUMENT; UNIMPLEMENTED for one whose rows are not in order.
StatusOr<DatasetPtr> sparseRows(SparseParts parts);
/// Batches of dense elements, each as the three variants of a sparse tensor.
/// `rowShape` has -1 for the largest extent of a batch. **Errors**:
/// INVALID_ARGUMENT; the iterator's: DATA_LOSS for larger elements.
StatusOr<DatasetPtr> sparseBatches(DatasetPtr input, BatchSpec batch,
                                   const Tensor &rowShape);

// Shuffle.cpp

struct ShuffleSpec {
  int64_t bufferSize = 1;
  int64_t seed = 0, seed2 = 0; ///< both 0: drawn
  bool reshuffles = true;      ///< each time that it is walked
  int64_t maxBytes = anyBytes; ///< of the buffer
};
/// TensorFlow's order for its seeds. **Errors**: INVALID_ARGUMENT.
StatusOr<DatasetPtr> shuffled(DatasetPtr input, const ShuffleSpec &spec);

/// Random numbers of 32 bits as int64, without end, in TensorFlow's order;
/// `isNewEachTime`: others each time that they are walked.
DatasetPtr randomNumbers(int64_t seed, int64_t seed2, bool isNewEachTime);

// Functions.cpp

/// \p count is how many elements it tells that it has.
DatasetPtr mapped(DatasetPtr input, CapturedFunction function,
                  int64_t count = Dataset::unknown);
/// The same elements in the same order, of which so many are computed at a time
/// on the process's threads; below 1 as many as there are CPUs. One at a time
/// where the order of calls may show. What is taken of the input ahead is lost
/// with the iterator.
DatasetPtr mappedTogether(DatasetPtr input, CapturedFunction function,
                          int64_t calls, int64_t count = Dataset::unknown);
DatasetPtr filtered(DatasetPtr input, CapturedFunction predicate);
DatasetPtr whileTrue(DatasetPtr input, CapturedFunction predicate);
struct InterleaveSpec {
  int64_t cycle = 1, block = 1; ///< a flat map has 1 and any block
};
/// **Errors**: INVALID_ARGUMENT.
StatusOr<DatasetPtr> interleaved(DatasetPtr input, CapturedFunction function,
                                 InterleaveSpec spec);
/// The function takes the state and an element, and gives a state of as many
/// tensors and an element.
DatasetPtr scanned(DatasetPtr input, Element state, CapturedFunction function);
/// `begin` gives a state, `next` an element for it or the error OUT_OF_RANGE,
/// and `end` lets go of it.
DatasetPtr generated(CapturedFunction begin, CapturedFunction next,
                     CapturedFunction end);

// Prefetch.cpp

struct PrefetchSpec {
  int64_t bufferSize = 1;      ///< in elements
  int64_t maxBytes = anyBytes; ///< that it holds before it makes another one
};
/// The same elements, made ahead on a thread of its own from the first one on.
/// A buffer of 0 is the input, one below 0 has an element for each CPU. What is
/// ahead is lost with the iterator. **Edges**: made by who asks for them where
/// the system grants no thread. The iterator's **errors**: FAILED_PRECONDITION
/// in a child of fork(), if its thread made an element meanwhile.
DatasetPtr prefetched(DatasetPtr input, PrefetchSpec spec);

// Groups.cpp

/// Datasets of elements that follow each other.
struct WindowSpec {
  int64_t size = 1;
  int64_t shift = 1;  ///< from one window to the next
  int64_t stride = 1; ///< between two elements of a window
  bool dropsRemainder = false;
  int64_t maxBytes = anyBytes;
};
/// Each component of an element is a dataset of those of a window. **Errors**:
/// INVALID_ARGUMENT.
StatusOr<DatasetPtr> windows(DatasetPtr input, const WindowSpec &spec);
/// Each gives an int64, but for `reduce`: for a key and a dataset of elements
/// it gives the dataset that takes their place.
struct GroupFunctions {
  CapturedFunction key, reduce, size;
  int64_t maxBytes = anyBytes; ///< of groups that are not full
};
/// The elements of a key, as many at a time as `size` says of it, reduced.
DatasetPtr grouped(DatasetPtr input, GroupFunctions functions);
// Reducers.cpp

/// `init` gives a state for a key, `reduce` another one for a state and an
/// element, `finalize` the element of a state.
struct ReduceFunctions {
  CapturedFunction key, init, reduce, finalize;
  int64_t maxBytes = anyBytes; ///< of all states
};
/// One element for each key, in the order of keys.
DatasetPtr reducedByKey(DatasetPtr input, ReduceFunctions functions);

// Groups.cpp

/// The next element of the dataset whose number the selector gives.
DatasetPtr directed(DatasetPtr selector, std::vector<DatasetPtr> inputs,
                    bool stopsWhereOneEnds);
/// Without elements that have come before.
DatasetPtr unique(DatasetPtr input);

} // namespace kiln

#endif // KILN_LIB_PIPELINES_DATASETS_H
