// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which host kernels this family has.
#include "lib/Ops/Ragged/Host.h"

#include "lib/HostKernels/HostKernels.h"

namespace kiln {

void addRaggedKernels(HostKernels &kernels) {
  kernels.addBodies({
      {"RaggedBincount", host::raggedBincount},
      {"RaggedFillEmptyRows", host::raggedFillEmptyRows},
      {"RaggedGather", host::raggedGather},
      {"RaggedRange", host::raggedRange},
      {"RaggedTensorFromVariant", host::raggedTensorFromVariant},
      {"RaggedTensorToSparse", host::raggedTensorToSparse},
      {"RaggedTensorToTensor", host::raggedTensorToTensor},
      {"RaggedTensorToVariant", host::raggedTensorToVariant},
  });
}

} // namespace kiln
