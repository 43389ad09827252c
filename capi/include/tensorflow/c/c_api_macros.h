// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Macros that the declarations of TensorFlow's C interface are written with.
#ifndef KILN_CAPI_INCLUDE_TENSORFLOW_C_C_API_MACROS_H
#define KILN_CAPI_INCLUDE_TENSORFLOW_C_C_API_MACROS_H
#define TENSORFLOW_C_C_API_MACROS_H_ // which programs ask for

#include <stddef.h>

// TF_CAPI_WEAK is for programs that load the library themselves.
#ifdef TF_CAPI_WEAK
#define TF_CAPI_EXPORT                                                         \
  __attribute__((visibility("default"))) __attribute((weak))
#else
#define TF_CAPI_EXPORT __attribute__((visibility("default")))
#endif

// Programs in C give numbers that no enumerator has; C++ allows it where an
// enum has a type.
#ifdef __cplusplus
#define TF_CAPI_ENUM_TYPE : int
#else
#define TF_CAPI_ENUM_TYPE
#endif

#ifndef TF_Bool
#define TF_Bool unsigned char
#endif

// Structs say how far they are filled in by the offset behind their last field.
#ifndef TF_OFFSET_OF_END
#define TF_OFFSET_OF_END(TYPE, MEMBER)                                         \
  (offsetof(TYPE, MEMBER) + sizeof(((TYPE *)0)->MEMBER))
#endif

#endif // KILN_CAPI_INCLUDE_TENSORFLOW_C_C_API_MACROS_H
