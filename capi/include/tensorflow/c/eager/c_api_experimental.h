// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow's experimental interface for eager ops: what programs use of it,
// and Kiln does.
#ifndef KILN_CAPI_INCLUDE_TENSORFLOW_C_EAGER_C_API_EXPERIMENTAL_H
#define KILN_CAPI_INCLUDE_TENSORFLOW_C_EAGER_C_API_EXPERIMENTAL_H
#define TENSORFLOW_C_EAGER_C_API_EXPERIMENTAL_H_ // which programs ask for

#include "tensorflow/c/c_api.h"
#include "tensorflow/c/c_api_macros.h"
#include "tensorflow/c/eager/c_api.h"
#include "tensorflow/c/eager/parts/monitoring.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Makes the op another one, without inputs and attributes.
TF_CAPI_EXPORT void TFE_OpReset(TFE_Op *op_to_reset,
                                const char *op_or_function_name,
                                const char *raw_device_name, TF_Status *status);

// An AttrValue message.
TF_CAPI_EXPORT void TFE_OpSetAttrValueProto(const TFE_Op *op,
                                            const char *attr_name,
                                            const void *proto, size_t proto_len,
                                            TF_Status *status);

// The attributes that an op was given, as long as it lives; in bytes they are a
// NameAttrList. Added to an op, they are those that it has not yet.
typedef struct TFE_OpAttrs TFE_OpAttrs;
TF_CAPI_EXPORT const TFE_OpAttrs *TFE_OpGetAttrs(const TFE_Op *op);
TF_CAPI_EXPORT void TFE_OpAddAttrs(TFE_Op *op, const TFE_OpAttrs *attrs);
TF_CAPI_EXPORT void TFE_OpAttrsSerialize(const TFE_OpAttrs *attrs,
                                         TF_Buffer *buf, TF_Status *status);

// Ends ops with CANCELLED, those too that begin later, and calls back once.
// Deregistering waits for callbacks that are being called; all that register
// and deregister return false once it is cancelled.
typedef struct TFE_CancellationManager TFE_CancellationManager;
typedef int64_t TFE_CancellationToken;
typedef struct TFE_CancelCallback {
  void (*callback)(void *context);
  void *context;
} TFE_CancelCallback;
TF_CAPI_EXPORT TFE_CancellationManager *TFE_NewCancellationManager(void);
TF_CAPI_EXPORT bool
TFE_CancellationManagerIsCancelled(TFE_CancellationManager *);
TF_CAPI_EXPORT bool
TFE_CancellationManagerIsCancelling(TFE_CancellationManager *);
TF_CAPI_EXPORT void
TFE_CancellationManagerStartCancel(TFE_CancellationManager *);
TF_CAPI_EXPORT TFE_CancellationToken
TFE_CancellationManagerGetToken(TFE_CancellationManager *);
TF_CAPI_EXPORT bool TFE_CancellationManagerRegisterCallback(
    TFE_CancellationManager *, TFE_CancellationToken token,
    const TFE_CancelCallback *c_callback, const char *callback_name);
TF_CAPI_EXPORT bool
TFE_CancellationManagerDeregisterCallback(TFE_CancellationManager *,
                                          TFE_CancellationToken token);
TF_CAPI_EXPORT bool
TFE_CancellationManagerTryDeregisterCallback(TFE_CancellationManager *,
                                             TFE_CancellationToken token);
TF_CAPI_EXPORT void TFE_DeleteCancellationManager(TFE_CancellationManager *);
TF_CAPI_EXPORT void
TFE_OpSetCancellationManager(TFE_Op *op,
                             TFE_CancellationManager *cancellation_manager,
                             TF_Status *status);

// Executors order ops that run behind the caller; here each is done when it
// returns.
typedef struct TFE_Executor TFE_Executor;
TF_CAPI_EXPORT TFE_Executor *TFE_NewExecutor(bool is_async,
                                             bool enable_streaming_enqueue,
                                             int in_flight_nodes_limit);
TF_CAPI_EXPORT void TFE_DeleteExecutor(TFE_Executor *);
TF_CAPI_EXPORT bool TFE_ExecutorIsAsync(TFE_Executor *);
TF_CAPI_EXPORT void TFE_ExecutorWaitForAllPendingNodes(TFE_Executor *,
                                                       TF_Status *status);
TF_CAPI_EXPORT void TFE_ExecutorClearError(TFE_Executor *);
TF_CAPI_EXPORT void TFE_ContextSetExecutorForThread(TFE_Context *,
                                                    TFE_Executor *);
TF_CAPI_EXPORT TFE_Executor *TFE_ContextGetExecutorForThread(TFE_Context *);
TF_CAPI_EXPORT void TFE_ContextAsyncWait(TFE_Context *ctx, TF_Status *status);

TF_CAPI_EXPORT void TFE_ContextSetLogDevicePlacement(TFE_Context *ctx,
                                                     unsigned char enable,
                                                     TF_Status *status);
TF_CAPI_EXPORT void TFE_ContextSetSoftDevicePlacement(TFE_Context *ctx,
                                                      unsigned char enable,
                                                      TF_Status *status);
TF_CAPI_EXPORT void TFE_ContextSetRunEagerOpAsFunction(TFE_Context *ctx,
                                                       unsigned char enable,
                                                       TF_Status *status);
TF_CAPI_EXPORT void TFE_ContextSetJitCompileRewrite(TFE_Context *ctx,
                                                    unsigned char enable,
                                                    TF_Status *status);
TF_CAPI_EXPORT void TFE_ContextOptionsSetTfrt(TFE_ContextOptions *,
                                              bool use_tfrt);
TF_CAPI_EXPORT bool TFE_IsCustomDevice(TFE_Context *ctx,
                                       const char *device_name);
TF_CAPI_EXPORT uint64_t TFE_GetContextId(TFE_Context *ctx);
TF_CAPI_EXPORT void TFE_HostAddressSpace(TFE_Context *ctx, TF_Buffer *buf);

// What a handle says of where it is; numbers lie in the memory of the host.
TF_CAPI_EXPORT const char *TFE_TensorHandleDeviceType(TFE_TensorHandle *h,
                                                      TF_Status *status);
TF_CAPI_EXPORT int TFE_TensorHandleDeviceID(TFE_TensorHandle *h,
                                            TF_Status *status);
TF_CAPI_EXPORT void TFE_TensorHandleGetStatus(TFE_TensorHandle *h,
                                              TF_Status *status);
TF_CAPI_EXPORT void *TFE_TensorHandleDevicePointer(TFE_TensorHandle *,
                                                   TF_Status *);
TF_CAPI_EXPORT size_t TFE_TensorHandleDeviceMemorySize(TFE_TensorHandle *,
                                                       TF_Status *);

TF_CAPI_EXPORT TF_Tensor *
TFE_AllocateHostTensor(TFE_Context *ctx, TF_DataType dtype, const int64_t *dims,
                       int num_dims, TF_Status *status);
TF_CAPI_EXPORT void TFE_ContextGetFunctionDef(TFE_Context *ctx,
                                              const char *function_name,
                                              TF_Buffer *buf,
                                              TF_Status *status);

TF_CAPI_EXPORT TF_Function *
TFE_ContextGetFunction(TFE_Context *ctx, const char *name, TF_Status *status);

#ifdef __cplusplus
}
#endif

#endif // KILN_CAPI_INCLUDE_TENSORFLOW_C_EAGER_C_API_EXPERIMENTAL_H
