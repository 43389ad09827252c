// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape functions of Media, for its schema table.
#ifndef KILN_LIB_OPS_MEDIA_SHAPE_H
#define KILN_LIB_OPS_MEDIA_SHAPE_H

#include "lib/OpDefs/OpDef.h"

namespace kiln::shapes {

Status inferDecoded(InferenceContext &context);
Status inferDecodedPart(InferenceContext &context);
Status inferDecodedFrames(InferenceContext &context);
Status inferDecodedImage(InferenceContext &context);
Status inferPictureSizes(InferenceContext &context);
Status inferEncodeJpeg(InferenceContext &context);
Status inferEncodePng(InferenceContext &context);
Status inferDecodeWav(InferenceContext &context);
Status inferEncodeWav(InferenceContext &context);
Status inferSpectrogram(InferenceContext &context);
Status inferMfcc(InferenceContext &context);

} // namespace kiln::shapes

#endif // KILN_LIB_OPS_MEDIA_SHAPE_H
