// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the ops on accumulators take from a run and give to it.
#include "kiln/Node.h"
#include "lib/HostKernels/HostKernels.h"
#include "lib/HostKernels/ImmediateOp.h"
#include "lib/OpDefs/HandleSource.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/abi/Container.h"
#include "runtime/resources/Accumulator.h"
#include "runtime/resources/ResourceTable.h"

#include <iterator>
#include <optional>

namespace kiln {
namespace {

enum class Kind : uint8_t { Apply, Take, Count, SetStep };

struct Row {
  std::string_view name;
  Kind kind;
  bool isSparse = false;
};

/// By TensorFlow's names; those of dense ones come with Resource in front, too.
constexpr Row rows[] = {{"AccumulatorApplyGradient", Kind::Apply},
                        {"AccumulatorNumAccumulated", Kind::Count},
                        {"AccumulatorSetGlobalStep", Kind::SetStep},
                        {"AccumulatorTakeGradient", Kind::Take},
                        {"SparseAccumulatorApplyGradient", Kind::Apply, true},
                        {"SparseAccumulatorTakeGradient", Kind::Take, true}};

constexpr std::string_view resource = "Resource";

std::string_view plainName(std::string_view op) {
  if (op.starts_with(resource))
    op.remove_prefix(resource.size());
  return op;
}

const Row *rowOf(std::string_view op) {
  for (const Row &row : rows)
    if (row.name == plainName(op))
      return &row;
  return nullptr;
}

StatusOr<std::shared_ptr<Accumulator>>
findAccumulator(const Node &node, ResourceUser &resources) {
  auto name = node.attrOr<std::string>("shared_name", "");
  ResourceKey key{ResourceKey::Kind::Accumulator,
                  canonicalContainer(node.attrOr<std::string>("container", "")),
                  name.empty() ? node.name() : name};
  KILN_ASSIGN_OR_RETURN(
      std::shared_ptr<Resource> found,
      resources.findOrCreate(std::move(key), node.name(), [&] {
        return std::make_shared<Accumulator>(AccumulatorSpec{
            .dtype = node.attrOr<DType>("dtype", DType::Invalid),
            .shape = node.attrOr<Shape>("shape", Shape::unknownRank()),
            .isMean =
                node.attrOr<std::string>("reduction_type", "MEAN") != "SUM",
            .isSparse = node.op() == "SparseConditionalAccumulator"});
      }));
  return std::static_pointer_cast<Accumulator>(std::move(found));
}

/// An op's gradient has the accumulator's type, and is as sparse as it.
Status checkSignature(const Node &node, const Row &row,
                      const AccumulatorSpec &spec) {
  if (row.kind != Kind::Apply && row.kind != Kind::Take)
    return okStatus();
  const auto dtype = node.attrOr<DType>("dtype", DType::Invalid);
  if (dtype == spec.dtype && row.isSparse == spec.isSparse)
    return okStatus();
  const std::string_view handle =
      node.op().starts_with(resource) ? "resource" : "string_ref";
  auto text = [&](bool isSparse, DType of) {
    const std::string_view type = dtypeTfName(of);
    if (row.kind == Kind::Apply)
      return isSparse ? strCat(handle, ", int64, int64, ", type, ", int64->")
                      : strCat(handle, ", int64, ", type, "->");
    return isSparse ? strCat(handle, ", int32->int64, ", type, ", int64")
                    : strCat(handle, ", int32->", type);
  };
  return invalidArgumentError(
      strCat("Signature mismatch, have: ", text(row.isSparse, dtype),
             " expected: ", text(spec.isSparse, spec.dtype)));
}

Status checkScalar(std::string_view name, const Tensor &value) {
  return value.rank() == 0
             ? okStatus()
             : invalidArgumentError(strCat("Argument ", name,
                                           " must be scalar, but had bad "
                                           "shape ",
                                           value.shape().toString()));
}

Status runAtOnce(Accumulator &accumulator, const Row &row,
                 const HostCall &call) {
  if (row.kind == Kind::Count) {
    KILN_ASSIGN_OR_RETURN(
        call.outputs[0],
        Tensor::fromValues<int32_t>(
            Shape(), {static_cast<int32_t>(accumulator.count())}));
    return okStatus();
  }
  const Tensor &step = call.inputs[0];
  if (row.kind == Kind::SetStep) {
    KILN_RETURN_IF_ERROR(checkScalar("new_global_step", step));
    accumulator.setGlobalStep(step.data<int64_t>()[0]);
    return okStatus();
  }
  KILN_RETURN_IF_ERROR(checkScalar("local_step", step));
  const int64_t at = step.data<int64_t>()[0];
  if (!row.isSparse)
    return accumulator.apply(at, call.inputs[1]);
  const bool hasShape = call.node.attrOr<bool>("has_known_shape", true);
  return accumulator.applyRows(at, call.inputs[1], call.inputs[2],
                               hasShape ? call.inputs[3] : Tensor());
}

class TakeOp final : public BlockingOp {
public:
  explicit TakeOp(std::shared_ptr<Accumulator> accumulator)
      : accumulator(std::move(accumulator)) {}

  std::unique_ptr<BlockingAttempt> makeAttempt() const override;
  std::string_view cancelledText() const override {
    return "TakeGrad operation was cancelled";
  }

  const std::shared_ptr<Accumulator> accumulator;
};

class TakeOpAttempt final : public BlockingAttempt {
public:
  explicit TakeOpAttempt(Accumulator &accumulator) : accumulator(accumulator) {}
  ~TakeOpAttempt() override { abandon(); }

  StatusOr<bool> begin(std::span<Tensor> inputs, std::span<Tensor> outputs,
                       RunContext &waiter) override {
    KILN_RETURN_IF_ERROR(checkScalar("num_required", inputs[0]));
    const int64_t required = inputs[0].data<int32_t>()[0];
    if (required <= 0)
      return invalidArgumentError(
          strCat("Argument num_required must be positive, but was ", required));
    attempt.emplace(required);
    if (!accumulator.begin(*attempt, waiter))
      return false;
    KILN_RETURN_IF_ERROR(end(outputs));
    return true;
  }
  bool hasEnded() const override { return accumulator.hasEnded(*attempt); }
  Status end(std::span<Tensor> outputs) override {
    Status status = accumulator.finish(*attempt);
    if (status.ok())
      std::move(attempt->items.begin(), attempt->items.end(), outputs.begin());
    attempt.reset();
    return status;
  }
  void abandon() override {
    if (attempt)
      accumulator.abandon(*attempt);
    attempt.reset();
  }

private:
  Accumulator &accumulator;
  std::optional<TakeAttempt> attempt; ///< is known there while it waits
};

std::unique_ptr<BlockingAttempt> TakeOp::makeAttempt() const {
  return std::make_unique<TakeOpAttempt>(*accumulator);
}

} // namespace

/// Makes the accumulator on first use as the node that declares it says.
/// **Errors**: INVALID_ARGUMENT with TensorFlow's texts, UNIMPLEMENTED for an
/// accumulator that a run picks.
static StatusOr<std::unique_ptr<BlockingOp>>
bindAccumulatorOp(const Node &node, const BlockingSite &site) {
  const Row *row = rowOf(node.op());
  KILN_ASSIGN_OR_RETURN(const Node *declared, sourceOfHandle(site.handles[0]));
  if (!declared ||
      !plainName(declared->op()).ends_with("ConditionalAccumulator"))
    return unimplementedError(strCat("expected input 0 (",
                                     quote(node.input(0).name()),
                                     ") to be an accumulator of the graph"))
        .withNode(node.name());
  auto found = findAccumulator(*declared, site.resources);
  if (!found.ok())
    return found.status().withNode(declared->name());
  std::shared_ptr<Accumulator> accumulator = *std::move(found);
  KILN_RETURN_IF_ERROR(
      checkSignature(node, *row, accumulator->spec()).withNode(node.name()));
  if (row->kind == Kind::Take)
    return std::unique_ptr<BlockingOp>(
        std::make_unique<TakeOp>(std::move(accumulator)));
  return makeImmediateOp(
      node, site.files,
      [row, accumulator = std::move(accumulator)](const HostCall &call) {
        return runAtOnce(*accumulator, *row, call);
      });
}

void addAccumulatorKernels(HostKernels &kernels) {
  for (const Row &row : rows)
    kernels.addOwn(row.name,
                   {.effect = row.kind == Kind::Take ? HostEffect::Waits
                                                     : HostEffect::Apart,
                    .bindOp = bindAccumulatorOp},
                   {"", resource});
}

} // namespace kiln
