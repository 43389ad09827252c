// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Wraps bodies as attempts that have ended when they have begun.
#include "lib/HostKernels/ImmediateOp.h"

#include "lib/Support/CallWithMemory.h"

namespace kiln {
namespace {

class ImmediateOp final : public BlockingOp {
public:
  ImmediateOp(const Node &node, const FileAccess &files, BoundHostOp op)
      : node(node), files(files), op(std::move(op)) {}

  std::unique_ptr<BlockingAttempt> makeAttempt() const override;
  std::string_view cancelledText() const override {
    return "The operation was cancelled";
  }

  Status run(std::span<const Tensor> inputs, std::span<Tensor> outputs,
             const KilnRunState *state) const {
    return callWithMemory(
        [&] { return op({node, inputs, outputs, files, state}); });
  }

private:
  const Node &node;
  const FileAccess &files;
  const BoundHostOp op;
};

class ImmediateAttempt final : public BlockingAttempt {
public:
  explicit ImmediateAttempt(const ImmediateOp &op) : op(op) {}

  StatusOr<bool> begin(std::span<Tensor> inputs, std::span<Tensor> outputs,
                       RunContext &run) override {
    Status status = op.run(inputs, outputs, run.state);
    return status.ok() ? StatusOr<bool>(true) : std::move(status);
  }
  bool hasEnded() const override { return true; }
  Status end(std::span<Tensor>) override { return okStatus(); }
  void abandon() override {}

private:
  const ImmediateOp &op;
};

std::unique_ptr<BlockingAttempt> ImmediateOp::makeAttempt() const {
  return std::make_unique<ImmediateAttempt>(*this);
}

} // namespace

std::unique_ptr<BlockingOp>
makeImmediateOp(const Node &node, const FileAccess &files, BoundHostOp op) {
  return std::make_unique<ImmediateOp>(node, files, std::move(op));
}

} // namespace kiln
