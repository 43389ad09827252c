// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queues for input, as TensorFlow's Python adds them.
#include "kiln/InputPipeline.h"

#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/ControlFlow.h"
#include "kiln/ops/Files.h"
#include "kiln/ops/Logging.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/MathOps.h"
#include "kiln/ops/Queue.h"
#include "kiln/ops/RandomOps.h"
#include "kiln/ops/State.h"
#include "lib/Runners/InputQueues.h"
#include "lib/Support/Strings.h"

namespace kiln {
namespace {

/// A queue of the rows of a tensor, in a scope that is opened again.
/// queueName: of its node; the op's where it is empty.
Output produce(Output rows, const Shape &row, const std::string &summaryName,
               const InputProducerOptions &options, const std::string &outer,
               const std::string &queueName) {
  NameScope scope(outer);
  if (!rows.node)
    return {};
  if (options.shuffle)
    rows = ops::randomShuffle(rows, {.seed = options.seed});
  rows = limitEpochs(rows, options.numEpochs);
  if (!rows.node)
    return {};
  Output queue = addInputQueue([&] {
    return rawOps::fifoQueueV2({rows.dtype()},
                               {.shapes = {row},
                                .capacity = options.capacity,
                                .sharedName = options.sharedName,
                                .name = queueName});
  });
  if (!queue.node)
    return {};
  addQueueRunner(QueueRunner(queue, {addEnqueue(queue, {rows}, true)},
                             {.cancelOp = options.cancelOp}));
  if (!summaryName.empty())
    summarizeQueue(queue, options.capacity, summaryName);
  return queue;
}

std::string fullnessOf(const InputProducerOptions &options) {
  return strCat("fraction_of_", options.capacity, "_full");
}

} // namespace

Output inputProducer(const Input &rows, const Shape &elementShape,
                     const std::string &summaryName,
                     const InputProducerOptions &options) {
  FunctionScope scope(options.name, "input_producer", {&rows});
  Output tensor =
      GraphBuilder::current().convert(rows, {.name = "input_tensor"});
  if (!tensor.node)
    return {};
  Shape row = elementShape;
  if (tensor.shape().hasRank()) {
    std::vector<int64_t> extents(tensor.shape().dims().begin() +
                                     (tensor.shape().rank() > 0),
                                 tensor.shape().dims().end());
    Shape own(extents);
    if (!own.isCompatibleWith(elementShape))
      return refuseInput(strCat("Shapes ", own.toTupleString(), " and ",
                                elementShape.toTupleString(),
                                " are not compatible"));
    if (own.isFullyDefined())
      row = own;
  }
  if (!row.isFullyDefined())
    return refuseInput("Either `input_tensor` must have a fully defined shape "
                       "or `element_shape` must be specified");
  return produce(tensor, row, summaryName, options, scope.name(), options.name);
}

Variable matchFilenamesOnce(const Input &pattern, std::string_view name) {
  FunctionScope scope(name, "matching_filenames", {&pattern});
  return Variable(rawOps::matchingFiles(pattern),
                  {.trainable = false,
                   .name = scope.name(),
                   .validateShape = false,
                   .collections = {{std::string(keys::localVariables)}}});
}

Output limitEpochs(const Input &tensor, std::optional<int64_t> numEpochs,
                   const LimitEpochsOptions &options) {
  if (!numEpochs)
    return GraphBuilder::current().convert(tensor);
  if (*numEpochs <= 0)
    return refuseInput(strCat("num_epochs must be > 0 not ", *numEpochs, "."));
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
    return refuseInput(text);
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
  return produce(texts, {}, fullnessOf(options), options, scope.name(),
                 scope.name());
}

Output rangeInputProducer(const Input &limit,
                          const InputProducerOptions &options) {
  FunctionScope scope(options.name, "input_producer", {&limit});
  return produce(ops::range(limit), {}, fullnessOf(options), options,
                 scope.name(), scope.name());
}

std::vector<Output> sliceInputProducer(const InputList &tensors,
                                       const InputProducerOptions &options) {
  if (tensors.size() == 0) {
    refuseInput("Expected at least one tensor in slice_input_producer().");
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
      queue, {DType::Int32}, {.name = lastNameOf(queue) + "_Dequeue"})[0];
  for (size_t i = 0; i < converted.size(); ++i)
    rows[i] = ops::gather(converted[i], index);
  return rows;
}

} // namespace kiln
