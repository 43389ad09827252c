// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Part of c_api.h: sessions, devices, and what belongs to the process.
#ifndef KILN_CAPI_INCLUDE_TENSORFLOW_C_PARTS_SESSION_H
#define KILN_CAPI_INCLUDE_TENSORFLOW_C_PARTS_SESSION_H

#include "tensorflow/c/parts/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

// The config is a ConfigProto message.
typedef struct TF_SessionOptions TF_SessionOptions;
TF_CAPI_EXPORT TF_SessionOptions *TF_NewSessionOptions(void);
TF_CAPI_EXPORT void TF_SetTarget(TF_SessionOptions *options,
                                 const char *target);
TF_CAPI_EXPORT void TF_SetConfig(TF_SessionOptions *options, const void *proto,
                                 size_t proto_len, TF_Status *status);
TF_CAPI_EXPORT void TF_DeleteSessionOptions(TF_SessionOptions *);

typedef struct TF_Session TF_Session;
TF_CAPI_EXPORT TF_Session *TF_NewSession(TF_Graph *graph,
                                         const TF_SessionOptions *opts,
                                         TF_Status *status);
TF_CAPI_EXPORT TF_Session *TF_LoadSessionFromSavedModel(
    const TF_SessionOptions *session_options, const TF_Buffer *run_options,
    const char *export_dir, const char *const *tags, int tags_len,
    TF_Graph *graph, TF_Buffer *meta_graph_def, TF_Status *status);
TF_CAPI_EXPORT void TF_CloseSession(TF_Session *, TF_Status *status);
TF_CAPI_EXPORT void TF_DeleteSession(TF_Session *, TF_Status *status);

// Runs what the outputs and targets need. Inputs stay the caller's; output
// tensors become the caller's. The metadata, a RunMetadata message, may be
// null, as the options.
TF_CAPI_EXPORT void
TF_SessionRun(TF_Session *session, const TF_Buffer *run_options,
              const TF_Output *inputs, TF_Tensor *const *input_values,
              int ninputs, const TF_Output *outputs, TF_Tensor **output_values,
              int noutputs, const TF_Operation *const *target_opers,
              int ntargets, TF_Buffer *run_metadata, TF_Status *);

// Nodes that were added are seen without it.
TF_CAPI_EXPORT void TF_ExtendSession(TF_Session *session, TF_Status *status);

// Runs in parts: a handle of which feeds and fetches come in several calls.
TF_CAPI_EXPORT void TF_SessionPRunSetup(TF_Session *, const TF_Output *inputs,
                                        int ninputs, const TF_Output *outputs,
                                        int noutputs,
                                        const TF_Operation *const *target_opers,
                                        int ntargets, const char **handle,
                                        TF_Status *);
TF_CAPI_EXPORT void TF_SessionPRun(TF_Session *, const char *handle,
                                   const TF_Output *inputs,
                                   TF_Tensor *const *input_values, int ninputs,
                                   const TF_Output *outputs,
                                   TF_Tensor **output_values, int noutputs,
                                   const TF_Operation *const *target_opers,
                                   int ntargets, TF_Status *);
TF_CAPI_EXPORT void TF_DeletePRunHandle(const char *handle);

// Sessions of before there were graphs in this interface: tensors by name.
typedef struct TF_DeprecatedSession TF_DeprecatedSession;
TF_CAPI_EXPORT TF_DeprecatedSession *
TF_NewDeprecatedSession(const TF_SessionOptions *, TF_Status *status);
TF_CAPI_EXPORT void TF_CloseDeprecatedSession(TF_DeprecatedSession *,
                                              TF_Status *status);
TF_CAPI_EXPORT void TF_DeleteDeprecatedSession(TF_DeprecatedSession *,
                                               TF_Status *status);
TF_CAPI_EXPORT void TF_Reset(const TF_SessionOptions *opt,
                             const char **containers, int ncontainers,
                             TF_Status *status);
TF_CAPI_EXPORT void TF_ExtendGraph(TF_DeprecatedSession *, const void *proto,
                                   size_t proto_len, TF_Status *);
TF_CAPI_EXPORT void TF_Run(TF_DeprecatedSession *, const TF_Buffer *run_options,
                           const char **input_names, TF_Tensor **inputs,
                           int ninputs, const char **output_names,
                           TF_Tensor **outputs, int noutputs,
                           const char **target_oper_names, int ntargets,
                           TF_Buffer *run_metadata, TF_Status *);
TF_CAPI_EXPORT void TF_PRunSetup(TF_DeprecatedSession *,
                                 const char **input_names, int ninputs,
                                 const char **output_names, int noutputs,
                                 const char **target_oper_names, int ntargets,
                                 const char **handle, TF_Status *);
TF_CAPI_EXPORT void TF_PRun(TF_DeprecatedSession *, const char *handle,
                            const char **input_names, TF_Tensor **inputs,
                            int ninputs, const char **output_names,
                            TF_Tensor **outputs, int noutputs,
                            const char **target_oper_names, int ntargets,
                            TF_Status *);

typedef struct TF_DeviceList TF_DeviceList;
TF_CAPI_EXPORT TF_DeviceList *TF_SessionListDevices(TF_Session *session,
                                                    TF_Status *status);
TF_CAPI_EXPORT TF_DeviceList *
TF_DeprecatedSessionListDevices(TF_DeprecatedSession *session,
                                TF_Status *status);
TF_CAPI_EXPORT void TF_DeleteDeviceList(TF_DeviceList *list);
TF_CAPI_EXPORT int TF_DeviceListCount(const TF_DeviceList *list);
TF_CAPI_EXPORT const char *TF_DeviceListName(const TF_DeviceList *list,
                                             int index, TF_Status *status);
TF_CAPI_EXPORT const char *TF_DeviceListType(const TF_DeviceList *list,
                                             int index, TF_Status *status);
TF_CAPI_EXPORT int64_t TF_DeviceListMemoryBytes(const TF_DeviceList *list,
                                                int index, TF_Status *status);
TF_CAPI_EXPORT uint64_t TF_DeviceListIncarnation(const TF_DeviceList *list,
                                                 int index, TF_Status *status);

// Libraries of ops, and the ops that there are (an OpList message).
typedef struct TF_Library TF_Library;
TF_CAPI_EXPORT TF_Library *TF_LoadLibrary(const char *library_filename,
                                          TF_Status *status);
TF_CAPI_EXPORT TF_Buffer TF_GetOpList(TF_Library *lib_handle);
TF_CAPI_EXPORT void TF_DeleteLibraryHandle(TF_Library *lib_handle);
TF_CAPI_EXPORT TF_Buffer *TF_GetAllOpList(void);
TF_CAPI_EXPORT void TF_RegisterFilesystemPlugin(const char *plugin_filename,
                                                TF_Status *status);

// Descriptions of ops, merged as text.
typedef struct TF_ApiDefMap TF_ApiDefMap;
TF_CAPI_EXPORT TF_ApiDefMap *TF_NewApiDefMap(TF_Buffer *op_list_buffer,
                                             TF_Status *status);
TF_CAPI_EXPORT void TF_DeleteApiDefMap(TF_ApiDefMap *apimap);
TF_CAPI_EXPORT void TF_ApiDefMapPut(TF_ApiDefMap *api_def_map, const char *text,
                                    size_t text_len, TF_Status *status);
TF_CAPI_EXPORT TF_Buffer *TF_ApiDefMapGet(TF_ApiDefMap *api_def_map,
                                          const char *name, size_t name_len,
                                          TF_Status *status);

// KernelList messages.
TF_CAPI_EXPORT TF_Buffer *TF_GetAllRegisteredKernels(TF_Status *status);
TF_CAPI_EXPORT TF_Buffer *TF_GetRegisteredKernelsForOp(const char *name,
                                                       TF_Status *status);

// Servers.
typedef struct TF_Server TF_Server;
TF_CAPI_EXPORT TF_Server *TF_NewServer(const void *proto, size_t proto_len,
                                       TF_Status *status);
TF_CAPI_EXPORT void TF_ServerStart(TF_Server *server, TF_Status *status);
TF_CAPI_EXPORT void TF_ServerStop(TF_Server *server, TF_Status *status);
TF_CAPI_EXPORT void TF_ServerJoin(TF_Server *server, TF_Status *status);
TF_CAPI_EXPORT const char *TF_ServerTarget(TF_Server *server);
TF_CAPI_EXPORT void TF_DeleteServer(TF_Server *server);

TF_CAPI_EXPORT void TF_RegisterLogListener(void (*listener)(const char *));

#ifdef __cplusplus
}
#endif

#endif // KILN_CAPI_INCLUDE_TENSORFLOW_C_PARTS_SESSION_H
