// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The blocking kind of kernel: an attempt that the session drives.
#ifndef KILN_RUNTIME_KERNELS_BLOCKINGKERNEL_H
#define KILN_RUNTIME_KERNELS_BLOCKINGKERNEL_H

#include "kiln/Tensor.h"
#include "runtime/abi/RunState.h"

#include <memory>
#include <span>
#include <string_view>

namespace kiln {

class Communicator;
class FileAccess;
class FunctionBinder;
class Node;
struct Output;
class ResourceUser;

/// One op of one run at a time, from begin() to its end.
///
/// Ownership: a frame's; borrows the op, and the run's context while it waits.
/// Thread safety: the run's thread.
class BlockingAttempt {
public:
  virtual ~BlockingAttempt() = default;
  /// Does what can be done; takes `inputs`, in buffers that nothing else
  /// writes. Returns true when it has ended, then `outputs` are set; otherwise
  /// wakeRun(waiter) tells its end. **Errors**: of the inputs, and as end().
  virtual StatusOr<bool> begin(std::span<Tensor> inputs,
                               std::span<Tensor> outputs,
                               RunContext &waiter) = 0;
  /// True when one that waits has ended.
  virtual bool hasEnded() const = 0;
  /// Takes what an ended one gives. **Errors**: how it ended;
  /// RESOURCE_EXHAUSTED, then nothing is taken.
  virtual Status end(std::span<Tensor> outputs) = 0;
  /// Lets go of one that waits or has ended; nothing for others.
  virtual void abandon() = 0;
};

/// An op that may wait for other runs, bound to its resources. Native code and
/// the evaluator never call it, and a run holds no lock while it waits.
///
/// Thread safety: constant.
class BlockingOp {
public:
  virtual ~BlockingOp() = default;
  virtual std::unique_ptr<BlockingAttempt> makeAttempt() const = 0;
  /// What TensorFlow says when it is cancelled while it waits.
  virtual std::string_view cancelledText() const = 0;
};

/// What an op may use. Borrows everything; the files live as long as the op.
struct BlockingSite {
  /// What the inputs that are handles of resources stand for, in their order:
  /// an output of the node that declares one, if that is known.
  std::span<const Output> handles;
  ResourceUser &resources;
  const FileAccess &files;
  /// Binds functions of the graph (lib/Pipelines/ElementFunction.h); null where
  /// there are none.
  const FunctionBinder *functions = nullptr;
  /// The session's own; null: the process's.
  std::shared_ptr<Communicator> communicator = nullptr;
};

/// Binds a node. **Errors**: of its attributes, with the node; CANCELLED in a
/// session that has ended.
using BindBlockingOp = StatusOr<std::unique_ptr<BlockingOp>> (*)(
    const Node &node, const BlockingSite &site);

} // namespace kiln

#endif // KILN_RUNTIME_KERNELS_BLOCKINGKERNEL_H
