// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attempts at staging areas: what they take from a run and give to it.
#include "kiln/Node.h"
#include "lib/HostKernels/HostKernels.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/abi/Container.h"
#include "runtime/resources/ResourceTable.h"
#include "runtime/resources/StagingArea.h"

#include <algorithm>
#include <iterator>
#include <optional>

namespace kiln {
namespace {

enum class Kind : uint8_t { Put, Get, Peek, GetAny, Size, Pieces, Clear };

struct Row {
  std::string_view name;
  Kind kind;
  bool isMap = false;
};

/// By TensorFlow's names; those of maps come with Ordered in front, too.
constexpr Row rows[] = {{"Stage", Kind::Put},
                        {"Unstage", Kind::GetAny},
                        {"StagePeek", Kind::Peek},
                        {"StageSize", Kind::Size},
                        {"StageClear", Kind::Clear},
                        {"MapStage", Kind::Put, true},
                        {"MapUnstage", Kind::Get, true},
                        {"MapPeek", Kind::Peek, true},
                        {"MapUnstageNoKey", Kind::GetAny, true},
                        {"MapSize", Kind::Size, true},
                        {"MapIncompleteSize", Kind::Pieces, true},
                        {"MapClear", Kind::Clear, true}};

constexpr std::string_view ordered = "Ordered";

const Row *rowOf(std::string_view op) {
  const bool isOrdered = op.starts_with(ordered);
  if (isOrdered)
    op.remove_prefix(ordered.size());
  for (const Row &row : rows)
    if (row.name == op && (row.isMap || !isOrdered))
      return &row;
  return nullptr;
}

class StageOp final : public BlockingOp {
public:
  StageOp(const Node &node, const Row &row, std::shared_ptr<StagingArea> area)
      : node(node), row(row), area(std::move(area)),
        types(node.attrOr<std::vector<DType>>("dtypes", {})) {}

  std::unique_ptr<BlockingAttempt> makeAttempt() const override;
  std::string_view cancelledText() const override {
    return "Staging operation was cancelled";
  }

  /// Makes the attempt that the op is; none where it has been done at once,
  /// then `outputs` are set.
  StatusOr<std::optional<StageAttempt>> start(std::span<Tensor> inputs,
                                              std::span<Tensor> outputs) const;
  /// Gives what an attempt has got.
  Status give(StageAttempt &attempt, std::span<Tensor> outputs) const;
  StagingArea &stagingArea() const { return *area; }

private:
  /// For an op on a map, whose inputs are a key, if it has one, and places.
  Status readKey(std::span<Tensor> inputs, StageAttempt &attempt) const;
  StatusOr<StageAttempt> put(std::span<Tensor> inputs) const;

  const Node &node;
  const Row &row;
  const std::shared_ptr<StagingArea> area;
  const std::vector<DType> types;
};

Status StageOp::readKey(std::span<Tensor> inputs, StageAttempt &attempt) const {
  const Tensor &places = inputs[row.kind == Kind::GetAny ? 0 : 1];
  attempt.hasKey = true;
  if (row.kind != Kind::GetAny) {
    const Tensor &key = inputs[0];
    if (key.numElements() == 0)
      return invalidArgumentError("key must not be empty");
    if (key.numElements() != 1)
      return invalidArgumentError(
          strCat("key must be an int64 scalar, got tensor with shape: ",
                 key.shape().toString()));
    attempt.key = key.data<int64_t>()[0];
  }
  for (int32_t place : places.data<int32_t>())
    attempt.places.push_back(place);
  if (attempt.places.empty())
    return invalidArgumentError("Indices are empty");
  if (!std::is_sorted(attempt.places.begin(), attempt.places.end(),
                      std::less_equal<>()))
    return invalidArgumentError("Indices are not strictly ordered");
  return okStatus();
}

StatusOr<StageAttempt> StageOp::put(std::span<Tensor> inputs) const {
  StageAttempt attempt(StageAttempt::Kind::Put);
  attempt.numComponents = types.size();
  if (row.isMap) {
    KILN_RETURN_IF_ERROR(readKey(inputs, attempt));
    inputs = inputs.subspan(2);
    // Others are no component's.
    if (inputs.size() > attempt.places.size())
      inputs = inputs.first(attempt.places.size());
    if (inputs.size() < attempt.places.size())
      return invalidArgumentError(strCat("expected a value for each of ",
                                         attempt.places.size(),
                                         " indices, got ", inputs.size()));
  }
  attempt.items = {std::make_move_iterator(inputs.begin()),
                   std::make_move_iterator(inputs.end())};
  return attempt;
}

StatusOr<std::optional<StageAttempt>>
StageOp::start(std::span<Tensor> inputs, std::span<Tensor> outputs) const {
  using Attempt = StageAttempt::Kind;
  switch (row.kind) {
  case Kind::Put: {
    KILN_ASSIGN_OR_RETURN(StageAttempt attempt, put(inputs));
    return std::optional(std::move(attempt));
  }
  case Kind::Get:
  case Kind::Peek:
  case Kind::GetAny: {
    std::optional<StageAttempt> attempt(row.kind == Kind::Get ? Attempt::Take
                                        : row.kind == Kind::GetAny
                                            ? Attempt::TakeFirst
                                        : row.isMap ? Attempt::Look
                                                    : Attempt::LookAt);
    if (row.isMap) {
      KILN_RETURN_IF_ERROR(readKey(inputs, *attempt));
    } else if (row.kind == Kind::Peek) {
      if (inputs[0].rank() != 0)
        return invalidArgumentError("index must be scalar");
      attempt->key = inputs[0].data<int32_t>()[0];
    }
    return attempt;
  }
  case Kind::Size:
  case Kind::Pieces: {
    int64_t size =
        row.kind == Kind::Size ? area->size() : area->incompleteSize();
    KILN_ASSIGN_OR_RETURN(
        outputs[0],
        Tensor::fromValues<int32_t>(Shape(), {static_cast<int32_t>(size)}));
    break;
  }
  case Kind::Clear:
    area->clear();
    break;
  }
  return std::optional<StageAttempt>();
}

Status StageOp::give(StageAttempt &attempt, std::span<Tensor> outputs) const {
  if (row.kind == Kind::Put)
    return okStatus();
  if (row.isMap && row.kind == Kind::GetAny) {
    KILN_ASSIGN_OR_RETURN(outputs[0],
                          Tensor::fromValues<int64_t>(Shape(), {attempt.key}));
    outputs = outputs.subspan(1);
  }
  const std::vector<Tensor> &items = attempt.items;
  if (!row.isMap && items.size() != outputs.size())
    return invalidArgumentError(strCat("Mismatch stage/unstage: ", items.size(),
                                       " vs. ", outputs.size()));
  if (items.size() < outputs.size())
    return internalError(
        strCat("Missing ", items.size(), "-th output from ", node.name()));
  for (size_t i = 0; i < outputs.size(); ++i)
    if (items[i].dtype() != types[i])
      return internalError(
          strCat("Output ", i, " of type ", dtypeTfName(items[i].dtype()),
                 " does not match declared output type ", dtypeTfName(types[i]),
                 " for node ", node.name()));
  for (size_t i = 0; i < outputs.size(); ++i)
    outputs[i] = std::move(attempt.items[i]);
  return okStatus();
}

class StageOpAttempt final : public BlockingAttempt {
public:
  explicit StageOpAttempt(const StageOp &op) : op(op) {}
  ~StageOpAttempt() override { abandon(); }

  StatusOr<bool> begin(std::span<Tensor> inputs, std::span<Tensor> outputs,
                       RunContext &waiter) override {
    KILN_ASSIGN_OR_RETURN(attempt, op.start(inputs, outputs));
    if (!attempt)
      return true;
    if (!op.stagingArea().begin(*attempt, waiter))
      return false;
    KILN_RETURN_IF_ERROR(end(outputs));
    return true;
  }
  bool hasEnded() const override { return op.stagingArea().hasEnded(*attempt); }
  Status end(std::span<Tensor> outputs) override {
    Status status = op.stagingArea().finish(*attempt);
    // A tuple that does not fit is gone, as it is in TensorFlow.
    if (status.ok())
      status = op.give(*attempt, outputs);
    attempt.reset();
    return status;
  }
  void abandon() override {
    if (attempt)
      op.stagingArea().abandon(*attempt);
    attempt.reset();
  }

private:
  const StageOp &op;
  std::optional<StageAttempt> attempt; ///< an area knows it while it waits
};

std::unique_ptr<BlockingAttempt> StageOp::makeAttempt() const {
  return std::make_unique<StageOpAttempt>(*this);
}

} // namespace

/// Makes the area on first use. The op's errors have TensorFlow's texts:
/// INVALID_ARGUMENT for keys and places that are none, INTERNAL for a tuple
/// that is not what the node says.
static StatusOr<std::unique_ptr<BlockingOp>>
bindStageOp(const Node &node, const BlockingSite &site) {
  const Row *row = rowOf(node.op());
  // Areas and maps, ordered ones and others, are of three types.
  auto name = node.attrOr<std::string>("shared_name", "");
  ResourceKey key{ResourceKey::Kind::StagingArea,
                  canonicalContainer(node.attrOr<std::string>("container", "")),
                  strCat(!row->isMap                      ? "area "
                         : node.op().starts_with(ordered) ? "ordered map "
                                                          : "map ",
                         name.empty() ? node.name() : name)};
  KILN_ASSIGN_OR_RETURN(
      std::shared_ptr<Resource> area,
      site.resources.findOrCreate(std::move(key), node.name(), [&] {
        return std::make_shared<StagingArea>(
            node.attrOr<int64_t>("capacity", 0),
            node.attrOr<int64_t>("memory_limit", 0));
      }));
  return std::unique_ptr<BlockingOp>(std::make_unique<StageOp>(
      node, *row, std::static_pointer_cast<StagingArea>(std::move(area))));
}

void addStagingKernels(HostKernels &kernels) {
  for (const Row &row : rows) {
    const bool asks = row.kind == Kind::Size || row.kind == Kind::Clear ||
                      row.kind == Kind::Pieces;
    kernels.addOwn(row.name,
                   {.effect = asks ? HostEffect::Apart : HostEffect::Waits,
                    .bindOp = bindStageOp},
                   {"", ordered});
  }
}

} // namespace kiln
