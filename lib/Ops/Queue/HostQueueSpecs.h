// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The queues that nodes declare.
#ifndef KILN_LIB_OPS_QUEUE_HOSTQUEUESPECS_H
#define KILN_LIB_OPS_QUEUE_HOSTQUEUESPECS_H

#include "kiln/Node.h"
#include "runtime/resources/ResourceTable.h"

#include <memory>
#include <span>
#include <string>

namespace kiln {

/// "float, int32".
std::string typesText(std::span<const DType> types);

/// Whether the node declares a queue.
bool declaresQueue(const Node &node);

/// The node that declares the queue that a handle stands for; null when the
/// handle comes from elsewhere. **Errors**: INVALID_ARGUMENT for a place that a
/// list of handles does not have.
StatusOr<const Node *> declaringNode(const Output &handle);

/// The queue of a node that declares one, made on first use. **Errors**, with
/// TensorFlow's texts: INVALID_ARGUMENT for attributes that make no queue, and
/// for a queue that is shared under other ones.
StatusOr<std::shared_ptr<Queue>> findQueue(const Node &node,
                                           ResourceUser &resources);

} // namespace kiln

#endif // KILN_LIB_OPS_QUEUE_HOSTQUEUESPECS_H
