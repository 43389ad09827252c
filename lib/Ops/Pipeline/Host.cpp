// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which host kernels this family has.
#include "lib/Ops/Pipeline/Host.h"

namespace kiln {

void addPipelineKernels(HostKernels &kernels) {
  addCacheKernels(kernels);
  addCsvDatasetKernels(kernels);
  addDatasetKernels(kernels);
  addExampleDatasetKernels(kernels);
  addFunctionDatasetKernels(kernels);
  addIteratorKernels(kernels);
  addOptionalKernels(kernels);
  addRecordDatasetKernels(kernels);
  addReductionKernels(kernels);
  addSparseDatasetKernels(kernels);
}

} // namespace kiln
