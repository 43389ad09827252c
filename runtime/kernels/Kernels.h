// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels that each file of this folder has.
#ifndef KILN_RUNTIME_KERNELS_KERNELS_H
#define KILN_RUNTIME_KERNELS_KERNELS_H

#include "runtime/kernels/KernelRegistry.h"

#include <vector>

namespace kiln {

#define KILN_KERNELS(kind) std::vector<Kernel> kind##Kernels();
#include "runtime/kernels/Kernels.def"

} // namespace kiln

#endif // KILN_RUNTIME_KERNELS_KERNELS_H
