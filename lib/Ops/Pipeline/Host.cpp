// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which host kernels this family has.
#include "lib/Ops/Pipeline/Host.h"

namespace kiln {

void addPipelineKernels(HostKernels &kernels) {
  addDatasetKernels(kernels);
  addFunctionDatasetKernels(kernels);
  addIteratorKernels(kernels);
  addRecordDatasetKernels(kernels);
  addReductionKernels(kernels);
}

} // namespace kiln
