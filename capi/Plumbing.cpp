// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What TensorFlow's Python and a few bindings ask for beside graphs and
// sessions.
#include "capi/Handles.h"
#include "kiln/ConstantValue.h"
#include "kiln/GraphDef.h"
#include "kiln/OpSchema.h"
#include "tensorflow/c/c_api_experimental.h"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

using namespace kiln;
using namespace kiln::capi;

unsigned char TF_TryEvaluateConstant(TF_Graph *graph, TF_Output output,
                                     TF_Tensor **result, TF_Status *status) {
  clearStatus(status);
  *result = nullptr;
  std::lock_guard lock(graph->adding);
  const Output tensor = outputOf(output);
  if (!graph->graph->contains(tensor.node) || tensor.index < 0 ||
      tensor.index >= std::max(tensor.node->numOutputs(), 0)) {
    setStatus(status, tensor.node ? noOutputError(*tensor.node, tensor.index)
                                  : invalidArgumentError("no operation"));
    return false;
  }
  std::optional<Tensor> value = ops::constantValue(tensor);
  if (value)
    *result = tensorOf(*std::move(value));
  return value.has_value();
}

int TF_OpIsStateful(const char *op_type, TF_Status *status) {
  clearStatus(status);
  if (const OpSchema *schema = findOpSchema(op_type))
    return schema->isStateful;
  setStatus(status, opNotRegistered(op_type));
  return 0;
}

// The text is for the caller to free().
const char *TF_GraphDebugString(TF_Graph *graph, size_t *len) {
  const StatusOr<std::string> text =
      toGraphDef(*graph->graph, GraphDefFormat::Text);
  const std::string_view view =
      text.ok() ? std::string_view(*text) : text.status().message();
  auto *copy = static_cast<char *>(std::malloc(view.size() + 1));
  if (!copy)
    return nullptr;
  std::memcpy(copy, view.data(), view.size());
  copy[view.size()] = '\0';
  *len = view.size();
  return copy;
}

TF_Buffer *TF_CreateRunOptions(unsigned char enable_full_trace) {
  // trace_level: FULL_TRACE
  return enable_full_trace ? TF_NewBufferFromString("\x08\x03", 2)
                           : TF_NewBufferFromString("", 0);
}

void TF_MakeInternalErrorStatus(TF_Status *status, const char *errMsg) {
  clearStatus(status);
  setStatus(status, internalError(errMsg));
}

// Kiln has CPUs alone; a library that is not there is told as TensorFlow does.
TF_Library *TF_LoadPluggableDeviceLibrary(const char *library_filename,
                                          TF_Status *status) {
  clearStatus(status);
  if (void *library = dlopen(library_filename, RTLD_NOW | RTLD_LOCAL)) {
    dlclose(library);
    setStatus(status, unimplementedError("TF_LoadPluggableDeviceLibrary is not "
                                         "implemented in Kiln"));
    return nullptr;
  }
  const char *reason = dlerror();
  setStatus(status, notFoundError(reason ? reason : library_filename));
  return nullptr;
}

void TF_DeletePluggableDeviceLibraryHandle(TF_Library *) {}
