// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which host kernels this family has.
#include "lib/Ops/Image/Host.h"

#include "lib/HostKernels/HostKernels.h"

namespace kiln {

void addImageKernels(HostKernels &kernels) {
  kernels.addBodies({
      {"ExtractGlimpse", host::extractGlimpse},
      {"ExtractGlimpseV2", host::extractGlimpse},
      {"ImageProjectiveTransformV2", host::transformImages},
      {"ImageProjectiveTransformV3", host::transformImages},
      {"ScaleAndTranslate", host::scaleAndTranslate},
      {"ScaleAndTranslateGrad", host::scaleAndTranslateGradient},
  });
}

} // namespace kiln
