// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attempts at queues: what they take from a run and give to it.
#include "kiln/Node.h"
#include "lib/HostKernels/HostKernels.h"
#include "lib/Ops/Queue/HostQueueBatches.h"
#include "lib/Ops/Queue/HostQueueSpecs.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/kernels/KernelRegistry.h"
#include "runtime/resources/ResourceTable.h"

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

template <class T> Status setScalar(Tensor &output, T value) {
  KILN_ASSIGN_OR_RETURN(output, Tensor::fromValues<T>(Shape(), {value}));
  return okStatus();
}

StatusOr<std::optional<QueueAttempt>>
startDequeueMany(const QueueOp &op, const Tensor &count,
                 std::span<Tensor> outputs) {
  const QueueSpec &spec = op.queue->spec();
  bool isUpTo = op.kind == Kind::DequeueUpTo;
  if (count.numElements() < 1)
    return invalidArgumentError("expected the number of elements, got none");
  int64_t wanted = count.data<int32_t>()[0];
  if (wanted < 0)
    return invalidArgumentError(
        strCat(isUpTo ? "DequeueUpToOp" : "DequeueManyOp", " requested ",
               wanted, " < 0 elements"));
  if (spec.shapes.empty())
    return invalidArgumentError(
        strCat(queueTypeName(spec.kind),
               spec.kind == QueueKind::Priority
                   ? "'s DequeueMany requires"
                   : "'s DequeueMany and DequeueUpTo require",
               " the components to have specified shapes."));
  if (wanted == 0) {
    KILN_RETURN_IF_ERROR(joinBatches(spec, {}, outputs));
    return std::optional<QueueAttempt>();
  }
  return std::optional(isUpTo ? QueueAttempt::dequeueUpTo(wanted)
                              : QueueAttempt::dequeue(wanted));
}

StatusOr<std::unique_ptr<BlockingOp>> bindQueueOp(const Node &node,
                                                  const BlockingSite &site) {
  auto op = std::make_unique<QueueOp>();
  op->kind = kindOf(node.op());
  op->cancelsPending = node.attrOr<bool>("cancel_pending_enqueues", false);
  KILN_ASSIGN_OR_RETURN(const Node *declared, declaringNode(site.handles[0]));
  if (!declared)
    return unimplementedError(strCat("expected input 0 (",
                                     quote(node.input(0).name()),
                                     ") to be a queue of the graph"))
        .withNode(node.name());
  auto queue = findQueue(*declared, site.resources);
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
    attempt = QueueAttempt::dequeueOne();
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

// Their errors have TensorFlow's texts: INVALID_ARGUMENT for attributes that do
// not fit the queue, a queue that is shared under other ones, and elements that
// are not the queue's; RESOURCE_EXHAUSTED.
void addQueueOpKernels(HostKernels &kernels) {
  for (const auto &[name, kind] : kinds) {
    const bool asks =
        kind == Kind::Close || kind == Kind::IsClosed || kind == Kind::Size;
    kernels.addOwn(name,
                   {.effect = asks ? HostEffect::Apart : HostEffect::Waits,
                    .bindOp = bindQueueOp},
                   {""}, {"", HostKernels::secondVersion});
  }
}

} // namespace kiln
