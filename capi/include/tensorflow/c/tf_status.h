// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How functions say that they failed: a code, a message, payloads.
#ifndef KILN_CAPI_INCLUDE_TENSORFLOW_C_TF_STATUS_H
#define KILN_CAPI_INCLUDE_TENSORFLOW_C_TF_STATUS_H
#define TENSORFLOW_C_TF_STATUS_H_ // which programs ask for

#include "tensorflow/c/c_api_macros.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TF_Status TF_Status;

typedef enum TF_Code TF_CAPI_ENUM_TYPE {
  TF_OK = 0,
  TF_CANCELLED = 1,
  TF_UNKNOWN = 2,
  TF_INVALID_ARGUMENT = 3,
  TF_DEADLINE_EXCEEDED = 4,
  TF_NOT_FOUND = 5,
  TF_ALREADY_EXISTS = 6,
  TF_PERMISSION_DENIED = 7,
  TF_RESOURCE_EXHAUSTED = 8,
  TF_FAILED_PRECONDITION = 9,
  TF_ABORTED = 10,
  TF_OUT_OF_RANGE = 11,
  TF_UNIMPLEMENTED = 12,
  TF_INTERNAL = 13,
  TF_UNAVAILABLE = 14,
  TF_DATA_LOSS = 15,
  TF_UNAUTHENTICATED = 16,
} TF_Code;

// A status of TF_OK.
TF_CAPI_EXPORT TF_Status *TF_NewStatus(void);
TF_CAPI_EXPORT void TF_DeleteStatus(TF_Status *);
// Drops payloads.
TF_CAPI_EXPORT void TF_SetStatus(TF_Status *s, TF_Code code, const char *msg);
// Nothing for TF_OK; replaces the value of a key.
TF_CAPI_EXPORT void TF_SetPayload(TF_Status *s, const char *key,
                                  const char *value);
typedef void (*TF_PayloadVisitor)(const char *key, const char *value,
                                  void *capture);
TF_CAPI_EXPORT void TF_ForEachPayload(const TF_Status *s,
                                      TF_PayloadVisitor visitor, void *capture);
// From errno.
TF_CAPI_EXPORT void TF_SetStatusFromIOError(TF_Status *s, int error_code,
                                            const char *context);
TF_CAPI_EXPORT TF_Code TF_GetCode(const TF_Status *s);
// Valid until the status changes; "" for TF_OK.
TF_CAPI_EXPORT const char *TF_Message(const TF_Status *s);

#ifdef __cplusplus
}
#endif

#endif // KILN_CAPI_INCLUDE_TENSORFLOW_C_TF_STATUS_H
