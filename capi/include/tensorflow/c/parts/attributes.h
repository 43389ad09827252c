// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Part of c_api.h: reading the attributes of operations.
#ifndef KILN_CAPI_INCLUDE_TENSORFLOW_C_PARTS_ATTRIBUTES_H
#define KILN_CAPI_INCLUDE_TENSORFLOW_C_PARTS_ATTRIBUTES_H

#include "tensorflow/c/parts/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

// For lists, list_size is the number of elements. total_size: bytes of strings,
// dimensions of shapes.
typedef struct TF_AttrMetadata {
  unsigned char is_list;
  int64_t list_size;
  TF_AttrType type;
  int64_t total_size;
} TF_AttrMetadata;
TF_CAPI_EXPORT TF_AttrMetadata TF_OperationGetAttrMetadata(
    TF_Operation *oper, const char *attr_name, TF_Status *status);

// Values are copied to memory of the caller: as many as fit.
TF_CAPI_EXPORT void TF_OperationGetAttrString(TF_Operation *oper,
                                              const char *attr_name,
                                              void *value, size_t max_length,
                                              TF_Status *status);
TF_CAPI_EXPORT void TF_OperationGetAttrStringList(
    TF_Operation *oper, const char *attr_name, void **values, size_t *lengths,
    int max_values, void *storage, size_t storage_size, TF_Status *status);
TF_CAPI_EXPORT void TF_OperationGetAttrInt(TF_Operation *oper,
                                           const char *attr_name,
                                           int64_t *value, TF_Status *status);
TF_CAPI_EXPORT void TF_OperationGetAttrIntList(TF_Operation *oper,
                                               const char *attr_name,
                                               int64_t *values, int max_values,
                                               TF_Status *status);
TF_CAPI_EXPORT void TF_OperationGetAttrFloat(TF_Operation *oper,
                                             const char *attr_name,
                                             float *value, TF_Status *status);
TF_CAPI_EXPORT void TF_OperationGetAttrFloatList(TF_Operation *oper,
                                                 const char *attr_name,
                                                 float *values, int max_values,
                                                 TF_Status *status);
TF_CAPI_EXPORT void TF_OperationGetAttrBool(TF_Operation *oper,
                                            const char *attr_name,
                                            unsigned char *value,
                                            TF_Status *status);
TF_CAPI_EXPORT void TF_OperationGetAttrBoolList(TF_Operation *oper,
                                                const char *attr_name,
                                                unsigned char *values,
                                                int max_values,
                                                TF_Status *status);
TF_CAPI_EXPORT void TF_OperationGetAttrType(TF_Operation *oper,
                                            const char *attr_name,
                                            TF_DataType *value,
                                            TF_Status *status);
TF_CAPI_EXPORT void TF_OperationGetAttrTypeList(TF_Operation *oper,
                                                const char *attr_name,
                                                TF_DataType *values,
                                                int max_values,
                                                TF_Status *status);
TF_CAPI_EXPORT void TF_OperationGetAttrShape(TF_Operation *oper,
                                             const char *attr_name,
                                             int64_t *value, int num_dims,
                                             TF_Status *status);
TF_CAPI_EXPORT void TF_OperationGetAttrShapeList(
    TF_Operation *oper, const char *attr_name, int64_t **dims, int *num_dims,
    int num_shapes, int64_t *storage, int storage_size, TF_Status *status);
TF_CAPI_EXPORT void TF_OperationGetAttrTensorShapeProto(TF_Operation *oper,
                                                        const char *attr_name,
                                                        TF_Buffer *value,
                                                        TF_Status *status);
TF_CAPI_EXPORT void TF_OperationGetAttrTensorShapeProtoList(
    TF_Operation *oper, const char *attr_name, TF_Buffer **values,
    int max_values, TF_Status *status);
TF_CAPI_EXPORT void TF_OperationGetAttrTensor(TF_Operation *oper,
                                              const char *attr_name,
                                              TF_Tensor **value,
                                              TF_Status *status);
TF_CAPI_EXPORT void TF_OperationGetAttrTensorList(TF_Operation *oper,
                                                  const char *attr_name,
                                                  TF_Tensor **values,
                                                  int max_values,
                                                  TF_Status *status);
TF_CAPI_EXPORT void TF_OperationGetAttrValueProto(TF_Operation *oper,
                                                  const char *attr_name,
                                                  TF_Buffer *output_attr_value,
                                                  TF_Status *status);
TF_CAPI_EXPORT int TF_OperationGetAttrNameLength(TF_Operation *oper, int i);
TF_CAPI_EXPORT void TF_OperationGetAttrName(TF_Operation *oper, int i,
                                            char *output, TF_Status *status);

// The names that a node has attributes of.
TF_CAPI_EXPORT int TF_OperationGetNumAttrs(TF_Operation *oper);

#ifdef __cplusplus
}
#endif

#endif // KILN_CAPI_INCLUDE_TENSORFLOW_C_PARTS_ATTRIBUTES_H
