// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Part of c_api.h: adding operations to graphs, and gradients, functions and
// loops.
#ifndef KILN_CAPI_INCLUDE_TENSORFLOW_C_PARTS_BUILDING_H
#define KILN_CAPI_INCLUDE_TENSORFLOW_C_PARTS_BUILDING_H

#include "tensorflow/c/parts/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

// An operation that is being described. Errors come from TF_FinishOperation,
// which ends the description in any case.
typedef struct TF_OperationDescription TF_OperationDescription;
TF_CAPI_EXPORT TF_OperationDescription *
TF_NewOperationLocked(TF_Graph *graph, const char *op_type,
                      const char *oper_name);
TF_CAPI_EXPORT TF_OperationDescription *
TF_NewOperation(TF_Graph *graph, const char *op_type, const char *oper_name);
TF_CAPI_EXPORT void TF_SetDevice(TF_OperationDescription *desc,
                                 const char *device);
TF_CAPI_EXPORT void TF_AddInput(TF_OperationDescription *desc, TF_Output input);
TF_CAPI_EXPORT void TF_AddInputList(TF_OperationDescription *desc,
                                    const TF_Output *inputs, int num_inputs);
TF_CAPI_EXPORT void TF_AddControlInput(TF_OperationDescription *desc,
                                       TF_Operation *input);
TF_CAPI_EXPORT void TF_ColocateWith(TF_OperationDescription *desc,
                                    TF_Operation *op);
TF_CAPI_EXPORT void TF_SetAttrString(TF_OperationDescription *desc,
                                     const char *attr_name, const void *value,
                                     size_t length);
TF_CAPI_EXPORT void TF_SetAttrStringList(TF_OperationDescription *desc,
                                         const char *attr_name,
                                         const void *const *values,
                                         const size_t *lengths, int num_values);
TF_CAPI_EXPORT void TF_SetAttrInt(TF_OperationDescription *desc,
                                  const char *attr_name, int64_t value);
TF_CAPI_EXPORT void TF_SetAttrIntList(TF_OperationDescription *desc,
                                      const char *attr_name,
                                      const int64_t *values, int num_values);
TF_CAPI_EXPORT void TF_SetAttrFloat(TF_OperationDescription *desc,
                                    const char *attr_name, float value);
TF_CAPI_EXPORT void TF_SetAttrFloatList(TF_OperationDescription *desc,
                                        const char *attr_name,
                                        const float *values, int num_values);
TF_CAPI_EXPORT void TF_SetAttrBool(TF_OperationDescription *desc,
                                   const char *attr_name, unsigned char value);
TF_CAPI_EXPORT void TF_SetAttrBoolList(TF_OperationDescription *desc,
                                       const char *attr_name,
                                       const unsigned char *values,
                                       int num_values);
TF_CAPI_EXPORT void TF_SetAttrType(TF_OperationDescription *desc,
                                   const char *attr_name, TF_DataType value);
TF_CAPI_EXPORT void TF_SetAttrTypeList(TF_OperationDescription *desc,
                                       const char *attr_name,
                                       const TF_DataType *values,
                                       int num_values);
TF_CAPI_EXPORT void TF_SetAttrPlaceholder(TF_OperationDescription *desc,
                                          const char *attr_name,
                                          const char *placeholder);
TF_CAPI_EXPORT void TF_SetAttrFuncName(TF_OperationDescription *desc,
                                       const char *attr_name, const char *value,
                                       size_t length);
TF_CAPI_EXPORT void TF_SetAttrShape(TF_OperationDescription *desc,
                                    const char *attr_name, const int64_t *dims,
                                    int num_dims);
TF_CAPI_EXPORT void TF_SetAttrShapeList(TF_OperationDescription *desc,
                                        const char *attr_name,
                                        const int64_t *const *dims,
                                        const int *num_dims, int num_shapes);
TF_CAPI_EXPORT void TF_SetAttrTensorShapeProto(TF_OperationDescription *desc,
                                               const char *attr_name,
                                               const void *proto,
                                               size_t proto_len,
                                               TF_Status *status);
TF_CAPI_EXPORT void
TF_SetAttrTensorShapeProtoList(TF_OperationDescription *desc,
                               const char *attr_name, const void *const *protos,
                               const size_t *proto_lens, int num_shapes,
                               TF_Status *status);
TF_CAPI_EXPORT void TF_SetAttrTensor(TF_OperationDescription *desc,
                                     const char *attr_name, TF_Tensor *value,
                                     TF_Status *status);
TF_CAPI_EXPORT void TF_SetAttrTensorList(TF_OperationDescription *desc,
                                         const char *attr_name,
                                         TF_Tensor *const *values,
                                         int num_values, TF_Status *status);
TF_CAPI_EXPORT void TF_SetAttrValueProto(TF_OperationDescription *desc,
                                         const char *attr_name,
                                         const void *proto, size_t proto_len,
                                         TF_Status *status);
TF_CAPI_EXPORT TF_Operation *
TF_FinishOperationLocked(TF_OperationDescription *desc, TF_Status *status);
TF_CAPI_EXPORT TF_Operation *TF_FinishOperation(TF_OperationDescription *desc,
                                                TF_Status *status);

// Loops: the caller builds condition and body in graphs of their own.
typedef struct TF_WhileParams {
  const int ninputs;
  TF_Graph *const cond_graph;
  const TF_Output *const cond_inputs;
  TF_Output cond_output;
  TF_Graph *const body_graph;
  const TF_Output *const body_inputs;
  TF_Output *const body_outputs;
  const char *name;
} TF_WhileParams;
TF_CAPI_EXPORT TF_WhileParams TF_NewWhile(TF_Graph *g, TF_Output *inputs,
                                          int ninputs, TF_Status *status);
TF_CAPI_EXPORT void TF_FinishWhile(const TF_WhileParams *params,
                                   TF_Status *status, TF_Output *outputs);
TF_CAPI_EXPORT void TF_AbortWhile(const TF_WhileParams *params);

TF_CAPI_EXPORT void TF_AddGradients(TF_Graph *g, TF_Output *y, int ny,
                                    TF_Output *x, int nx, TF_Output *dx,
                                    TF_Status *status, TF_Output *dy);
TF_CAPI_EXPORT void TF_AddGradientsWithPrefix(TF_Graph *g, const char *prefix,
                                              TF_Output *y, int ny,
                                              TF_Output *x, int nx,
                                              TF_Output *dx, TF_Status *status,
                                              TF_Output *dy);

// Functions.
TF_CAPI_EXPORT void TF_GraphCopyFunction(TF_Graph *g, const TF_Function *func,
                                         const TF_Function *grad,
                                         TF_Status *status);
TF_CAPI_EXPORT int TF_GraphNumFunctions(TF_Graph *g);
TF_CAPI_EXPORT int TF_GraphGetFunctions(TF_Graph *g, TF_Function **funcs,
                                        int max_func, TF_Status *status);
TF_CAPI_EXPORT TF_Function *TF_GraphToFunction(
    const TF_Graph *fn_body, const char *fn_name,
    unsigned char append_hash_to_fn_name, int num_opers,
    const TF_Operation *const *opers, int ninputs, const TF_Output *inputs,
    int noutputs, const TF_Output *outputs, const char *const *output_names,
    const TF_FunctionOptions *opts, const char *description, TF_Status *status);
TF_CAPI_EXPORT TF_Function *TF_GraphToFunctionWithControlOutputs(
    const TF_Graph *fn_body, const char *fn_name,
    unsigned char append_hash_to_fn_name, int num_opers,
    const TF_Operation *const *opers, int ninputs, const TF_Output *inputs,
    int noutputs, const TF_Output *outputs, const char *const *output_names,
    int ncontrol_outputs, const TF_Operation *const *control_outputs,
    const char *const *control_output_names, const TF_FunctionOptions *opts,
    const char *description, TF_Status *status);
TF_CAPI_EXPORT const char *TF_FunctionName(TF_Function *func);
TF_CAPI_EXPORT void TF_FunctionToFunctionDef(TF_Function *func,
                                             TF_Buffer *output_func_def,
                                             TF_Status *status);
TF_CAPI_EXPORT TF_Function *TF_FunctionImportFunctionDef(const void *proto,
                                                         size_t proto_len,
                                                         TF_Status *status);
TF_CAPI_EXPORT void TF_FunctionSetAttrValueProto(TF_Function *func,
                                                 const char *attr_name,
                                                 const void *proto,
                                                 size_t proto_len,
                                                 TF_Status *status);
TF_CAPI_EXPORT void TF_FunctionGetAttrValueProto(TF_Function *func,
                                                 const char *attr_name,
                                                 TF_Buffer *output_attr_value,
                                                 TF_Status *status);
TF_CAPI_EXPORT void TF_DeleteFunction(TF_Function *func);

// Changes of what is built, which Kiln's graphs do not take: UNIMPLEMENTED.
TF_CAPI_EXPORT void TF_UpdateEdge(TF_Graph *graph, TF_Output new_src,
                                  TF_Input dst, TF_Status *status);
TF_CAPI_EXPORT void TF_AddOperationControlInput(TF_Graph *graph,
                                                TF_Operation *op,
                                                TF_Operation *input);
TF_CAPI_EXPORT void TF_SetAttr(TF_Graph *graph, TF_Operation *op,
                               const char *attr_name,
                               TF_Buffer *attr_value_proto, TF_Status *status);
TF_CAPI_EXPORT void TF_ClearAttr(TF_Graph *graph, TF_Operation *op,
                                 const char *attr_name, TF_Status *status);
TF_CAPI_EXPORT void TF_SetFullType(TF_Graph *graph, TF_Operation *op,
                                   const TF_Buffer *full_type_proto);
TF_CAPI_EXPORT void TF_SetRequestedDevice(TF_Graph *graph, TF_Operation *op,
                                          const char *device);
TF_CAPI_EXPORT void TF_RemoveAllControlInputs(TF_Graph *graph,
                                              TF_Operation *op);
TF_CAPI_EXPORT void TF_SetRequireShapeInferenceFns(TF_Graph *graph,
                                                   bool require);
TF_CAPI_EXPORT TF_Buffer *TF_GetHandleShapeAndType(TF_Graph *graph,
                                                   TF_Output output);
TF_CAPI_EXPORT void TF_SetHandleShapeAndType(TF_Graph *graph, TF_Output output,
                                             const void *proto,
                                             size_t proto_len,
                                             TF_Status *status);
TF_CAPI_EXPORT void TF_AddWhileInputHack(TF_Graph *graph, TF_Output new_src,
                                         TF_Operation *dst, TF_Status *status);

#ifdef __cplusplus
}
#endif

#endif // KILN_CAPI_INCLUDE_TENSORFLOW_C_PARTS_BUILDING_H
