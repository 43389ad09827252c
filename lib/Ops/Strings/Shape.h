// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of ops on strings.
#ifndef KILN_LIB_OPS_STRINGS_SHAPE_H
#define KILN_LIB_OPS_STRINGS_SHAPE_H

#include "lib/OpDefs/Inference.h"

namespace kiln::shapes {

Status inferDecodeRaw(InferenceContext &context);
Status inferSameShape(InferenceContext &context);
Status inferFingerprint(InferenceContext &context);
Status inferStringJoin(InferenceContext &context);
Status inferReduceJoin(InferenceContext &context);
Status inferStringNgrams(InferenceContext &context);
Status inferStringSplit(InferenceContext &context);
Status inferUnsortedSegmentJoin(InferenceContext &context);
Status inferDecodePaddedRaw(InferenceContext &context);
Status inferUnicodeDecode(InferenceContext &context);
Status inferUnicodeEncode(InferenceContext &context);
Status inferSubstr(InferenceContext &context);
Status inferRegexFullMatch(InferenceContext &context);
Status inferRegexReplace(InferenceContext &context);

} // namespace kiln::shapes

#endif // KILN_LIB_OPS_STRINGS_SHAPE_H
