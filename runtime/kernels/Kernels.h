// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels that each file of this folder has.
#ifndef KILN_RUNTIME_KERNELS_KERNELS_H
#define KILN_RUNTIME_KERNELS_KERNELS_H

#include "runtime/KernelRegistry.h"

#include <vector>

namespace kiln {

std::vector<Kernel> indexKernels();
std::vector<Kernel> layoutKernels();
std::vector<Kernel> loggingKernels();
std::vector<Kernel> matrixInverseKernels();
std::vector<Kernel> selectionKernels();
std::vector<Kernel> sizeKernels();
std::vector<Kernel> slotArrayKernels();
std::vector<Kernel> slotListCopyKernels();
std::vector<Kernel> slotListKernels();
std::vector<Kernel> slotListTensorKernels();
std::vector<Kernel> slotStackKernels();
std::vector<Kernel> stringKernels();
std::vector<Kernel> stringNumberKernels();
std::vector<Kernel> sumOverAxesKernels();
std::vector<Kernel> truncatedNormalKernels();
std::vector<Kernel> uniqueKernels();

} // namespace kiln

#endif // KILN_RUNTIME_KERNELS_KERNELS_H
