// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the ops on barriers take from a run and give to it.
#include "kiln/Node.h"
#include "lib/HostKernels/HostKernels.h"
#include "lib/OpDefs/HandleSource.h"
#include "lib/Ops/Queue/Host.h"
#include "lib/Ops/Queue/HostQueueBatches.h"
#include "lib/Ops/Queue/HostQueueSpecs.h"
#include "lib/Support/CallWithMemory.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/abi/Container.h"
#include "runtime/resources/Barrier.h"
#include "runtime/resources/ResourceTable.h"

#include <optional>

namespace kiln {
namespace {

enum class Kind : uint8_t { Insert, Take, Close, Ready, Incomplete };

constexpr std::pair<std::string_view, Kind> kinds[] = {
    {"BarrierInsertMany", Kind::Insert},
    {"BarrierTakeMany", Kind::Take},
    {"BarrierClose", Kind::Close},
    {"BarrierReadySize", Kind::Ready},
    {"BarrierIncompleteSize", Kind::Incomplete}};

Kind kindOf(std::string_view op) {
  for (const auto &[name, kind] : kinds)
    if (name == op)
      return kind;
  return Kind::Ready;
}

/// The types of an element's components.
std::span<const DType> componentTypes(const Barrier &barrier) {
  return std::span<const DType>(barrier.spec().types)
      .subspan(Barrier::firstComponent);
}

StatusOr<std::shared_ptr<Barrier>> findBarrier(const Node &node,
                                               ResourceUser &resources) {
  auto types = node.attrOr<std::vector<DType>>("component_types", {});
  auto shapes = node.attrOr<std::vector<Shape>>("shapes", {});
  if (types.size() != shapes.size())
    return invalidArgumentError(
        "All of the component shapes must be specified");
  for (const Shape &shape : shapes)
    if (shape.hasRank() && !shape.isFullyDefined())
      return invalidArgumentError(
          strCat("Shape ", shape.toString(), " is not fully defined"));
  if (node.attrOr<int64_t>("capacity", -1) != -1)
    return invalidArgumentError(
        "Barrier only accepts capacity=-1.  Feed the inputs to your Barrier "
        "through a queue to enforce a limited capacity.");
  auto name = node.attrOr<std::string>("shared_name", "");
  ResourceKey key{ResourceKey::Kind::Barrier,
                  canonicalContainer(node.attrOr<std::string>("container", "")),
                  name};
  if (name.empty())
    name = node.name();
  KILN_ASSIGN_OR_RETURN(
      std::shared_ptr<Resource> found,
      resources.findOrCreate(std::move(key), node.name(), [&] {
        return std::make_shared<Barrier>(name, types, shapes);
      }));
  auto barrier = std::static_pointer_cast<Barrier>(std::move(found));
  if (!std::ranges::equal(componentTypes(*barrier), types))
    return invalidArgumentError(
        strCat("Shared barrier '", name, "' has component types ",
               typesText(componentTypes(*barrier)),
               " but requested component types were ", typesText(types)));
  return barrier;
}

/// An op on a barrier of a session.
class BarrierOp final : public BlockingOp {
public:
  BarrierOp(const Node &node, std::shared_ptr<Barrier> barrier)
      : node(node), kind(kindOf(node.op())), barrier(std::move(barrier)) {}

  std::unique_ptr<BlockingAttempt> makeAttempt() const override;
  std::string_view cancelledText() const override {
    return "Dequeue operation was cancelled";
  }
  /// Makes the attempt that the op is; none where it has been done at once,
  /// then `outputs` are set.
  StatusOr<std::optional<QueueAttempt>> start(std::span<Tensor> inputs,
                                              std::span<Tensor> outputs,
                                              RunContext &waiter) const;
  Barrier &on() const { return *barrier; }
  /// The op has the barrier's types.
  Status check() const;

private:
  Status insert(std::span<Tensor> inputs, RunContext &waiter) const;
  StatusOr<std::optional<QueueAttempt>> take(const Tensor &count,
                                             std::span<Tensor> outputs) const;

  const Node &node;
  const Kind kind;
  const std::shared_ptr<Barrier> barrier;
};

Status BarrierOp::check() const {
  const std::span<const DType> types = componentTypes(*barrier);
  if (kind == Kind::Insert) {
    const auto component = node.attrOr<int64_t>("component_index", 0);
    if (component < 0 || component >= static_cast<int64_t>(types.size()))
      return invalidArgumentError(
          strCat("The component ID is out of range ", component,
                 " > num_components (= ", types.size(), ")"));
    const auto type = node.attrOr<DType>("T", DType::Invalid),
               own = types[static_cast<size_t>(component)];
    if (type != own)
      return invalidArgumentError(strCat(
          "Signature mismatch, have: string_ref, string, ", dtypeTfName(type),
          "-> expected: string_ref, string, ", dtypeTfName(own), "->"));
  }
  if (kind != Kind::Take)
    return okStatus();
  if (node.attrOr<int64_t>("timeout_ms", -1) != -1)
    return invalidArgumentError("Timeout not supported yet.");
  const auto asked = node.attrOr<std::vector<DType>>("component_types", {});
  if (std::ranges::equal(asked, types))
    return okStatus();
  return invalidArgumentError(
      strCat("Signature mismatch, have: string_ref, int32->int64, string, ",
             typesText(asked), " expected: string_ref, int32->int64, string, ",
             typesText(types)));
}

Status BarrierOp::insert(std::span<Tensor> inputs, RunContext &waiter) const {
  const Tensor &keys = inputs[0], &values = inputs[1];
  const auto component =
      static_cast<size_t>(node.attrOr<int64_t>("component_index", 0));
  if (keys.rank() != 1)
    return invalidArgumentError(strCat("expected a vector of keys, got shape ",
                                       keys.shape().toString()));
  if (keys.numElements() > 0 && values.numElements() == 0)
    return invalidArgumentError(strCat(
        "Tensors with no elements are not supported ", barrier->spec().name,
        ": received shape ", values.shape().toString()));
  const Shape &own =
      barrier->spec().shapes[Barrier::firstComponent + component];
  if (keys.numElements() == 0)
    return barrier->insert({}, {}, component, waiter);
  const bool hasRows =
      values.rank() > 0 && values.dim(0) == keys.dim(0) &&
      own.isCompatibleWith(Shape(values.shape().dims().subspan(1)));
  if (!hasRows)
    return invalidArgumentError(strCat(
        "expected values of shape ", own.toString(), " for ",
        keys.numElements(), " keys, got shape ", values.shape().toString()));
  KILN_ASSIGN_OR_RETURN(std::vector<Tensor> rows, splitBatch({&values, 1}));
  return callWithMemory([&] {
    return barrier->insert(keys.data<String>(), std::move(rows), component,
                           waiter);
  });
}

StatusOr<std::optional<QueueAttempt>>
BarrierOp::take(const Tensor &count, std::span<Tensor> outputs) const {
  if (count.rank() != 0)
    return invalidArgumentError(
        strCat("expected num_elements to be a scalar, got shape ",
               count.shape().toString()));
  const int64_t asked = count.data<int32_t>()[0];
  if (asked < 0)
    return invalidArgumentError(
        strCat("expected num_elements >= 0, got ", asked));
  const bool takesFewer = node.attrOr<bool>("allow_small_batch", false);
  KILN_ASSIGN_OR_RETURN(int64_t wanted, barrier->numToTake(asked, takesFewer));
  if (wanted == 0) {
    KILN_RETURN_IF_ERROR(joinBatches(barrier->spec(), {}, outputs));
    return std::optional<QueueAttempt>();
  }
  return std::optional(takesFewer ? QueueAttempt::dequeueUpTo(wanted)
                                  : QueueAttempt::dequeue(wanted));
}

StatusOr<std::optional<QueueAttempt>>
BarrierOp::start(std::span<Tensor> inputs, std::span<Tensor> outputs,
                 RunContext &waiter) const {
  switch (kind) {
  case Kind::Insert:
    KILN_RETURN_IF_ERROR(insert(inputs, waiter));
    break;
  case Kind::Take:
    return take(inputs[0], outputs);
  case Kind::Close:
    KILN_RETURN_IF_ERROR(
        barrier->close(node.attrOr<bool>("cancel_pending_enqueues", false)));
    break;
  case Kind::Ready:
  case Kind::Incomplete: {
    const int64_t size =
        kind == Kind::Ready ? barrier->readySize() : barrier->incompleteSize();
    KILN_ASSIGN_OR_RETURN(
        outputs[0],
        Tensor::fromValues<int32_t>(Shape(), {static_cast<int32_t>(size)}));
    break;
  }
  }
  return std::optional<QueueAttempt>();
}

class BarrierOpAttempt final : public BlockingAttempt {
public:
  explicit BarrierOpAttempt(const BarrierOp &op)
      : op(op), queue(op.on().queue()) {}
  ~BarrierOpAttempt() override { abandon(); }

  StatusOr<bool> begin(std::span<Tensor> inputs, std::span<Tensor> outputs,
                       RunContext &waiter) override {
    KILN_ASSIGN_OR_RETURN(attempt, op.start(inputs, outputs, waiter));
    if (!attempt)
      return true;
    if (!queue.begin(*attempt, waiter))
      return false;
    KILN_RETURN_IF_ERROR(end(outputs));
    return true;
  }
  bool hasEnded() const override { return queue.hasEnded(*attempt); }
  Status end(std::span<Tensor> outputs) override {
    Status status = queue.outcome(*attempt);
    if (status.ok())
      status = joinBatches(queue.spec(), attempt->items, outputs);
    if (!status.ok()) {
      abandon();
      return status;
    }
    (void)queue.finish(*attempt);
    attempt.reset();
    return okStatus();
  }
  void abandon() override {
    if (attempt)
      queue.abandon(*attempt);
    attempt.reset();
  }

private:
  const BarrierOp &op;
  Queue &queue;
  std::optional<QueueAttempt> attempt; ///< the queue knows it while it waits
};

std::unique_ptr<BlockingAttempt> BarrierOp::makeAttempt() const {
  return std::make_unique<BarrierOpAttempt>(*this);
}

/// Makes the barrier on first use as the node that declares it says.
/// **Errors**: INVALID_ARGUMENT with TensorFlow's texts.
StatusOr<std::unique_ptr<BlockingOp>> bindBarrierOp(const Node &node,
                                                    const BlockingSite &site) {
  KILN_ASSIGN_OR_RETURN(const Node *declared, sourceOfHandle(site.handles[0]));
  if (!declared || declared->op() != "Barrier")
    return invalidArgumentError(strCat("expected input 0 (",
                                       quote(node.input(0).name()),
                                       ") to be a barrier of the graph"))
        .withNode(node.name());
  auto barrier = findBarrier(*declared, site.resources);
  if (!barrier.ok())
    return barrier.status().withNode(declared->name());
  auto op = std::make_unique<BarrierOp>(node, *std::move(barrier));
  KILN_RETURN_IF_ERROR(op->check().withNode(node.name()));
  return std::unique_ptr<BlockingOp>(std::move(op));
}

} // namespace

void addBarrierKernels(HostKernels &kernels) {
  for (const auto &[name, kind] : kinds)
    kernels.addOwn(name, {.effect = kind == Kind::Take ? HostEffect::Waits
                                                       : HostEffect::Apart,
                          .bindOp = bindBarrierOp});
}

} // namespace kiln
