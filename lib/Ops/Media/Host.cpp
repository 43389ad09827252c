// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which host kernels this family has.
#include "lib/Ops/Media/Host.h"

#include "lib/HostKernels/HostKernels.h"

namespace kiln {

void addMediaKernels(HostKernels &kernels) {
  kernels.addBodies({
      {"AudioSpectrogram", host::audioSpectrogram},
      {"DecodeAndCropJpeg", host::decodePicture},
      {"DecodeBmp", host::decodePicture},
      {"DecodeGif", host::decodePicture},
      {"DecodeImage", host::decodePicture},
      {"DecodeJpeg", host::decodePicture},
      {"DecodePng", host::decodePicture},
      {"DecodeWav", host::decodeWav},
      {"EncodeJpeg", host::encodeJpeg},
      {"EncodeJpegVariableQuality", host::encodeJpeg},
      {"EncodePng", host::encodePng},
      {"EncodeWav", host::encodeWav},
      {"ExtractJpegShape", host::extractJpegShape},
      {"Mfcc", host::mfcc},
  });
}

} // namespace kiln
