// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of queues. What comes out of a queue has the shape that the
// queue was made for, where one was named; TensorFlow leaves that to Python.
#include "lib/Ops/Queue/Shape.h"

#include "lib/OpDefs/Inference.h"
#include "lib/Support/Strings.h"

namespace kiln::shapes {
namespace {

/// The shape of component i of the queue that input 0 names.
SymShape componentShape(const InferenceContext &context, int i) {
  const std::optional<HandleInfo> &handle = context.input(0).handle;
  auto place = static_cast<size_t>(i);
  return handle && place < handle->components.size()
             ? handle->components[place].shape
             : SymShape::unknownRank();
}

/// Components with a dimension in front, where their rank is known.
Status inferBatch(InferenceContext &context, Dim count) {
  for (int i = 0; i < context.numOutputs(); ++i) {
    SymShape shape = componentShape(context, i);
    if (shape.rankKnown)
      shape.dims.insert(shape.dims.begin(), count);
    context.setOutputShape(i, std::move(shape));
  }
  return okStatus();
}

} // namespace

Status inferQueue(InferenceContext &context) {
  const bool isRef = context.def().givesRef();
  context.setOutputShape(0, isRef ? SymShape::of({Dim::known(2)})
                                  : SymShape::scalar());
  HandleInfo handle;
  const Node &node = context.node();
  auto types = node.attrOr<std::vector<DType>>("component_types", {});
  auto shapes = node.attrOr<std::vector<Shape>>("shapes", {});
  // The priorities, which no attribute names.
  if (context.def().name.starts_with("PriorityQueue") && !shapes.empty()) {
    types.insert(types.begin(), DType::Int64);
    shapes.insert(shapes.begin(), Shape());
  }
  // The run says what is wrong with other lengths.
  for (size_t i = 0; i < types.size() && shapes.size() == types.size(); ++i)
    handle.components.push_back({types[i], toSymShape(shapes[i])});
  context.setOutputHandle(0, std::move(handle));
  return okStatus();
}

Status inferQueueScalar(InferenceContext &context) {
  context.setOutputShape(0, SymShape::scalar());
  return okStatus();
}

Status inferQueueNone(InferenceContext &) { return okStatus(); }

Status inferAccumulator(InferenceContext &context) {
  context.setOutputShape(0, context.def().givesRef()
                                ? SymShape::of({Dim::known(2)})
                                : SymShape::scalar());
  return okStatus();
}

Status inferBarrier(InferenceContext &context) { return inferQueue(context); }

/// The number of an element, its key and components, so many of them.
Status inferTakenElements(InferenceContext &context) {
  const Dims *count = context.knownContents(1);
  const bool isKnown = count && count->size() == 1 &&
                       count->front().isKnown() && count->front().value >= 0 &&
                       !context.boolAttr("allow_small_batch");
  const Dim rows = isKnown ? count->front() : Dim::unknown();
  for (int i = 0; i < context.numOutputs(); ++i) {
    SymShape shape =
        i < 2 ? SymShape::scalar() : componentShape(context, i - 2);
    if (shape.rankKnown)
      shape.dims.insert(shape.dims.begin(), rows);
    context.setOutputShape(i, std::move(shape));
  }
  return okStatus();
}

/// The run finds out what has been added up.
Status inferTakenGradient(InferenceContext &context) {
  context.setOutputShape(0, SymShape::unknownRank());
  return okStatus();
}

Status inferTakenRows(InferenceContext &context) {
  context.setOutputShape(0, SymShape::unknownDims(1));
  context.setOutputShape(1, SymShape::unknownRank());
  context.setOutputShape(2, SymShape::unknownDims(1));
  return okStatus();
}

/// What lies in a staging area only a run knows.
Status inferUnstage(InferenceContext &context) {
  for (int i = 0; i < context.numOutputs(); ++i)
    context.setOutputShape(i, SymShape::unknownRank());
  return okStatus();
}

Status inferDequeue(InferenceContext &context) {
  for (int i = 0; i < context.numOutputs(); ++i)
    context.setOutputShape(i, componentShape(context, i));
  return okStatus();
}

Status inferDequeueMany(InferenceContext &context) {
  const Dims *count = context.knownContents(1);
  if (!count || count->size() != 1 || !count->front().isKnown())
    return inferBatch(context, Dim::unknown());
  if (count->front().value < 0)
    return context.error(
        strCat("Input 'n' must be >= 0, but is ", count->front().value));
  return inferBatch(context, count->front());
}

Status inferDequeueUpTo(InferenceContext &context) {
  return inferBatch(context, Dim::unknown());
}

} // namespace kiln::shapes
