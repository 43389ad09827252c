// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the ops on the mutexes of critical sections take from a run and give to
// it.
#include "kiln/Node.h"
#include "lib/HostKernels/HostKernels.h"
#include "lib/OpDefs/HandleSource.h"
#include "lib/Ops/Queue/Host.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/abi/Container.h"
#include "runtime/resources/Mutex.h"
#include "runtime/resources/ResourceTable.h"

#include <optional>

namespace kiln {
namespace {

class LockOp final : public BlockingOp {
public:
  explicit LockOp(std::shared_ptr<Mutex> mutex) : mutex(std::move(mutex)) {}

  std::unique_ptr<BlockingAttempt> makeAttempt() const override;
  std::string_view cancelledText() const override {
    return "Lock acquisition cancelled.";
  }

  const std::shared_ptr<Mutex> mutex;
};

class LockOpAttempt final : public BlockingAttempt {
public:
  explicit LockOpAttempt(const LockOp &op) : op(op) {}
  ~LockOpAttempt() override { abandon(); }

  StatusOr<bool> begin(std::span<Tensor>, std::span<Tensor> outputs,
                       RunContext &waiter) override {
    attempt.emplace();
    if (!op.mutex->begin(*attempt, waiter))
      return false;
    KILN_RETURN_IF_ERROR(end(outputs));
    return true;
  }
  bool hasEnded() const override { return op.mutex->hasEnded(*attempt); }
  Status end(std::span<Tensor> outputs) override {
    attempt.reset(); // the tensor has the lock from now on
    KILN_ASSIGN_OR_RETURN(outputs[0], holdLock(op.mutex));
    return okStatus();
  }
  void abandon() override {
    if (attempt)
      op.mutex->abandon(*attempt);
    attempt.reset();
  }

private:
  const LockOp &op;
  std::optional<LockAttempt> attempt; ///< the mutex knows it while it waits
};

std::unique_ptr<BlockingAttempt> LockOp::makeAttempt() const {
  return std::make_unique<LockOpAttempt>(*this);
}

/// Makes the mutex on first use as the node that declares it says.
StatusOr<std::unique_ptr<BlockingOp>> bindLock(const Node &node,
                                               const BlockingSite &site) {
  KILN_ASSIGN_OR_RETURN(const Node *declared, sourceOfHandle(site.handles[0]));
  if (!declared || declared->op() != "MutexV2")
    return invalidArgumentError(strCat("expected input 0 (",
                                       quote(node.input(0).name()),
                                       ") to be a mutex of the graph"))
        .withNode(node.name());
  auto name = declared->attrOr<std::string>("shared_name", "");
  ResourceKey key{
      ResourceKey::Kind::Mutex,
      canonicalContainer(declared->attrOr<std::string>("container", "")), name};
  KILN_ASSIGN_OR_RETURN(
      std::shared_ptr<Resource> mutex,
      site.resources.findOrCreate(std::move(key), declared->name(),
                                  [] { return std::make_shared<Mutex>(); }));
  return std::unique_ptr<BlockingOp>(std::make_unique<LockOp>(
      std::static_pointer_cast<Mutex>(std::move(mutex))));
}

Status consumeLock(const HostCall &call) {
  if (releaseLock(call.inputs[0]))
    return okStatus();
  return invalidArgumentError("Expected input to be a lock that is held");
}

} // namespace

void addMutexKernels(HostKernels &kernels) {
  kernels.addOwn("MutexLock",
                 {.effect = HostEffect::Waits, .bindOp = bindLock});
  kernels.addBodies({{"ConsumeMutexLock", consumeLock, HostEffect::Apart}});
}

} // namespace kiln
