// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kinds of attributes that operations have.
#ifndef KILN_CAPI_INCLUDE_TENSORFLOW_C_TF_ATTRTYPE_H
#define KILN_CAPI_INCLUDE_TENSORFLOW_C_TF_ATTRTYPE_H
#define TENSORFLOW_C_TF_ATTRTYPE_H_ // which programs ask for

#include "tensorflow/c/c_api_macros.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum TF_AttrType TF_CAPI_ENUM_TYPE {
  TF_ATTR_STRING = 0,
  TF_ATTR_INT = 1,
  TF_ATTR_FLOAT = 2,
  TF_ATTR_BOOL = 3,
  TF_ATTR_TYPE = 4,
  TF_ATTR_SHAPE = 5,
  TF_ATTR_TENSOR = 6,
  TF_ATTR_PLACEHOLDER = 7,
  TF_ATTR_FUNC = 8,
} TF_AttrType;

#ifdef __cplusplus
}
#endif

#endif // KILN_CAPI_INCLUDE_TENSORFLOW_C_TF_ATTRTYPE_H
