// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Datasets as values: tf.data in C++.
#ifndef KILN_DATA_H
#define KILN_DATA_H

#include "kiln/ControlFlow.h"
#include "kiln/Input.h"
#include "kiln/Shape.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace kiln::data {

class Iterator;

/// As a size of a buffer, or as a number of calls: as many as there are CPUs.
inline constexpr int64_t autotune = -1;

struct MapOptions {
  /// How many elements are computed at a time; nothing: one after the other.
  std::optional<int64_t> numParallelCalls = {};
};
struct InterleaveOptions {
  int64_t cycleLength = 1; ///< datasets that are taken from in turn
  int64_t blockLength = 1; ///< elements that are taken of each
};
struct ShuffleOptions {
  /// With the graph's, as GraphBuilder::seedsFor() has it; without either one
  /// the order is another one in each session.
  std::optional<int64_t> seed = {};
  /// Another order each time that it is walked.
  bool reshuffleEachIteration = true;
};
struct PaddedBatchOptions {
  /// A shape for each part, with -1 for the largest extent of a batch; nothing:
  /// the parts' own.
  std::optional<std::vector<Shape>> paddedShapes = {};
  /// A scalar for each part; nothing: zeros and empty strings.
  std::optional<std::vector<Input>> paddingValues = {};
  bool dropRemainder = false;
};
struct FileOptions {
  /// "", "ZLIB" or "GZIP".
  std::string compressionType = {};
  int64_t bufferBytes = 256 * 1024;
};
struct FixedLengthOptions {
  int64_t headerBytes = 0; ///< of each file, which are left out
  int64_t footerBytes = 0;
  FileOptions files = {};
};

/// A sequence of elements, each a list of tensors: a node of the graph, which
/// says how they are made. Iterators give them to runs.
///
///     auto batches = data::Dataset::records(files)
///                        .map([](const Outputs &record) { return
///                        parse(record[0]); }) .shuffle(1000) .repeat()
///                        .batch(64)
///                        .prefetch(2);
///     Outputs batch = batches.oneShotIterator().next();
///
/// Functions are called once, with what stands for an element. What is asked
/// for is added to GraphBuilder::current(). **Errors** of the graph: those of
/// the op and of the function; of the run: the elements'. Thread safety: none.
/// **Source**: tf.data.Dataset.
class KILN_EXPORT Dataset {
public:
  using ElementFn = std::function<Outputs(const Outputs &element)>;
  using PredicateFn = std::function<Output(const Outputs &element)>;
  using DatasetFn = std::function<Dataset(const Outputs &element)>;

  /// One element. **Source**: from_tensors.
  static Dataset fromTensors(const InputList &components);
  /// The rows of tensors. **Errors** of the graph: INVALID_ARGUMENT for
  /// scalars; of the run for unequal numbers. **Source**: from_tensor_slices.
  static Dataset fromTensorSlices(const InputList &components);
  /// int64 from 0 to below `stop`.
  static Dataset range(const Input &stop);
  static Dataset range(const Input &start, const Input &stop,
                       const Input &step = 1);
  /// Elements side by side, as long as the shortest.
  static Dataset zip(const std::vector<Dataset> &datasets);
  /// The lines of files, without their ends. **Source**: TextLineDataset.
  static Dataset textLines(const Input &filenames,
                           const FileOptions &options = {});
  /// The records of files. **Source**: TFRecordDataset.
  static Dataset records(const Input &filenames,
                         const FileOptions &options = {});
  /// Records of so many bytes. **Source**: FixedLengthRecordDataset.
  static Dataset fixedLengthRecords(const Input &filenames, int64_t recordBytes,
                                    const FixedLengthOptions &options = {});
  /// What a node of another op gives: elements of these types and shapes.
  static Dataset of(const Output &variant, std::vector<DType> dtypes,
                    std::vector<Shape> shapes);

  /// What a function gives for each element.
  Dataset map(const ElementFn &function, const MapOptions &options = {}) const;
  /// The elements for which a function gives true.
  Dataset filter(const PredicateFn &predicate) const;
  /// The elements of the datasets that a function gives.
  Dataset flatMap(const DatasetFn &function) const;
  /// flatMap(), of which several datasets are taken from in turn.
  Dataset interleave(const DatasetFn &function,
                     const InterleaveOptions &options) const;
  /// A state that a function makes anew of it and of each element, as it is
  /// behind the last one. Added to the graph: each run walks the dataset.
  /// **Errors** of the graph: INVALID_ARGUMENT for a state of other types.
  Outputs reduce(
      const InputList &initialState,
      const std::function<Outputs(const Outputs &state, const Outputs &element)>
          &function) const;

  /// So many elements of equal shapes at a time.
  Dataset batch(const Input &size, bool dropRemainder = false) const;
  /// So many elements at a time, each padded to a shape.
  Dataset paddedBatch(const Input &size,
                      const PaddedBatchOptions &options = {}) const;
  /// The rows of each element.
  Dataset unbatch() const;
  /// In random order, drawn from so many elements at a time.
  Dataset shuffle(const Input &bufferSize,
                  const ShuffleOptions &options = {}) const;
  /// So many times; below 0 without end.
  Dataset repeat(const Input &count = -1) const;
  Dataset take(const Input &count) const;
  Dataset skip(const Input &count) const;
  /// Every numShards-th element, from number `index` on.
  Dataset shard(const Input &numShards, const Input &index) const;
  /// The elements of another dataset behind its own. **Errors** of the graph:
  /// INVALID_ARGUMENT for elements of other types.
  Dataset concatenate(const Dataset &other) const;
  /// Computes the elements once, the first time that it is walked to its end.
  Dataset cache(const Input &filename = "") const;
  /// Makes so many elements ahead of who asks for them.
  Dataset prefetch(const Input &bufferSize = autotune) const;
  /// A number from `start` on before each element.
  Dataset enumerate(const Input &start = 0) const;
  /// Without elements that end in an error.
  Dataset ignoreErrors() const;

  /// Begins by itself, once. **Errors** of the graph: INVALID_ARGUMENT where
  /// the dataset uses placeholders or what keeps state.
  Iterator oneShotIterator() const;
  /// Begins where its initializer() runs.
  Iterator initializableIterator(const std::string &sharedName = {}) const;

  /// Of the parts of an element.
  const std::vector<DType> &dtypes() const noexcept { return types; }
  const std::vector<Shape> &shapes() const noexcept { return partShapes; }
  /// The node's; without a node after an error.
  const Output &variant() const noexcept { return handle; }

private:
  Dataset(const Output &variant, std::vector<DType> dtypes,
          std::vector<Shape> shapes)
      : handle(variant), types(std::move(dtypes)),
        partShapes(std::move(shapes)) {}
  Dataset withShapes(const Output &variant, std::vector<Shape> shapes) const {
    return Dataset(variant, types, std::move(shapes));
  }
  Dataset same(const Output &variant) const {
    return Dataset(variant, types, partShapes);
  }

  Output handle;
  std::vector<DType> types;
  std::vector<Shape> partShapes;
};

/// A place in a dataset, which a session moves on. **Source**:
/// tf.data.Iterator.
class KILN_EXPORT Iterator {
public:
  /// For all datasets of such elements: initializerOf() gives it one.
  /// **Source**: from_structure.
  static Iterator ofStructure(std::vector<DType> dtypes,
                              std::vector<Shape> shapes,
                              const std::string &sharedName = {});
  /// The iterator of which stringHandle() gave this text.
  static Iterator ofStringHandle(const Input &handle, std::vector<DType> dtypes,
                                 std::vector<Shape> shapes);

  /// The next element: all that a run needs of it is of one element. Behind the
  /// last one runs end with OUT_OF_RANGE.
  Outputs next() const;
  /// Goes before the first element; null for an iterator that has none.
  const Node *initializer() const noexcept { return begin; }
  /// Goes before the first element of a dataset. **Errors** of the graph:
  /// INVALID_ARGUMENT for elements of other types or shapes.
  const Node *initializerOf(const Dataset &dataset) const;
  /// A text that names the iterator in its session.
  Output stringHandle() const;

private:
  friend class Dataset;
  Iterator(const Output &resource, const Node *begin, std::vector<DType> dtypes,
           std::vector<Shape> shapes)
      : resource(resource), begin(begin), types(std::move(dtypes)),
        partShapes(std::move(shapes)) {}

  Output resource;
  const Node *begin;
  std::vector<DType> types;
  std::vector<Shape> partShapes;
};

} // namespace kiln::data

#endif // KILN_DATA_H
