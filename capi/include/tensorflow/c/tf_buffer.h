// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bytes with the function that frees them: messages come and go in buffers.
#ifndef KILN_CAPI_INCLUDE_TENSORFLOW_C_TF_BUFFER_H
#define KILN_CAPI_INCLUDE_TENSORFLOW_C_TF_BUFFER_H
#define TENSORFLOW_C_TF_BUFFER_H_ // which programs ask for

#include "tensorflow/c/c_api_macros.h"
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// Programs read and write the fields.
typedef struct TF_Buffer {
  const void *data;
  size_t length;
  void (*data_deallocator)(void *data, size_t length);
} TF_Buffer;

// Copies the bytes.
TF_CAPI_EXPORT TF_Buffer *TF_NewBufferFromString(const void *proto,
                                                 size_t proto_len);
TF_CAPI_EXPORT TF_Buffer *TF_NewBuffer(void);
TF_CAPI_EXPORT void TF_DeleteBuffer(TF_Buffer *);
TF_CAPI_EXPORT TF_Buffer TF_GetBuffer(TF_Buffer *buffer);

#ifdef __cplusplus
}
#endif

#endif // KILN_CAPI_INCLUDE_TENSORFLOW_C_TF_BUFFER_H
