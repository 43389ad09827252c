// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Wraps functions on tensors.
#include "lib/Session/HostOps.h"

#include "lib/Session/HostKernels.h"
#include "lib/Support/Strings.h"

namespace kiln {
namespace {

class HostOp final : public BlockingOp {
public:
  HostOp(const Node &node, const FileAccess &files, BoundHostOp op)
      : node(node), files(files), op(std::move(op)) {}

  std::unique_ptr<BlockingAttempt> makeAttempt() const override;
  std::string_view cancelledText() const override {
    return "The operation was cancelled";
  }

  Status run(std::span<const Tensor> inputs, std::span<Tensor> outputs) const {
    return callWithMemory([&] { return op({node, inputs, outputs, files}); });
  }

private:
  const Node &node;
  const FileAccess &files;
  const BoundHostOp op;
};

class HostAttempt final : public BlockingAttempt {
public:
  explicit HostAttempt(const HostOp &op) : op(op) {}

  StatusOr<bool> begin(std::span<Tensor> inputs, std::span<Tensor> outputs,
                       RunContext &) override {
    Status status = op.run(inputs, outputs);
    return status.ok() ? StatusOr<bool>(true) : std::move(status);
  }
  bool hasEnded() const override { return true; }
  Status end(std::span<Tensor>) override { return okStatus(); }
  void abandon() override {}

private:
  const HostOp &op;
};

std::unique_ptr<BlockingAttempt> HostOp::makeAttempt() const {
  return std::make_unique<HostAttempt>(*this);
}

} // namespace

std::unique_ptr<BlockingOp>
makeHostOp(const Node &node, const FileAccess &files, BoundHostOp op) {
  return std::make_unique<HostOp>(node, files, std::move(op));
}

/// An op that lib/IO or lib/Sparse has.
static StatusOr<std::unique_ptr<BlockingOp>>
bindPlainOp(const Node &node, const BlockingSite &site) {
  for (std::span<const HostBody> bodies : {sparseOps(), ioOps()})
    for (const HostBody &body : bodies)
      if (body.opType == node.op())
        return makeHostOp(node, site.files, body.run);
  return internalError(strCat("expected an op's body, got ", node.op()));
}

void addPlainKernels(HostKernels &kernels) {
  for (std::span<const HostBody> bodies : {sparseOps(), ioOps()})
    for (const HostBody &body : bodies)
      kernels.addOwn(body.opType,
                     {bindPlainOp, body.effect,
                      body.effect == HostEffect::None ? body.run : nullptr});
}

} // namespace kiln
