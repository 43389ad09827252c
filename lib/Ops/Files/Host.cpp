// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which host kernels this family has.
#include "lib/Ops/Files/Host.h"

#include "lib/HostKernels/HostKernels.h"

namespace kiln {

void addFilesKernels(HostKernels &kernels) {
  kernels.addBodies({
      {"MatchingFiles", host::matchingFiles, HostEffect::Resource},
      {"ReadFile", host::readFile, HostEffect::Resource},
      {"WriteFile", host::writeFile, HostEffect::Resource},
  });
  addReaderKernels(kernels);
}

} // namespace kiln
