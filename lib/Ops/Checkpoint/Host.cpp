// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which host kernels this family has.
#include "lib/Ops/Checkpoint/Host.h"

#include "lib/HostKernels/HostKernels.h"

namespace kiln {

void addCheckpointKernels(HostKernels &kernels) {
  kernels.addBodies({
      {"GenerateVocabRemapping", host::generateVocabRemapping,
       HostEffect::Apart},
      {"LoadAndRemapMatrix", host::loadAndRemapMatrix, HostEffect::Apart},
      {"MergeV2Checkpoints", host::mergeV2Checkpoints, HostEffect::Apart},
      {"Restore", host::restoreSlice, HostEffect::Apart},
      {"RestoreSlice", host::restoreSlice, HostEffect::Apart},
      {"RestoreV2", host::restoreWithIterators, HostEffect::Apart},
      {"Save", host::saveSlices, HostEffect::Apart},
      {"SaveSlices", host::saveSlices, HostEffect::Apart},
      {"SaveV2", host::saveWithIterators, HostEffect::Apart},
  });
}

} // namespace kiln
