// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which host kernels this family has.
#include "lib/Ops/Queue/Host.h"

#include "lib/HostKernels/HostKernels.h"

namespace kiln {

void addQueueKernels(HostKernels &kernels) {
  addAccumulatorKernels(kernels);
  addBarrierKernels(kernels);
  addMutexKernels(kernels);
  addQueueOpKernels(kernels);
  addStagingKernels(kernels);
}

} // namespace kiln
