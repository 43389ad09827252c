// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The strings that tensors of TensorFlow 1 hold: their length as a varint, then
// their bytes. TensorFlow 2 has no header for these functions any more.
#ifndef KILN_CAPI_INCLUDE_TENSORFLOW_C_TF_STRING_ENCODING_H
#define KILN_CAPI_INCLUDE_TENSORFLOW_C_TF_STRING_ENCODING_H

#include "tensorflow/c/c_api_macros.h"
#include "tensorflow/c/tf_status.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// Writes the encoding of a string, and returns its length.
TF_CAPI_EXPORT size_t TF_StringEncode(const char *src, size_t src_len,
                                      char *dst, size_t dst_len,
                                      TF_Status *status);
// Finds the string of an encoding, which stays the owner of its bytes, and
// returns the encoding's length.
TF_CAPI_EXPORT size_t TF_StringDecode(const char *src, size_t src_len,
                                      const char **dst, size_t *dst_len,
                                      TF_Status *status);
TF_CAPI_EXPORT size_t TF_StringEncodedSize(size_t len);

#ifdef __cplusplus
}
#endif

#endif // KILN_CAPI_INCLUDE_TENSORFLOW_C_TF_STRING_ENCODING_H
