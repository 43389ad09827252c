// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bodies of the ops that look at images from elsewhere.
#ifndef KILN_LIB_OPS_IMAGE_HOST_H
#define KILN_LIB_OPS_IMAGE_HOST_H

#include "lib/HostKernels/HostCall.h"

namespace kiln::host {

/// As TensorFlow's ops ImageProjectiveTransformV2 and V3. **Errors**: with its
/// texts; also for an interpolation and a mode that it
/// does not know.
Status transformImages(const HostCall &call);

/// As TensorFlow's ops ScaleAndTranslate and ScaleAndTranslateGrad. **Errors**:
/// with its texts; RESOURCE_EXHAUSTED for more than 2^28 weights.
Status scaleAndTranslate(const HostCall &call);
Status scaleAndTranslateGradient(const HostCall &call);

/// As TensorFlow's ops ExtractGlimpse and V2. **Errors**: with its texts.
/// **Difference**: the noise beyond the image follows from the offsets, so that
/// the same glimpse has the same noise.
Status extractGlimpse(const HostCall &call);

} // namespace kiln::host

#endif // KILN_LIB_OPS_IMAGE_HOST_H
