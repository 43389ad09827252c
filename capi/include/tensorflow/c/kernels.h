// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow's C interface for kernels of ops.
#ifndef KILN_CAPI_INCLUDE_TENSORFLOW_C_KERNELS_H
#define KILN_CAPI_INCLUDE_TENSORFLOW_C_KERNELS_H
#define TENSORFLOW_C_KERNELS_H_ // which programs ask for

#include "tensorflow/c/c_api.h"
#include "tensorflow/c/c_api_macros.h"
#include "tensorflow/c/tf_buffer.h"
#include "tensorflow/c/tf_datatype.h"
#include "tensorflow/c/tf_status.h"
#include "tensorflow/c/tf_tensor.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SP_Stream_st *SP_Stream;
typedef struct TF_KernelBuilder TF_KernelBuilder;
typedef struct TF_OpKernelConstruction TF_OpKernelConstruction;
typedef struct TF_OpKernelContext TF_OpKernelContext;
typedef struct TF_AsyncOpKernelDoneCallback TF_AsyncOpKernelDoneCallback;
TF_CAPI_EXPORT void
TF_RunAsyncOpKernelDoneCallback(TF_AsyncOpKernelDoneCallback *);

// What a library of kernels that TensorFlow loads defines.
TF_CAPI_EXPORT void TF_InitKernel(void);

// Registering takes the builder over.
TF_CAPI_EXPORT TF_KernelBuilder *
TF_NewKernelBuilder(const char *op_name, const char *device_name,
                    void *(*create_func)(TF_OpKernelConstruction *),
                    void (*compute_func)(void *, TF_OpKernelContext *),
                    void (*delete_func)(void *));
TF_CAPI_EXPORT TF_KernelBuilder *TF_NewAsyncKernelBuilder(
    const char *op_name, const char *device_name,
    void *(*create_func)(TF_OpKernelConstruction *),
    void (*compute_async_func)(void *, TF_OpKernelContext *,
                               TF_AsyncOpKernelDoneCallback *done),
    void (*delete_func)(void *));
TF_CAPI_EXPORT void
TF_KernelBuilder_TypeConstraint(TF_KernelBuilder *kernel_builder,
                                const char *attr_name, TF_DataType type,
                                TF_Status *status);
TF_CAPI_EXPORT void
TF_KernelBuilder_HostMemory(TF_KernelBuilder *kernel_builder,
                            const char *arg_name);
TF_CAPI_EXPORT void TF_KernelBuilder_Priority(TF_KernelBuilder *kernel_builder,
                                              int32_t priority_number);
TF_CAPI_EXPORT void TF_KernelBuilder_Label(TF_KernelBuilder *kernel_builder,
                                           const char *label);
TF_CAPI_EXPORT void TF_RegisterKernelBuilder(const char *kernel_name,
                                             TF_KernelBuilder *builder,
                                             TF_Status *status);
TF_CAPI_EXPORT void TF_RegisterKernelBuilderWithKernelDef(
    const char *serialized_kernel_def, const char *name,
    TF_KernelBuilder *builder, TF_Status *status);
TF_CAPI_EXPORT void TF_DeleteKernelBuilder(TF_KernelBuilder *builder);

// For kernels that run.
TF_CAPI_EXPORT SP_Stream TF_GetStream(TF_OpKernelContext *ctx,
                                      TF_Status *status);
TF_CAPI_EXPORT int TF_NumInputs(TF_OpKernelContext *ctx);
TF_CAPI_EXPORT int TF_NumOutputs(TF_OpKernelContext *ctx);
TF_CAPI_EXPORT void TF_GetInput(TF_OpKernelContext *ctx, int i,
                                TF_Tensor **tensor, TF_Status *status);
typedef struct {
  size_t struct_size;
  void *priv;
  int start;
  int stop;
  TF_Status *status;
} TF_InputRange_Args;
TF_CAPI_EXPORT void TF_InputRange(TF_OpKernelContext *ctx, const char *name,
                                  TF_InputRange_Args *args);
TF_CAPI_EXPORT TF_DataType TF_InputDatatype(TF_OpKernelContext *ctx, int index);
TF_CAPI_EXPORT void TF_SetOutput(TF_OpKernelContext *ctx, int i,
                                 const TF_Tensor *tensor, TF_Status *status);
TF_CAPI_EXPORT TF_Tensor *TF_GetMutableOutput(TF_OpKernelContext *ctx, int i,
                                              TF_Status *status);
TF_CAPI_EXPORT void
TF_GetSerializedFunctionDefLibrary(TF_OpKernelContext *ctx,
                                   TF_Buffer *serialized_function_def_library,
                                   TF_Status *status);
TF_CAPI_EXPORT void
TF_GetSerializedConfigProto(TF_OpKernelContext *ctx,
                            TF_Buffer *serialized_config_proto,
                            TF_Status *status);
TF_CAPI_EXPORT void
TF_GetSerializedResourceHandleProto(TF_OpKernelContext *ctx, int i,
                                    TF_Buffer *serialized_resource_handle_proto,
                                    TF_Status *status);
TF_CAPI_EXPORT void TF_OpKernelContext_Failure(TF_OpKernelContext *ctx,
                                               TF_Status *status);
TF_CAPI_EXPORT TF_DataType TF_ExpectedOutputDataType(TF_OpKernelContext *ctx,
                                                     int i);
TF_CAPI_EXPORT bool TF_IsHostMemoryInput(TF_OpKernelContext *ctx, int i,
                                         TF_Status *status);
TF_CAPI_EXPORT bool TF_IsHostMemoryOutput(TF_OpKernelContext *ctx, int i,
                                          TF_Status *status);
TF_CAPI_EXPORT int64_t TF_StepId(TF_OpKernelContext *ctx);
TF_CAPI_EXPORT uint64_t TF_GetFrameId(TF_OpKernelContext *ctx);
TF_CAPI_EXPORT int64_t TF_GetIterId(TF_OpKernelContext *ctx);
TF_CAPI_EXPORT int64_t TF_GetStepId(TF_OpKernelContext *ctx);
TF_CAPI_EXPORT int TF_GetDeviceId(TF_OpKernelContext *ctx);
TF_CAPI_EXPORT TF_StringView TF_GetDeviceName(TF_OpKernelContext *ctx);
TF_CAPI_EXPORT int TF_GetGraphDefVersion(TF_OpKernelContext *ctx);
TF_CAPI_EXPORT TF_StringView TF_GetOpKernelName(TF_OpKernelContext *ctx);
TF_CAPI_EXPORT TF_StringView
TF_GetResourceMgrDefaultContainerName(TF_OpKernelContext *ctx);
TF_CAPI_EXPORT TF_StringView
TF_GetOpKernelRequestedInput(TF_OpKernelContext *ctx, size_t index);
TF_CAPI_EXPORT TF_Tensor *TF_AllocateOutput(TF_OpKernelContext *context,
                                            int index, TF_DataType dtype,
                                            const int64_t *dims, int num_dims,
                                            size_t len, TF_Status *status);
TF_CAPI_EXPORT TF_Tensor *TF_ForwardInputOrAllocateOutput(
    TF_OpKernelContext *context, const int *candidate_input_indices,
    int num_candidate_input_indices, int output_index,
    const int64_t *output_dims, int output_num_dims, int *forwarded_input,
    TF_Status *status);
TF_CAPI_EXPORT TF_Tensor *TF_AllocateTemp(TF_OpKernelContext *context,
                                          TF_DataType dtype,
                                          const int64_t *dims, int num_dims,
                                          TF_AllocatorAttributes *alloc_attrs,
                                          TF_Status *status);
TF_CAPI_EXPORT void TF_IncNumDeferredOps(TF_OpKernelContext *context);
TF_CAPI_EXPORT void TF_DecNumDeferredOps(TF_OpKernelContext *context);

// For kernels that are made: attributes of their node.
TF_CAPI_EXPORT void
TF_OpKernelConstruction_Failure(TF_OpKernelConstruction *ctx,
                                TF_Status *status);
TF_CAPI_EXPORT TF_Buffer *
TF_OpKernelConstruction_GetNodeDef(TF_OpKernelConstruction *ctx,
                                   TF_Status *status);
TF_CAPI_EXPORT void
TF_OpKernelConstruction_GetAttrSize(TF_OpKernelConstruction *ctx,
                                    const char *attr_name, int32_t *list_size,
                                    int32_t *total_size, TF_Status *status);
TF_CAPI_EXPORT void
TF_OpKernelConstruction_GetAttrType(TF_OpKernelConstruction *ctx,
                                    const char *attr_name, TF_DataType *val,
                                    TF_Status *status);
TF_CAPI_EXPORT void
TF_OpKernelConstruction_GetAttrInt32(TF_OpKernelConstruction *ctx,
                                     const char *attr_name, int32_t *val,
                                     TF_Status *status);
TF_CAPI_EXPORT void
TF_OpKernelConstruction_GetAttrInt64(TF_OpKernelConstruction *ctx,
                                     const char *attr_name, int64_t *val,
                                     TF_Status *status);
TF_CAPI_EXPORT void
TF_OpKernelConstruction_GetAttrFloat(TF_OpKernelConstruction *ctx,
                                     const char *attr_name, float *val,
                                     TF_Status *status);
TF_CAPI_EXPORT void
TF_OpKernelConstruction_GetAttrBool(TF_OpKernelConstruction *ctx,
                                    const char *attr_name, TF_Bool *val,
                                    TF_Status *status);
TF_CAPI_EXPORT void
TF_OpKernelConstruction_GetAttrString(TF_OpKernelConstruction *ctx,
                                      const char *attr_name, char *val,
                                      size_t max_length, TF_Status *status);
TF_CAPI_EXPORT void
TF_OpKernelConstruction_GetAttrTensor(TF_OpKernelConstruction *ctx,
                                      const char *attr_name, TF_Tensor **val,
                                      TF_Status *status);
TF_CAPI_EXPORT void TF_OpKernelConstruction_GetAttrTypeList(
    TF_OpKernelConstruction *ctx, const char *attr_name, TF_DataType *vals,
    int max_vals, TF_Status *status);
TF_CAPI_EXPORT void
TF_OpKernelConstruction_GetAttrInt32List(TF_OpKernelConstruction *ctx,
                                         const char *attr_name, int32_t *vals,
                                         int max_vals, TF_Status *status);
TF_CAPI_EXPORT void
TF_OpKernelConstruction_GetAttrInt64List(TF_OpKernelConstruction *ctx,
                                         const char *attr_name, int64_t *vals,
                                         int max_vals, TF_Status *status);
TF_CAPI_EXPORT void
TF_OpKernelConstruction_GetAttrFloatList(TF_OpKernelConstruction *ctx,
                                         const char *attr_name, float *vals,
                                         int max_vals, TF_Status *status);
TF_CAPI_EXPORT void
TF_OpKernelConstruction_GetAttrBoolList(TF_OpKernelConstruction *ctx,
                                        const char *attr_name, TF_Bool *vals,
                                        int max_vals, TF_Status *status);
TF_CAPI_EXPORT void TF_OpKernelConstruction_GetAttrStringList(
    TF_OpKernelConstruction *ctx, const char *attr_name, char **values,
    size_t *lengths, int max_values, void *storage, size_t storage_size,
    TF_Status *status);
TF_CAPI_EXPORT void TF_OpKernelConstruction_GetAttrTensorList(
    TF_OpKernelConstruction *ctx, const char *attr_name, TF_Tensor **vals,
    int max_values, TF_Status *status);
TF_CAPI_EXPORT TF_Buffer *TF_OpKernelConstruction_GetAttrFunction(
    TF_OpKernelConstruction *ctx, const char *attr_name, TF_Status *status);
TF_CAPI_EXPORT bool
TF_OpKernelConstruction_HasAttr(TF_OpKernelConstruction *ctx,
                                const char *attr_name, TF_Status *status);
TF_CAPI_EXPORT TF_StringView
TF_OpKernelConstruction_GetName(TF_OpKernelConstruction *ctx);

#ifdef __cplusplus
}
#endif

#endif // KILN_CAPI_INCLUDE_TENSORFLOW_C_KERNELS_H
