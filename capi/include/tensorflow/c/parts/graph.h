// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Part of c_api.h: graphs, their operations, and what is known of these.
#ifndef KILN_CAPI_INCLUDE_TENSORFLOW_C_PARTS_GRAPH_H
#define KILN_CAPI_INCLUDE_TENSORFLOW_C_PARTS_GRAPH_H

#include "tensorflow/c/c_api_macros.h"
#include "tensorflow/c/tf_attrtype.h"
#include "tensorflow/c/tf_buffer.h"
#include "tensorflow/c/tf_datatype.h"
#include "tensorflow/c/tf_status.h"
#include "tensorflow/c/tf_tensor.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Sessions keep what they need of a graph: it may be deleted before them.
typedef struct TF_Graph TF_Graph;
TF_CAPI_EXPORT TF_Graph *TF_NewGraph(void);
TF_CAPI_EXPORT void TF_DeleteGraph(TF_Graph *);

// A node. The graph owns it; the pointer is the same as long as the graph
// lives.
typedef struct TF_Operation TF_Operation;

// Input and output of a node, by number.
typedef struct TF_Input {
  TF_Operation *oper;
  int index;
} TF_Input;
typedef struct TF_Output {
  TF_Operation *oper;
  int index;
} TF_Output;

// Functions, which graphs hold copies of.
typedef struct TF_Function TF_Function;
typedef struct TF_FunctionOptions TF_FunctionOptions;

// What is known of a tensor's shape: -1 for an unknown rank or dimension.
TF_CAPI_EXPORT void TF_GraphSetTensorShape(TF_Graph *graph, TF_Output output,
                                           const int64_t *dims,
                                           const int num_dims,
                                           TF_Status *status);
TF_CAPI_EXPORT int TF_GraphGetTensorNumDims(TF_Graph *graph, TF_Output output,
                                            TF_Status *status);
TF_CAPI_EXPORT void TF_GraphGetTensorShape(TF_Graph *graph, TF_Output output,
                                           int64_t *dims, int num_dims,
                                           TF_Status *status);

// Lookup. Position starts at 0 and is the caller's to keep.
TF_CAPI_EXPORT TF_Operation *TF_GraphOperationByName(TF_Graph *graph,
                                                     const char *oper_name);
TF_CAPI_EXPORT TF_Operation *TF_GraphNextOperation(TF_Graph *graph,
                                                   size_t *pos);

// Texts belong to the graph.
TF_CAPI_EXPORT const char *TF_OperationName(TF_Operation *oper);
TF_CAPI_EXPORT const char *TF_OperationOpType(TF_Operation *oper);
TF_CAPI_EXPORT const char *TF_OperationDevice(TF_Operation *oper);
TF_CAPI_EXPORT int TF_OperationNumOutputs(TF_Operation *oper);
TF_CAPI_EXPORT TF_DataType TF_OperationOutputType(TF_Output oper_out);
TF_CAPI_EXPORT int TF_OperationOutputListLength(TF_Operation *oper,
                                                const char *arg_name,
                                                TF_Status *status);
TF_CAPI_EXPORT int TF_OperationNumInputs(TF_Operation *oper);
TF_CAPI_EXPORT TF_DataType TF_OperationInputType(TF_Input oper_in);
TF_CAPI_EXPORT int TF_OperationInputListLength(TF_Operation *oper,
                                               const char *arg_name,
                                               TF_Status *status);
TF_CAPI_EXPORT TF_Output TF_OperationInput(TF_Input oper_in);
TF_CAPI_EXPORT void TF_OperationAllInputs(TF_Operation *oper, TF_Output *inputs,
                                          int max_inputs);

// Edges the other way, and control edges. The functions that fill arrays return
// how many there are.
TF_CAPI_EXPORT int TF_OperationOutputNumConsumers(TF_Output oper_out);
TF_CAPI_EXPORT int TF_OperationOutputConsumers(TF_Output oper_out,
                                               TF_Input *consumers,
                                               int max_consumers);
TF_CAPI_EXPORT int TF_OperationNumControlInputs(TF_Operation *oper);
TF_CAPI_EXPORT int TF_OperationGetControlInputs(TF_Operation *oper,
                                                TF_Operation **control_inputs,
                                                int max_control_inputs);
TF_CAPI_EXPORT int TF_OperationNumControlOutputs(TF_Operation *oper);
TF_CAPI_EXPORT int TF_OperationGetControlOutputs(TF_Operation *oper,
                                                 TF_Operation **control_outputs,
                                                 int max_control_outputs);

// As messages.
TF_CAPI_EXPORT void TF_GraphToGraphDef(TF_Graph *graph,
                                       TF_Buffer *output_graph_def,
                                       TF_Status *status);
TF_CAPI_EXPORT void TF_GraphGetOpDef(TF_Graph *graph, const char *op_name,
                                     TF_Buffer *output_op_def,
                                     TF_Status *status);
TF_CAPI_EXPORT void TF_GraphVersions(TF_Graph *graph,
                                     TF_Buffer *output_version_def,
                                     TF_Status *status);
TF_CAPI_EXPORT void TF_OperationToNodeDef(TF_Operation *oper,
                                          TF_Buffer *output_node_def,
                                          TF_Status *status);

// The value of a tensor that needs no run to be known.
TF_CAPI_EXPORT unsigned char TF_TryEvaluateConstant(TF_Graph *graph,
                                                    TF_Output output,
                                                    TF_Tensor **result,
                                                    TF_Status *status);

#ifdef __cplusplus
}
#endif

#endif // KILN_CAPI_INCLUDE_TENSORFLOW_C_PARTS_GRAPH_H
