// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Batches by queues, as TensorFlow's Python adds them.
#include "kiln/ControlFlow.h"
#include "kiln/InputPipeline.h"
#include "kiln/ops/ControlFlow.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/Selection.h"
#include "lib/Runners/InputQueues.h"
#include "lib/Support/Md5.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln {
namespace {

/// The rest of a shape behind its first axis, where there is one.
Shape withoutFirst(const Shape &shape) {
  if (shape.rank() < 1)
    return shape;
  return Shape(
      std::vector<int64_t>(shape.dims().begin() + 1, shape.dims().end()));
}

/// repr() of a TensorShape in Python.
std::string pythonText(const Shape &shape) {
  if (!shape.hasRank())
    return "TensorShape(None)";
  std::vector<std::string> dims;
  for (int64_t dim : shape.dims())
    dims.push_back(dim < 0 ? "Dimension(None)"
                           : strCat("Dimension(", dim, ")"));
  return strCat("TensorShape([", strJoin(dims, ", "), "])");
}

class Batches {
public:
  Batches(std::vector<InputList> lists, const BatchOptions &options,
          std::optional<int64_t> minAfterDequeue = {},
          std::optional<int64_t> seed = {})
      : lists(std::move(lists)), options(options),
        minAfterDequeue(minAfterDequeue), seed(seed) {}

  std::vector<Output> add(const Input &keepInput, const Input &batchSize,
                          bool isJoin) {
    std::string kind = minAfterDequeue ? "shuffle_batch" : "batch";
    if (isJoin)
      kind += "_join";
    std::vector<Output> none(lists.empty() ? 0 : lists[0].size());
    if (lists.empty() || lists[0].size() == 0) {
      refuseInput(!isJoin ? "Expected at least one tensor in batch()."
                  : lists.empty()
                      ? "Expected at least one set of tensors"
                      : "Expected at least one input in batch_join().");
      return none;
    }
    FunctionScope scope(options.name, kind, {&lists[0].list()[0]});
    if (!convert() || !keep(keepInput) || !merge())
      return none;
    Output queue = addQueue();
    if (!queue.node)
      return none;
    addQueueRunner(QueueRunner(queue, enqueues(queue, isJoin)));
    summarize(queue);
    if (options.allowSmallerFinalBatch)
      return rawOps::queueDequeueUpToV2(queue, batchSize, dtypes,
                                        {.name = scope.name()});
    return rawOps::queueDequeueManyV2(queue, batchSize, dtypes,
                                      {.name = scope.name()});
  }

private:
  bool convert() {
    if (minAfterDequeue && options.capacity <= *minAfterDequeue) {
      refuseInput(strCat("capacity ", options.capacity,
                         " must be bigger than min_after_dequeue ",
                         *minAfterDequeue, "."));
      return false;
    }
    for (const InputList &list : lists) {
      values.emplace_back();
      for (const Input &each : list.list()) {
        values.back().push_back(GraphBuilder::current().convert(each));
        if (!values.back().back().node)
          return false;
      }
    }
    return true;
  }

  bool keep(const Input &keepInput) {
    kept = GraphBuilder::current().convert(keepInput);
    if (!kept.node)
      return false;
    const Shape &shape = kept.shape();
    std::string_view wrong =
        !shape.hasRank()
            ? "`keep_input` dimensions must be known at graph construction."
        : !options.enqueueMany && shape.rank() == 1
            ? "`keep_input` cannot be a vector when `enqueue_many=False`."
        : shape.rank() > 1 ? "`keep_input` must be 0 or 1 dimensions."
                           : "";
    if (!wrong.empty())
      refuseInput(std::string(wrong));
    return wrong.empty();
  }

  /// The dtypes and shapes of an element.
  bool merge() {
    auto namesOf = [](const std::vector<Output> &list) {
      std::vector<std::string> names;
      for (const Output &each : list)
        names.emplace_back(dtypeName(each.dtype()));
      return strJoin(names, ", ");
    };
    for (const std::vector<Output> &list : values)
      if (namesOf(list) != namesOf(values[0])) {
        refuseInput(strCat("Expected types to be consistent: ",
                           namesOf(values[0]), " vs. ", namesOf(list), "."));
        return false;
      }
    for (const Output &each : values[0])
      dtypes.push_back(each.dtype());
    return options.shapes ? take(*options.shapes) : infer();
  }

  bool take(const std::vector<Shape> &given) {
    shapes = given;
    if (shapes.size() == dtypes.size())
      return true;
    refuseInput(strCat("expected a shape for each of ", dtypes.size(),
                       " tensors, got ", shapes.size()));
    return false;
  }

  bool infer() {
    for (size_t i = 0; i < dtypes.size(); ++i) {
      Shape first;
      for (const std::vector<Output> &list : values) {
        if (!list[i].shape().hasRank()) {
          refuseInput(strCat("Cannot infer Tensor's rank: ", list[i].name()));
          return false;
        }
        Shape shape = options.enqueueMany ? withoutFirst(list[i].shape())
                                          : list[i].shape();
        if (&list == &values[0]) {
          first = shape;
        } else if (!first.isCompatibleWith(shape)) {
          refuseInput(strCat("Shapes ", first.toTupleString(), " and ",
                             shape.toTupleString(), " are not compatible"));
          return false;
        }
      }
      shapes.push_back(first);
    }
    if (options.dynamicPad ||
        std::ranges::all_of(
            shapes, [](const Shape &each) { return each.isFullyDefined(); }))
      return true;
    std::vector<std::string> texts;
    for (const Shape &each : shapes)
      texts.push_back(pythonText(each));
    refuseInput(strCat("All shapes must be fully defined: [",
                       strJoin(texts, ", "), "]"));
    return false;
  }

  Output addQueue() const {
    if (minAfterDequeue) {
      GraphBuilder graph = GraphBuilder::current();
      auto [seed1, seed2] = graph.seedsFor(seed);
      // A shared queue draws the same in all programs of one seed.
      if (graph.randomSeed() && !seed && !options.sharedName.empty())
        seed2 = seedOf(strCat(seed1, options.sharedName));
      return rawOps::randomShuffleQueueV2(dtypes,
                                          {.shapes = shapes,
                                           .capacity = options.capacity,
                                           .minAfterDequeue = *minAfterDequeue,
                                           .seed = seed1,
                                           .seed2 = seed2,
                                           .sharedName = options.sharedName,
                                           .name = "random_shuffle_queue"});
    }
    if (options.dynamicPad)
      return rawOps::paddingFIFOQueueV2(dtypes,
                                        {.shapes = shapes,
                                         .capacity = options.capacity,
                                         .sharedName = options.sharedName,
                                         .name = "padding_fifo_queue"});
    return addInputQueue([&] {
      return rawOps::fifoQueueV2(dtypes, {.shapes = shapes,
                                          .capacity = options.capacity,
                                          .sharedName = options.sharedName,
                                          .name = "fifo_queue"});
    });
  }

  const Node *enqueue(const Output &queue,
                      const std::vector<Output> &list) const {
    if (kept.shape().rank() == 1) {
      std::vector<Output> chosen;
      Output which = ops::cast(kept, DType::Int32);
      for (const Output &each : list) {
        auto parts = rawOps::dynamicPartition(each, which, 2);
        if (parts.size() != 2)
          return nullptr;
        chosen.push_back(parts[1]);
      }
      return addEnqueue(queue, chosen, options.enqueueMany);
    }
    ops::BranchResult result = ops::smartCond(
        kept,
        [&] {
          return ops::BranchResult(
              addEnqueue(queue, list, options.enqueueMany));
        },
        [] {
          return ops::BranchResult(
              GraphBuilder::current().addOp({.op = "NoOp"}));
        });
    if (const Node *operation = result.operationAt(0))
      return operation;
    return Output(result.outputs).node;
  }

  /// One for all threads, or of a join one for each list.
  std::vector<const Node *> enqueues(const Output &queue, bool isJoin) const {
    std::vector<const Node *> all;
    if (isJoin)
      for (const std::vector<Output> &list : values)
        all.push_back(enqueue(queue, list));
    else
      all.assign(static_cast<size_t>(std::max<int64_t>(options.numThreads, 1)),
                 enqueue(queue, values[0]));
    return all;
  }

  void summarize(const Output &queue) const {
    if (!minAfterDequeue)
      return summarizeQueue(queue, options.capacity,
                            strCat("fraction_of_", options.capacity, "_full"));
    int64_t over = *minAfterDequeue, room = options.capacity - over;
    Output above = ops::maximum(0, addQueueSize(queue) - over);
    Output full =
        ops::cast(above, DType::Float32) * (1.0 / static_cast<double>(room));
    summary::scalar(strCat("fraction_over_", over, "_of_", room, "_full"),
                    full);
  }

  std::vector<InputList> lists;
  const BatchOptions &options;
  std::optional<int64_t> minAfterDequeue, seed;
  std::vector<std::vector<Output>> values;
  Output kept;
  std::vector<DType> dtypes;
  std::vector<Shape> shapes;
};

BatchOptions plainOptions(const ShuffleBatchOptions &options,
                          int64_t capacity) {
  return {.numThreads = options.numThreads,
          .capacity = capacity,
          .enqueueMany = options.enqueueMany,
          .shapes = options.shapes,
          .allowSmallerFinalBatch = options.allowSmallerFinalBatch,
          .sharedName = options.sharedName,
          .name = options.name};
}

} // namespace

std::vector<Output> batch(const InputList &tensors, const Input &batchSize,
                          const BatchOptions &options) {
  return maybeBatch(tensors, true, batchSize, options);
}

std::vector<Output> maybeBatch(const InputList &tensors, const Input &keepInput,
                               const Input &batchSize,
                               const BatchOptions &options) {
  return Batches({tensors}, options).add(keepInput, batchSize, false);
}

std::vector<Output> batchJoin(const std::vector<InputList> &lists,
                              const Input &batchSize,
                              const BatchOptions &options) {
  return maybeBatchJoin(lists, true, batchSize, options);
}

std::vector<Output> maybeBatchJoin(const std::vector<InputList> &lists,
                                   const Input &keepInput,
                                   const Input &batchSize,
                                   const BatchOptions &options) {
  return Batches(lists, options).add(keepInput, batchSize, true);
}

std::vector<Output> shuffleBatch(const InputList &tensors,
                                 const Input &batchSize, int64_t capacity,
                                 int64_t minAfterDequeue,
                                 const ShuffleBatchOptions &options) {
  return maybeShuffleBatch(tensors, true, batchSize, capacity, minAfterDequeue,
                           options);
}

std::vector<Output> maybeShuffleBatch(const InputList &tensors,
                                      const Input &keepInput,
                                      const Input &batchSize, int64_t capacity,
                                      int64_t minAfterDequeue,
                                      const ShuffleBatchOptions &options) {
  BatchOptions plain = plainOptions(options, capacity);
  return Batches({tensors}, plain, minAfterDequeue, options.seed)
      .add(keepInput, batchSize, false);
}

std::vector<Output> shuffleBatchJoin(const std::vector<InputList> &lists,
                                     const Input &batchSize, int64_t capacity,
                                     int64_t minAfterDequeue,
                                     const ShuffleBatchOptions &options) {
  return maybeShuffleBatchJoin(lists, true, batchSize, capacity,
                               minAfterDequeue, options);
}

std::vector<Output> maybeShuffleBatchJoin(const std::vector<InputList> &lists,
                                          const Input &keepInput,
                                          const Input &batchSize,
                                          int64_t capacity,
                                          int64_t minAfterDequeue,
                                          const ShuffleBatchOptions &options) {
  BatchOptions plain = plainOptions(options, capacity);
  return Batches(lists, plain, minAfterDequeue, options.seed)
      .add(keepInput, batchSize, true);
}

} // namespace kiln
