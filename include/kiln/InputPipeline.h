// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queues that give a program its input, filled by queue runners.
#ifndef KILN_INPUTPIPELINE_H
#define KILN_INPUTPIPELINE_H

#include "kiln/QueueRunner.h"

#include <optional>
#include <string>
#include <vector>

namespace kiln {

// Each adds a runner to the collection "queue_runners", which
// startQueueRunners() starts, and a summary of how full its queue is.

struct LimitEpochsOptions {
  std::string name = {};
};
/// The tensor, so many times; then OUT_OF_RANGE. Counts in a local variable
/// (localVariablesInitializer()). **Edges**: without a number the tensor
/// itself.
/// **Errors** of the graph: INVALID_ARGUMENT "num_epochs must be > 0 not …".
/// **Source**: tf.train.limit_epochs, "limit_epochs".
KILN_EXPORT Output limitEpochs(const Input &tensor,
                               std::optional<int64_t> numEpochs,
                               const LimitEpochsOptions &options = {});

/// The names of the files that the patterns fit, found when the local variable
/// is initialized (localVariablesInitializer()). **Source**:
/// tf.train.match_filenames_once, "matching_filenames".
KILN_EXPORT Variable matchFilenamesOnce(const Input &pattern,
                                        std::string_view name = {});

struct InputProducerOptions {
  /// Nothing: for ever.
  std::optional<int64_t> numEpochs = {};
  /// In another order in each epoch.
  bool shuffle = true;
  std::optional<int64_t> seed = {};
  int64_t capacity = 32;
  std::string sharedName = {};
  std::string name = {};
  /// Runs where all is asked to stop; null: one that closes the queue is added.
  const Node *cancelOp = nullptr;
};
/// A queue of the rows of a tensor. elementShape: of a row, where the tensor's
/// is not known; summaryName: of the summary, none where it is empty.
/// **Errors** of the graph: INVALID_ARGUMENT where the shape of a row is not
/// known. **Source**: tf.train.input_producer, "input_producer".
KILN_EXPORT Output inputProducer(
    const Input &rows, const Shape &elementShape = Shape::unknownRank(),
    const std::string &summaryName = {},
    const InputProducerOptions &options = {});
/// A queue of the texts. **Errors** of the graph: INVALID_ARGUMENT for a list
/// without any; of the run, where a tensor has none. **Source**:
/// tf.train.string_input_producer, "input_producer".
KILN_EXPORT Output stringInputProducer(
    const Input &strings, const InputProducerOptions &options = {});
/// A queue of the numbers below the limit. **Source**:
/// tf.train.range_input_producer, "input_producer".
KILN_EXPORT Output rangeInputProducer(const Input &limit,
                                      const InputProducerOptions &options = {});
/// One row of each tensor at a time. **Errors** of the graph: INVALID_ARGUMENT
/// where there is no tensor. **Source**: tf.train.slice_input_producer,
/// "input_producer".
KILN_EXPORT std::vector<Output>
sliceInputProducer(const InputList &tensors,
                   const InputProducerOptions &options = {});

struct BatchOptions {
  /// Not of joins, which have a thread for each list.
  int64_t numThreads = 1;
  int64_t capacity = 32;
  /// The tensors are batches already.
  bool enqueueMany = false;
  /// The shapes of an element; nothing: as the tensors say.
  std::optional<std::vector<Shape>> shapes = {};
  /// Where elements differ in extents, a batch is filled up with zeros.
  bool dynamicPad = false;
  /// A last batch may be smaller.
  bool allowSmallerFinalBatch = false;
  std::string sharedName = {};
  std::string name = {};
};

// **Errors** of the graph: INVALID_ARGUMENT for shapes that are not known or do
// not agree, dtypes that differ, no tensors, and where as many have to stay as
// there is room for.

/// Batches of what the tensors give. **Source**: tf.train.batch, "batch".
KILN_EXPORT std::vector<Output> batch(const InputList &tensors,
                                      const Input &batchSize,
                                      const BatchOptions &options = {});
/// Only of what is to be kept: a bool, or with enqueueMany a vector of them.
/// **Source**: tf.train.maybe_batch.
KILN_EXPORT std::vector<Output> maybeBatch(const InputList &tensors,
                                           const Input &keepInput,
                                           const Input &batchSize,
                                           const BatchOptions &options = {});
/// Batches of several lists, each by a thread of its own. **Source**:
/// tf.train.batch_join, "batch_join".
KILN_EXPORT std::vector<Output> batchJoin(const std::vector<InputList> &lists,
                                          const Input &batchSize,
                                          const BatchOptions &options = {});
/// **Source**: tf.train.maybe_batch_join.
KILN_EXPORT std::vector<Output>
maybeBatchJoin(const std::vector<InputList> &lists, const Input &keepInput,
               const Input &batchSize, const BatchOptions &options = {});

struct ShuffleBatchOptions {
  int64_t numThreads = 1;
  /// The op's; TensorFlow derives another one from a shared name.
  std::optional<int64_t> seed = {};
  bool enqueueMany = false;
  std::optional<std::vector<Shape>> shapes = {};
  bool allowSmallerFinalBatch = false;
  std::string sharedName = {};
  std::string name = {};
};
/// Batches in random order, drawn from at least so many elements. **Source**:
/// tf.train.shuffle_batch, "shuffle_batch".
KILN_EXPORT std::vector<Output>
shuffleBatch(const InputList &tensors, const Input &batchSize, int64_t capacity,
             int64_t minAfterDequeue, const ShuffleBatchOptions &options = {});
/// **Source**: tf.train.maybe_shuffle_batch.
KILN_EXPORT std::vector<Output>
maybeShuffleBatch(const InputList &tensors, const Input &keepInput,
                  const Input &batchSize, int64_t capacity,
                  int64_t minAfterDequeue,
                  const ShuffleBatchOptions &options = {});
/// **Source**: tf.train.shuffle_batch_join, "shuffle_batch_join".
KILN_EXPORT std::vector<Output>
shuffleBatchJoin(const std::vector<InputList> &lists, const Input &batchSize,
                 int64_t capacity, int64_t minAfterDequeue,
                 const ShuffleBatchOptions &options = {});
/// **Source**: tf.train.maybe_shuffle_batch_join.
KILN_EXPORT std::vector<Output>
maybeShuffleBatchJoin(const std::vector<InputList> &lists,
                      const Input &keepInput, const Input &batchSize,
                      int64_t capacity, int64_t minAfterDequeue,
                      const ShuffleBatchOptions &options = {});

} // namespace kiln

#endif // KILN_INPUTPIPELINE_H
