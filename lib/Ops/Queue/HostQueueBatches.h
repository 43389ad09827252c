// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What goes into a queue and comes out of it: elements, and batches of them.
#ifndef KILN_LIB_OPS_QUEUE_HOSTQUEUEBATCHES_H
#define KILN_LIB_OPS_QUEUE_HOSTQUEUEBATCHES_H

#include "kiln/Tensor.h"
#include "runtime/resources/QueueSpec.h"

#include <span>
#include <vector>

namespace kiln {

/// Checks that a tuple is an element of the queue, or a batch of elements.
/// **Errors**: INVALID_ARGUMENT with TensorFlow's texts.
Status checkElement(const QueueSpec &spec, std::span<const Tensor> tuple);
Status checkBatch(const QueueSpec &spec, std::span<const Tensor> tuple);

/// Cuts a batch, which has been checked, into elements, one behind the other.
/// **Errors**: RESOURCE_EXHAUSTED.
StatusOr<std::vector<Tensor>> splitBatch(std::span<const Tensor> tuple);

/// Joins elements, one behind the other, into batches, one a component. An open
/// dimension becomes the largest that an element has there (0 without
/// elements); elements that are smaller are padded with zeros, or empty
/// strings, at the end. **Errors**: RESOURCE_EXHAUSTED; INVALID_ARGUMENT for a
/// batch of more bytes than a tensor may have.
Status joinBatches(const QueueSpec &spec, std::span<const Tensor> items,
                   std::span<Tensor> outputs);

} // namespace kiln

#endif // KILN_LIB_OPS_QUEUE_HOSTQUEUEBATCHES_H
