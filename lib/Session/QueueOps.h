// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops on queues: found for a node, begun with its inputs, ended with its
// outputs.
#ifndef KILN_LIB_SESSION_QUEUEOPS_H
#define KILN_LIB_SESSION_QUEUEOPS_H

#include "kiln/Node.h"
#include "runtime/ResourceTable.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace kiln {

/// An op on a queue of a session.
struct QueueOp {
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
  Kind kind = Kind::Size;
  bool cancelsPending = false; ///< of Close
  std::shared_ptr<Queue> queue;
};

/// Finds the op and makes its queue when it is not there yet. **Errors**:
/// INVALID_ARGUMENT, with the node, for attributes that do not fit the queue,
/// and for a queue that is shared under other ones; CANCELLED in a session
/// that has ended.
StatusOr<QueueOp> bindQueueOp(const Node &node, ResourceUser &resources);

/// Makes the attempt that the op is; none where it has been done at once, then
/// `outputs` are set. `inputs` are those behind the handle, components in
/// buffers that nobody else writes; takes them. **Errors**: INVALID_ARGUMENT
/// with TensorFlow's texts; RESOURCE_EXHAUSTED.
StatusOr<std::optional<QueueAttempt>> startQueueOp(const QueueOp &op,
                                                   std::span<Tensor> inputs,
                                                   std::span<Tensor> outputs);
/// Ends an attempt that has ended well: takes from it what it gives.
/// **Errors**: RESOURCE_EXHAUSTED.
Status finishQueueOp(const QueueOp &op, QueueAttempt &attempt,
                     std::span<Tensor> outputs);
/// What TensorFlow says when such an op is cancelled while it waits.
std::string_view cancelledText(const QueueOp &op);

} // namespace kiln

#endif // KILN_LIB_SESSION_QUEUEOPS_H
