// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow's C interface as libtensorflow of Kiln has it: declarations of
// TensorFlow 2.21. It takes the place of the official header, with which
// programs work as well.
#ifndef KILN_CAPI_INCLUDE_TENSORFLOW_C_C_API_H
#define KILN_CAPI_INCLUDE_TENSORFLOW_C_C_API_H
#define TENSORFLOW_C_C_API_H_ // which programs ask for

#include "tensorflow/c/c_api_macros.h"
#include "tensorflow/c/parts/attributes.h"
#include "tensorflow/c/parts/building.h"
#include "tensorflow/c/parts/graph.h"
#include "tensorflow/c/parts/import.h"
#include "tensorflow/c/parts/session.h"
#include "tensorflow/c/tf_attrtype.h"
#include "tensorflow/c/tf_buffer.h"
#include "tensorflow/c/tf_datatype.h"
#include "tensorflow/c/tf_status.h"
#include "tensorflow/c/tf_tensor.h"
#include "tensorflow/c/tf_tstring.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The release of TensorFlow whose interface this is, as "2.21.0".
TF_CAPI_EXPORT const char *TF_Version(void);

typedef struct TF_StringView {
  const char *data;
  size_t len;
} TF_StringView;

// From a TensorProto message.
TF_CAPI_EXPORT void TF_TensorFromProto(const TF_Buffer *from, TF_Tensor *to,
                                       TF_Status *status);

#ifdef __cplusplus
}
#endif

#endif // KILN_CAPI_INCLUDE_TENSORFLOW_C_C_API_H
