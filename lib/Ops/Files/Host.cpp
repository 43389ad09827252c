// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which host kernels this family has.
#include "lib/Ops/Files/Host.h"

#include "lib/HostKernels/HostKernels.h"

namespace kiln {

void addFilesKernels(HostKernels &kernels) {
  kernels.addBodies({
      {"MatchingFiles", host::matchingFiles, HostEffect::Apart},
      {"ReadFile", host::readFile, HostEffect::Apart},
      {"WriteFile", host::writeFile, HostEffect::Apart},
  });
  addReaderKernels(kernels);
  addRecordInputKernel(kernels);
}

} // namespace kiln
