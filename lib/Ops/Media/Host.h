// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bodies of the ops on files of pictures and sounds.
#ifndef KILN_LIB_OPS_MEDIA_HOST_H
#define KILN_LIB_OPS_MEDIA_HOST_H

#include "lib/HostKernels/HostCall.h"

namespace kiln::host {

/// As TensorFlow's ops DecodeBmp, DecodeGif, DecodeImage, DecodeJpeg,
/// DecodeAndCropJpeg and DecodePng, which go by how the file begins rather than
/// by their names. **Errors**: with its texts; UNIMPLEMENTED for JPEG XL and
/// WebP files.
Status decodePicture(const HostCall &call);

/// As TensorFlow's ops of these names; also EncodeJpegVariableQuality.
/// **Errors**: with its texts.
Status encodeJpeg(const HostCall &call);
Status encodePng(const HostCall &call);
Status extractJpegShape(const HostCall &call);
Status decodeWav(const HostCall &call);
Status encodeWav(const HostCall &call);
Status audioSpectrogram(const HostCall &call);
/// The same; more than 2^27 cosines, filterbank_channel_count times
/// dct_coefficient_count, are an error.
Status mfcc(const HostCall &call);

} // namespace kiln::host

#endif // KILN_LIB_OPS_MEDIA_HOST_H
