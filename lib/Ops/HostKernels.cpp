// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host kernels of all families.
#include "lib/HostKernels/HostKernels.h"

namespace kiln {

#define KILN_OP_HOST_KERNELS(Family)                                           \
  void add##Family##Kernels(HostKernels &kernels);
#include "lib/Ops/Families.def"

void addHostKernels(HostKernels &kernels) {
#define KILN_OP_HOST_KERNELS(Family) add##Family##Kernels(kernels);
#include "lib/Ops/Families.def"
}

} // namespace kiln
