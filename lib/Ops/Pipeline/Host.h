// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host kernels of Pipeline, in the files that are named here.
#ifndef KILN_LIB_OPS_PIPELINE_HOST_H
#define KILN_LIB_OPS_PIPELINE_HOST_H

#include "lib/HostKernels/HostKernels.h"

namespace kiln {

// HostCaches.cpp
void addCacheKernels(HostKernels &kernels);
// HostCsvDatasets.cpp
void addCsvDatasetKernels(HostKernels &kernels);
// HostDatasets.cpp
void addDatasetKernels(HostKernels &kernels);
// HostExampleDatasets.cpp
void addExampleDatasetKernels(HostKernels &kernels);
// HostFunctionDatasets.cpp
void addFunctionDatasetKernels(HostKernels &kernels);
// HostIterators.cpp
void addIteratorKernels(HostKernels &kernels);
// HostOptional.cpp
void addOptionalKernels(HostKernels &kernels);
// HostRecordDatasets.cpp
void addRecordDatasetKernels(HostKernels &kernels);
// HostReductions.cpp
void addReductionKernels(HostKernels &kernels);
// HostSparseDatasets.cpp
void addSparseDatasetKernels(HostKernels &kernels);

} // namespace kiln

#endif // KILN_LIB_OPS_PIPELINE_HOST_H
