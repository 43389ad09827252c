// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which host kernels this family has.
#include "lib/Ops/Media/Host.h"

#include "lib/HostKernels/HostKernels.h"

namespace kiln {

void addMediaKernels(HostKernels &kernels) {
  kernels.addBodies({
      {"DecodeAndCropJpeg", host::decodePicture},
      {"DecodeBmp", host::decodePicture},
      {"DecodeGif", host::decodePicture},
      {"DecodeImage", host::decodePicture},
      {"DecodeJpeg", host::decodePicture},
      {"DecodePng", host::decodePicture},
      {"EncodeJpeg", host::encodeJpeg},
      {"EncodeJpegVariableQuality", host::encodeJpeg},
      {"EncodePng", host::encodePng},
      {"ExtractJpegShape", host::extractJpegShape},
  });
}

} // namespace kiln
