// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What this family's host kernels work on: queues, accumulators, staging areas,
// barriers, mutexes.
#ifndef KILN_LIB_OPS_QUEUE_HOST_H
#define KILN_LIB_OPS_QUEUE_HOST_H

namespace kiln {

class HostKernels;

void addAccumulatorKernels(HostKernels &kernels);
void addBarrierKernels(HostKernels &kernels);
void addMutexKernels(HostKernels &kernels);
void addQueueOpKernels(HostKernels &kernels);
void addStagingKernels(HostKernels &kernels);

} // namespace kiln

#endif // KILN_LIB_OPS_QUEUE_HOST_H
