// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Part of c_api.h: adding GraphDef messages to graphs.
#ifndef KILN_CAPI_INCLUDE_TENSORFLOW_C_PARTS_IMPORT_H
#define KILN_CAPI_INCLUDE_TENSORFLOW_C_PARTS_IMPORT_H

#include "tensorflow/c/parts/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TF_ImportGraphDefOptions TF_ImportGraphDefOptions;
TF_CAPI_EXPORT TF_ImportGraphDefOptions *TF_NewImportGraphDefOptions(void);
TF_CAPI_EXPORT void
TF_DeleteImportGraphDefOptions(TF_ImportGraphDefOptions *opts);

// Names begin with the prefix and a slash. Names and prefix are made unique
// where this is asked for; otherwise one in use is an error.
TF_CAPI_EXPORT void
TF_ImportGraphDefOptionsSetPrefix(TF_ImportGraphDefOptions *opts,
                                  const char *prefix);
TF_CAPI_EXPORT void
TF_ImportGraphDefOptionsSetDefaultDevice(TF_ImportGraphDefOptions *opts,
                                         const char *device);
TF_CAPI_EXPORT void
TF_ImportGraphDefOptionsSetUniquifyNames(TF_ImportGraphDefOptions *opts,
                                         unsigned char uniquify_names);
TF_CAPI_EXPORT void
TF_ImportGraphDefOptionsSetUniquifyPrefix(TF_ImportGraphDefOptions *opts,
                                          unsigned char uniquify_prefix);

// What takes the place of an input of the imported nodes, and what they wait
// for.
TF_CAPI_EXPORT void
TF_ImportGraphDefOptionsAddInputMapping(TF_ImportGraphDefOptions *opts,
                                        const char *src_name, int src_index,
                                        TF_Output dst);
TF_CAPI_EXPORT void TF_ImportGraphDefOptionsRemapControlDependency(
    TF_ImportGraphDefOptions *opts, const char *src_name, TF_Operation *dst);
TF_CAPI_EXPORT void
TF_ImportGraphDefOptionsAddControlDependency(TF_ImportGraphDefOptions *opts,
                                             TF_Operation *oper);

// What is handed back, by names of the GraphDef.
TF_CAPI_EXPORT void
TF_ImportGraphDefOptionsAddReturnOutput(TF_ImportGraphDefOptions *opts,
                                        const char *oper_name, int index);
TF_CAPI_EXPORT int
TF_ImportGraphDefOptionsNumReturnOutputs(const TF_ImportGraphDefOptions *opts);
TF_CAPI_EXPORT void
TF_ImportGraphDefOptionsAddReturnOperation(TF_ImportGraphDefOptions *opts,
                                           const char *oper_name);
TF_CAPI_EXPORT int TF_ImportGraphDefOptionsNumReturnOperations(
    const TF_ImportGraphDefOptions *opts);

// Arrays belong to the results.
typedef struct TF_ImportGraphDefResults TF_ImportGraphDefResults;
TF_CAPI_EXPORT void
TF_ImportGraphDefResultsReturnOutputs(TF_ImportGraphDefResults *results,
                                      int *num_outputs, TF_Output **outputs);
TF_CAPI_EXPORT void
TF_ImportGraphDefResultsReturnOperations(TF_ImportGraphDefResults *results,
                                         int *num_opers, TF_Operation ***opers);
TF_CAPI_EXPORT void TF_ImportGraphDefResultsMissingUnusedInputMappings(
    TF_ImportGraphDefResults *results, int *num_missing_unused_input_mappings,
    const char ***src_names, int **src_indexes);
TF_CAPI_EXPORT void
TF_DeleteImportGraphDefResults(TF_ImportGraphDefResults *results);

TF_CAPI_EXPORT TF_ImportGraphDefResults *
TF_GraphImportGraphDefWithResults(TF_Graph *graph, const TF_Buffer *graph_def,
                                  const TF_ImportGraphDefOptions *options,
                                  TF_Status *status);
TF_CAPI_EXPORT TF_ImportGraphDefResults *
TF_GraphImportGraphDefWithResultsNoSerialization(
    TF_Graph *graph, const TF_Buffer *graph_def,
    const TF_ImportGraphDefOptions *options, TF_Status *status);
TF_CAPI_EXPORT void TF_GraphImportGraphDefWithReturnOutputs(
    TF_Graph *graph, const TF_Buffer *graph_def,
    const TF_ImportGraphDefOptions *options, TF_Output *return_outputs,
    int num_return_outputs, TF_Status *status);
TF_CAPI_EXPORT void
TF_GraphImportGraphDef(TF_Graph *graph, const TF_Buffer *graph_def,
                       const TF_ImportGraphDefOptions *options,
                       TF_Status *status);

#ifdef __cplusplus
}
#endif

#endif // KILN_CAPI_INCLUDE_TENSORFLOW_C_PARTS_IMPORT_H
