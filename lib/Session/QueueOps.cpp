// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks tuples against their queue, cuts batches into elements and joins
// elements into batches.
#include "lib/Session/QueueOps.h"

#include "kiln/Node.h"
#include "lib/Ops/Contents.h"
#include "lib/Support/Container.h"
#include "lib/Support/DataMemory.h"
#include "lib/Support/Elements.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/KernelRegistry.h"
#include "runtime/ResourceTable.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

namespace kiln {
namespace {

enum class Kind : uint8_t {
  Enqueue,
  EnqueueMany,
  Dequeue,
  DequeueMany,
  DequeueUpTo,
  Close,
  IsClosed,
  Size,
};

/// By TensorFlow's names, which all come as V2, too.
constexpr std::pair<std::string_view, Kind> kinds[] = {
    {"QueueEnqueue", Kind::Enqueue},
    {"QueueEnqueueMany", Kind::EnqueueMany},
    {"QueueDequeue", Kind::Dequeue},
    {"QueueDequeueMany", Kind::DequeueMany},
    {"QueueDequeueUpTo", Kind::DequeueUpTo},
    {"QueueClose", Kind::Close},
    {"QueueIsClosed", Kind::IsClosed},
    {"QueueSize", Kind::Size}};

/// An op on a queue of a session.
class QueueOp final : public BlockingOp {
public:
  std::unique_ptr<BlockingAttempt> makeAttempt() const override;
  std::string_view cancelledText() const override {
    return takes() ? "Dequeue operation was cancelled"
                   : "Enqueue operation was cancelled";
  }
  bool takes() const {
    return kind == Kind::Dequeue || kind == Kind::DequeueMany ||
           kind == Kind::DequeueUpTo;
  }
  bool puts() const {
    return kind == Kind::Enqueue || kind == Kind::EnqueueMany;
  }

  Kind kind = Kind::Size;
  bool cancelsPending = false; ///< of Close
  std::shared_ptr<Queue> queue;
};

std::string typesText(std::span<const DType> types) {
  std::string text;
  for (DType type : types)
    text += strCat(text.empty() ? "" : ", ", dtypeTfName(type));
  return text;
}

std::string shapesText(std::span<const Shape> shapes) {
  std::string text;
  for (const Shape &shape : shapes)
    text += strCat(text.empty() ? "" : ", ", shape.toString());
  return strCat("[", text, "]");
}

StatusOr<QueueSpec> readSpec(const Node &node) {
  QueueSpec spec;
  spec.name = node.attrOr<std::string>("shared_name", "");
  spec.capacity = node.attrOr<int64_t>("capacity", -1);
  spec.types = node.attrOr<std::vector<DType>>("component_types", {});
  spec.shapes = node.attrOr<std::vector<Shape>>("shapes", {});
  if (spec.name.starts_with("_"))
    return invalidArgumentError(
        strCat("shared_name cannot start with '_':", spec.name));
  if (spec.types.empty())
    return invalidArgumentError("expected a queue of at least one component");
  if (!spec.shapes.empty() && spec.shapes.size() != spec.types.size())
    return invalidArgumentError(strCat(
        "Different number of component types.  Types: ", typesText(spec.types),
        ", Shapes: ", shapesText(spec.shapes)));
  for (const Shape &shape : spec.shapes)
    if (!shape.isFullyDefined())
      return invalidArgumentError(
          strCat("Shape ", shape.toString(), " is not fully defined"));
  return spec;
}

/// Two nodes that share a queue must have made it alike.
Status checkShared(const Queue &queue, const QueueSpec &spec) {
  const QueueSpec &known = queue.spec();
  auto differ = [&](std::string_view what, const auto &has, const auto &got) {
    return invalidArgumentError(strCat("Shared queue '", known.name, "' has ",
                                       what, " ", has, " but requested ", what,
                                       got));
  };
  if (known.capacity != spec.capacity)
    return differ("capacity", known.capacity, strCat(" was ", spec.capacity));
  if (known.types != spec.types)
    return differ("component types", typesText(known.types),
                  strCat(" were ", typesText(spec.types)));
  if (known.shapes != spec.shapes)
    return differ("component shapes", shapesText(known.shapes),
                  strCat(" were ", shapesText(spec.shapes)));
  return okStatus();
}

/// The handle that FIFOQueue.from_list picks at a constant place of a list;
/// null for other picks. **Errors**: INVALID_ARGUMENT for a place that the list
/// does not have, with the text of TensorFlow's Gather.
StatusOr<const Node *> pickedHandle(const Node &gather) {
  const Node &list = *gather.input(0).node;
  const Tensor *value = singleElement(*gather.input(1).node);
  if (list.op() != "Pack" || !value)
    return nullptr;
  int64_t index = value->dtype() == DType::Int32 ? value->data<int32_t>()[0]
                                                 : value->data<int64_t>()[0];
  if (index < 0 || index >= list.numInputs())
    return invalidArgumentError(strCat("indices = ", index, " is not in [0, ",
                                       list.numInputs(), ")"))
        .withNode(gather.name());
  return list.input(static_cast<int>(index)).node;
}

bool isQueue(const Node &node) {
  return node.op() == "FIFOQueueV2" || node.op() == "FIFOQueue";
}

/// The queue's own node; null when the handle comes from elsewhere.
StatusOr<const Node *> declaringNode(const Node &user) {
  const Node *node = user.input(0).node;
  while (node && node->numInputs() > 0) {
    if (node->op() == "GatherV2") {
      KILN_ASSIGN_OR_RETURN(node, pickedHandle(*node));
    } else if (node->numInputs() == 1 || node->op() == "Switch" ||
               node->op() == "RefSwitch") {
      node = node->input(0).node;
    } else {
      node = nullptr;
    }
  }
  return node && isQueue(*node) ? node : nullptr;
}

StatusOr<std::shared_ptr<Queue>> findQueue(const Node &node,
                                           ResourceUser &resources) {
  KILN_ASSIGN_OR_RETURN(QueueSpec spec, readSpec(node));
  ResourceKey key{ResourceKey::Kind::Queue,
                  canonicalContainer(node.attrOr<std::string>("container", "")),
                  spec.name.empty() ? node.name() : spec.name};
  KILN_ASSIGN_OR_RETURN(std::shared_ptr<Queue> queue,
                        resources.findOrCreateQueue(key, spec));
  if (!spec.name.empty())
    KILN_RETURN_IF_ERROR(checkShared(*queue, spec));
  return queue;
}

/// The kind of an op type that is one of theirs.
Kind kindOf(std::string_view name) {
  if (name.ends_with("V2"))
    name.remove_suffix(2);
  return std::find_if(std::begin(kinds), std::end(kinds),
                      [&](const auto &row) { return row.first == name; })
      ->second;
}

/// An op's tuple has the queue's types.
Status checkSignature(const Node &node, const QueueOp &op) {
  bool puts = op.puts();
  if (!puts && !op.takes())
    return okStatus();
  if (node.attrOr<int64_t>("timeout_ms", -1) != -1)
    return invalidArgumentError("Timeout not supported yet.");
  auto types = node.attrOr<std::vector<DType>>(
      puts ? "Tcomponents" : "component_types", {});
  if (types == op.queue->spec().types)
    return okStatus();
  std::string before = op.kind == Kind::Dequeue || puts ? "" : ", int32";
  auto text = [&](std::span<const DType> list) {
    return puts ? strCat("resource, ", typesText(list), "->")
                : strCat("resource", before, "->", typesText(list));
  };
  return invalidArgumentError(
      strCat("Signature mismatch, have: ", text(types),
             " expected: ", text(op.queue->spec().types)));
}

Shape withBatch(int64_t count, const Shape &shape) {
  Shape batch;
  batch.appendDim(count);
  for (int64_t dim : shape.dims())
    batch.appendDim(dim);
  return batch;
}

Status shapeMismatch(size_t component, const Shape &expected,
                     const Shape &got) {
  return invalidArgumentError(
      strCat("Shape mismatch in tuple component ", component, ". Expected ",
             expected.toString(), ", got ", got.toString()));
}

Status checkElement(const QueueSpec &spec, std::span<const Tensor> tuple) {
  for (size_t i = 0; i < spec.shapes.size(); ++i)
    if (!(tuple[i].shape() == spec.shapes[i]))
      return shapeMismatch(i, spec.shapes[i], tuple[i].shape());
  return okStatus();
}

Status checkBatch(const QueueSpec &spec, std::span<const Tensor> tuple) {
  for (size_t i = 0; i < tuple.size(); ++i) {
    const Shape &shape = tuple[i].shape();
    if (shape.rank() == 0)
      return invalidArgumentError(
          strCat("Shape mismatch in tuple component ", i,
                 ". Expected a batch of elements, got []"));
    int64_t count = tuple[0].shape().dim(0);
    if (!spec.shapes.empty() && !(shape == withBatch(count, spec.shapes[i])))
      return shapeMismatch(i, withBatch(count, spec.shapes[i]), shape);
    if (shape.dim(0) != count)
      return invalidArgumentError(strCat(
          "All input tensors must have the same size in the 0th dimension. "
          "Component ",
          i, " has ", shape.dim(0), ", and should have ", count));
  }
  return okStatus();
}

StatusOr<std::vector<Tensor>> splitBatch(std::span<const Tensor> tuple) {
  std::vector<Tensor> items;
  uint64_t failedBytes = 0;
  if (!reserveData(items, static_cast<size_t>(tuple[0].dim(0)) * tuple.size(),
                   failedBytes))
    return outOfMemory("the list of a batch's elements", failedBytes);
  for (int64_t element = 0; element < tuple[0].dim(0); ++element)
    for (const Tensor &batch : tuple) {
      Shape shape(batch.shape().dims().subspan(1));
      KILN_ASSIGN_OR_RETURN(Tensor item, Tensor::create(batch.dtype(), shape));
      copyElements(item, 0, batch, element * item.numElements(),
                   item.numElements());
      items.push_back(std::move(item));
    }
  return items;
}

/// Component `component` of elements, one behind the other.
StatusOr<Tensor> joinBatch(const QueueSpec &spec, size_t component,
                           std::span<const Tensor> items) {
  size_t step = spec.types.size(), count = items.size() / step;
  KILN_ASSIGN_OR_RETURN(Tensor batch,
                        Tensor::create(spec.types[component],
                                       withBatch(static_cast<int64_t>(count),
                                                 spec.shapes[component])));
  for (size_t i = 0; i < count; ++i) {
    const Tensor &item = items[i * step + component];
    copyElements(batch, static_cast<int64_t>(i) * item.numElements(), item, 0,
                 item.numElements());
  }
  return batch;
}

Status joinBatches(const QueueSpec &spec, std::span<const Tensor> items,
                   std::span<Tensor> outputs) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    KILN_ASSIGN_OR_RETURN(outputs[i], joinBatch(spec, i, items));
  }
  return okStatus();
}

template <class T> Status setScalar(Tensor &output, T value) {
  KILN_ASSIGN_OR_RETURN(output, Tensor::fromValues<T>(Shape(), {value}));
  return okStatus();
}

StatusOr<std::optional<QueueAttempt>>
startDequeueMany(const QueueOp &op, const Tensor &count,
                 std::span<Tensor> outputs) {
  bool isUpTo = op.kind == Kind::DequeueUpTo;
  if (count.numElements() < 1)
    return invalidArgumentError("expected the number of elements, got none");
  int64_t wanted = count.data<int32_t>()[0];
  if (wanted < 0)
    return invalidArgumentError(
        strCat(isUpTo ? "DequeueUpToOp" : "DequeueManyOp", " requested ",
               wanted, " < 0 elements"));
  if (op.queue->spec().shapes.empty())
    return invalidArgumentError(
        "FIFOQueue's DequeueMany and DequeueUpTo require the components to "
        "have specified shapes.");
  if (wanted == 0) {
    KILN_RETURN_IF_ERROR(joinBatches(op.queue->spec(), {}, outputs));
    return std::optional<QueueAttempt>();
  }
  return std::optional(isUpTo ? QueueAttempt::dequeueUpTo(wanted)
                              : QueueAttempt::dequeue(wanted));
}

StatusOr<std::unique_ptr<BlockingOp>> bindQueueOp(const Node &node,
                                                  ResourceUser &resources) {
  auto op = std::make_unique<QueueOp>();
  op->kind = kindOf(node.op());
  op->cancelsPending = node.attrOr<bool>("cancel_pending_enqueues", false);
  KILN_ASSIGN_OR_RETURN(const Node *declared, declaringNode(node));
  if (!declared)
    return unimplementedError(strCat("expected input 0 (",
                                     quote(node.input(0).name()),
                                     ") to be a FIFOQueue of the graph"))
        .withNode(node.name());
  auto queue = findQueue(*declared, resources);
  if (!queue.ok())
    return queue.status().withNode(declared->name());
  op->queue = *std::move(queue);
  KILN_RETURN_IF_ERROR(checkSignature(node, *op).withNode(node.name()));
  return std::unique_ptr<BlockingOp>(std::move(op));
}

/// Makes the attempt that the op is; none where it has been done at once, then
/// `outputs` are set.
StatusOr<std::optional<QueueAttempt>> startQueueOp(const QueueOp &op,
                                                   std::span<Tensor> inputs,
                                                   std::span<Tensor> outputs) {
  const QueueSpec &spec = op.queue->spec();
  std::optional<QueueAttempt> attempt;
  switch (op.kind) {
  case Kind::Enqueue:
    KILN_RETURN_IF_ERROR(checkElement(spec, inputs));
    attempt = QueueAttempt::enqueue({std::make_move_iterator(inputs.begin()),
                                     std::make_move_iterator(inputs.end())});
    break;
  case Kind::EnqueueMany: {
    KILN_RETURN_IF_ERROR(checkBatch(spec, inputs));
    KILN_ASSIGN_OR_RETURN(std::vector<Tensor> items, splitBatch(inputs));
    // None go in anywhere, even if the queue is closed.
    if (!items.empty())
      attempt = QueueAttempt::enqueue(std::move(items));
    break;
  }
  case Kind::Dequeue:
    attempt = QueueAttempt::dequeue(1);
    break;
  case Kind::DequeueMany:
  case Kind::DequeueUpTo:
    return startDequeueMany(op, inputs[0], outputs);
  case Kind::Close:
    if (op.cancelsPending)
      op.queue->closeAndCancel();
    else
      attempt = QueueAttempt::close();
    break;
  case Kind::IsClosed:
    KILN_RETURN_IF_ERROR(setScalar(outputs[0], op.queue->isClosed()));
    break;
  case Kind::Size:
    KILN_RETURN_IF_ERROR(
        setScalar(outputs[0], static_cast<int32_t>(op.queue->size())));
    break;
  }
  return attempt;
}

/// Takes from an attempt that has ended well what it gives.
Status finishQueueOp(const QueueOp &op, QueueAttempt &attempt,
                     std::span<Tensor> outputs) {
  if (op.kind == Kind::Dequeue)
    std::move(attempt.items.begin(), attempt.items.end(), outputs.begin());
  else if (op.takes())
    return joinBatches(op.queue->spec(), attempt.items, outputs);
  return okStatus();
}

class QueueOpAttempt final : public BlockingAttempt {
public:
  explicit QueueOpAttempt(const QueueOp &op) : op(op) {}
  ~QueueOpAttempt() override { abandon(); }

  StatusOr<bool> begin(std::span<Tensor> inputs, std::span<Tensor> outputs,
                       RunContext &waiter) override {
    KILN_ASSIGN_OR_RETURN(attempt, startQueueOp(op, inputs, outputs));
    if (!attempt)
      return true;
    if (!op.queue->begin(*attempt, waiter))
      return false;
    KILN_RETURN_IF_ERROR(end(outputs));
    return true;
  }
  bool hasEnded() const override { return op.queue->hasEnded(*attempt); }
  Status end(std::span<Tensor> outputs) override {
    Status status = op.queue->outcome(*attempt);
    if (status.ok())
      status = finishQueueOp(op, *attempt, outputs);
    if (!status.ok()) {
      // What a run has no memory for is not lost.
      abandon();
      return status;
    }
    (void)op.queue->finish(*attempt);
    attempt.reset();
    return okStatus();
  }
  void abandon() override {
    if (!attempt)
      return;
    op.queue->abandon(*attempt);
    attempt.reset();
  }

private:
  const QueueOp &op;
  std::optional<QueueAttempt> attempt; ///< a queue knows it while it waits
};

std::unique_ptr<BlockingAttempt> QueueOp::makeAttempt() const {
  return std::make_unique<QueueOpAttempt>(*this);
}

} // namespace

Status makeQueues(const PrunedGraph &graph, ResourceUser &resources) {
  for (const Node *node : graph.nodes)
    if (isQueue(*node))
      KILN_RETURN_IF_ERROR(
          findQueue(*node, resources).status().withNode(node->name()));
  return okStatus();
}

void registerQueueKernels() {
  static const bool isDone = [] {
    for (const auto &row : kinds)
      for (std::string_view suffix : {"", "V2"}) {
        Status added = KernelRegistry::process().addBlocking(
            strCat(row.first, suffix), bindQueueOp);
        assert(added.ok() && "an op type has one blocking kernel");
        (void)added;
      }
    return true;
  }();
  (void)isDone;
}

} // namespace kiln
