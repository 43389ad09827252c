// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queues for input, as TensorFlow's Python adds them.
#include "kiln/InputPipeline.h"

#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/Summary.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/ControlFlow.h"
#include "kiln/ops/Logging.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/MathOps.h"
#include "kiln/ops/Queue.h"
#include "kiln/ops/RandomOps.h"
#include "kiln/ops/State.h"
#include "lib/Support/Strings.h"

namespace kiln {
namespace {

Output refuse(std::string text) {
  GraphBuilder::current().fail(invalidArgumentError(std::move(text)));
  return {};
}

/// The last part of the queue's name, which names of its operations begin with.
std::string lastName(const Output &queue) {
  const std::string &name = queue.node->name();
  return name.substr(name.rfind('/') + 1);
}

/// A queue on the CPU, apart from branches and control dependencies.
Output addQueue(const std::vector<DType> &dtypes,
                const rawOps::FIFOQueueV2Options &options) {
  ControlScope lifted = ControlScope::none();
  DeviceScope device("/device:CPU:*");
  return rawOps::fifoQueueV2(dtypes, options);
}

const Node *addEnqueue(const Output &queue, const std::vector<Output> &values,
                       bool isMany) {
  NameScope scope(lastName(queue) + (isMany ? "_EnqueueMany" : "_enqueue"));
  return isMany
             ? rawOps::queueEnqueueManyV2(queue, values, {.name = scope.name()})
             : rawOps::queueEnqueueV2(queue, values, {.name = scope.name()});
}

/// A summary of how full the queue is.
void summarize(const Output &queue, int64_t capacity) {
  Output size = rawOps::queueSizeV2(queue, {.name = lastName(queue) + "_Size"});
  Output fraction =
      ops::cast(size, DType::Float32) * (1.0 / static_cast<double>(capacity));
  summary::scalar(strCat("fraction_of_", capacity, "_full"), fraction);
}

/// A queue of the rows of a tensor. **Source**: input_producer.
Output produce(Output rows, const InputProducerOptions &options,
               const std::string &outer) {
  NameScope scope(outer);
  if (!rows.node)
    return {};
  if (options.shuffle)
    rows = ops::randomShuffle(rows, {.seed = options.seed});
  rows = limitEpochs(rows, options.numEpochs);
  if (!rows.node)
    return {};
  Output queue = addQueue({rows.dtype()}, {.shapes = {Shape{}},
                                           .capacity = options.capacity,
                                           .sharedName = options.sharedName,
                                           .name = scope.name()});
  if (!queue.node)
    return {};
  addQueueRunner(QueueRunner(queue, {addEnqueue(queue, {rows}, true)}));
  summarize(queue, options.capacity);
  return queue;
}

} // namespace

Output limitEpochs(const Input &tensor, std::optional<int64_t> numEpochs,
                   const LimitEpochsOptions &options) {
  if (!numEpochs)
    return GraphBuilder::current().convert(tensor);
  if (*numEpochs <= 0)
    return refuse(strCat("num_epochs must be > 0 not ", *numEpochs, "."));
  FunctionScope scope(options.name, "limit_epochs", {&tensor});
  Output zero = ops::constant(0, {.dtype = DType::Int64});
  Variable epochs(zero, {.trainable = false,
                         .name = "epochs",
                         .collections = std::vector<std::string>{
                             std::string(keys::localVariables)}});
  if (!epochs.op())
    return {};
  Output counter =
      epochs.isResource()
          ? rawOps::resourceCountUpTo(epochs.handle(), *numEpochs, DType::Int64)
          : rawOps::countUpTo(epochs.handle(), *numEpochs);
  ControlScope after({counter});
  return ops::identity(tensor, {.name = scope.name()});
}

Output stringInputProducer(const Input &strings,
                           const InputProducerOptions &options) {
  std::string text = "string_input_producer requires a non-null input tensor";
  const auto *list =
      std::get_if<std::shared_ptr<const Input::List>>(&strings.value());
  if (list && (*list)->empty())
    return refuse(text);
  FunctionScope scope(options.name, "input_producer", {&strings});
  Output texts =
      GraphBuilder::current().convert(strings, {.dtype = DType::String});
  if (!texts.node)
    return {};
  Output hasAny = ops::greater(ops::size(texts), 0);
  const Node *check = nullptr;
  {
    NameScope inner("Assert");
    GraphBuilder::current().convert(text);
    check = rawOps::assert_(hasAny, {text}, {.name = "Assert"});
  }
  {
    ControlScope after({check});
    texts = ops::identity(texts);
  }
  return produce(texts, options, scope.name());
}

Output rangeInputProducer(const Input &limit,
                          const InputProducerOptions &options) {
  FunctionScope scope(options.name, "input_producer", {&limit});
  return produce(ops::range(limit), options, scope.name());
}

std::vector<Output> sliceInputProducer(const InputList &tensors,
                                       const InputProducerOptions &options) {
  if (tensors.size() == 0) {
    refuse("Expected at least one tensor in slice_input_producer().");
    return {};
  }
  FunctionScope scope(options.name, "input_producer", {&tensors.list()[0]});
  std::vector<Output> converted, rows(tensors.size());
  for (const Input &each : tensors.list())
    converted.push_back(GraphBuilder::current().convert(each));
  if (!converted[0].node)
    return rows;
  InputProducerOptions inner = options;
  inner.name.clear();
  Output queue = rangeInputProducer(ops::shape(converted[0])[0], inner);
  if (!queue.node)
    return rows;
  Output index = rawOps::queueDequeueV2(
      queue, {DType::Int32}, {.name = lastName(queue) + "_Dequeue"})[0];
  for (size_t i = 0; i < converted.size(); ++i)
    rows[i] = ops::gather(converted[i], index);
  return rows;
}

std::vector<Output> batch(const InputList &tensors, const Input &batchSize,
                          const BatchOptions &options) {
  std::vector<Output> none(tensors.size());
  if (tensors.size() == 0) {
    refuse("Expected at least one tensor in batch().");
    return none;
  }
  FunctionScope scope(options.name, "batch", {&tensors.list()[0]});
  std::vector<Output> values;
  std::vector<DType> dtypes;
  std::vector<Shape> shapes;
  for (const Input &each : tensors.list()) {
    Output value = GraphBuilder::current().convert(each);
    if (!value.node)
      return none;
    Shape shape = value.shape();
    if (options.enqueueMany && shape.rank() > 0)
      shape = Shape(
          std::vector<int64_t>(shape.dims().begin() + 1, shape.dims().end()));
    if (!shape.isFullyDefined()) {
      refuse(
          strCat("All shapes must be fully defined: ", shape.toTupleString()));
      return none;
    }
    values.push_back(value);
    dtypes.push_back(value.dtype());
    shapes.push_back(shape);
  }
  GraphBuilder::current().convert(true); // keep_input
  Output queue = addQueue(dtypes, {.shapes = shapes,
                                   .capacity = options.capacity,
                                   .sharedName = options.sharedName,
                                   .name = "fifo_queue"});
  if (!queue.node)
    return none;
  const Node *enqueue = addEnqueue(queue, values, options.enqueueMany);
  addQueueRunner(QueueRunner(
      queue, std::vector<const Node *>(
                 static_cast<size_t>(std::max<int64_t>(options.numThreads, 1)),
                 enqueue)));
  summarize(queue, options.capacity);
  if (options.allowSmallerFinalBatch)
    return rawOps::queueDequeueUpToV2(queue, batchSize, dtypes,
                                      {.name = scope.name()});
  return rawOps::queueDequeueManyV2(queue, batchSize, dtypes,
                                    {.name = scope.name()});
}

} // namespace kiln
