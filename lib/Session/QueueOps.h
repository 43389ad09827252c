// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops on queues, as blocking kernels.
#ifndef KILN_LIB_SESSION_QUEUEOPS_H
#define KILN_LIB_SESSION_QUEUEOPS_H

namespace kiln {

/// Adds them to the registry of the process, the first time that it is called.
/// Their errors have TensorFlow's texts: INVALID_ARGUMENT for attributes that
/// do not fit the queue, a queue that is shared under other ones, and elements
/// that are not the queue's; RESOURCE_EXHAUSTED.
void registerQueueKernels();

} // namespace kiln

#endif // KILN_LIB_SESSION_QUEUEOPS_H
