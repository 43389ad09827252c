// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The strings of tensors, for languages that cannot use ctstring.h.
#ifndef KILN_CAPI_INCLUDE_TENSORFLOW_C_TF_TSTRING_H
#define KILN_CAPI_INCLUDE_TENSORFLOW_C_TF_TSTRING_H
#define TENSORFLOW_C_TF_TSTRING_H_ // which programs ask for

#include "tensorflow/c/c_api_macros.h"
#include "tensorflow/c/tf_tensor.h"
#include "tensorflow/core/platform/ctstring.h"

#ifdef __cplusplus
extern "C" {
#endif

TF_CAPI_EXPORT void TF_StringInit(TF_TString *t);
TF_CAPI_EXPORT void TF_StringCopy(TF_TString *dst, const char *src,
                                  size_t size);
TF_CAPI_EXPORT void TF_StringAssignView(TF_TString *dst, const char *src,
                                        size_t size);
TF_CAPI_EXPORT const char *TF_StringGetDataPointer(const TF_TString *tstr);
TF_CAPI_EXPORT TF_TString_Type TF_StringGetType(const TF_TString *str);
TF_CAPI_EXPORT size_t TF_StringGetSize(const TF_TString *tstr);
TF_CAPI_EXPORT size_t TF_StringGetCapacity(const TF_TString *str);
TF_CAPI_EXPORT void TF_StringDealloc(TF_TString *tstr);

#ifdef __cplusplus
}
#endif

#endif // KILN_CAPI_INCLUDE_TENSORFLOW_C_TF_TSTRING_H
