// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that the ops of a context may call, by name or as attributes.
#include "capi/Eager.h"
#include "kiln/Messages.h"
#include "kiln/OpSchema.h"
#include "tensorflow/c/eager/c_api_experimental.h"

using namespace kiln;
using namespace kiln::capi;

void TFE_ContextAddFunctionDef(TFE_Context *ctx,
                               const char *serialized_function_def, size_t size,
                               TF_Status *status) {
  clearStatus(status);
  std::lock_guard lock(ctx->graph.adding);
  const Status added =
      addFunctionDef(*ctx->graph.graph, {serialized_function_def, size});
  if (!added.ok())
    setStatus(status, added);
}

void TFE_ContextAddFunction(TFE_Context *ctx, TF_Function *function,
                            TF_Status *status) {
  TF_GraphCopyFunction(&ctx->graph, function, nullptr, status);
}

unsigned char TFE_ContextHasFunction(TFE_Context *ctx, const char *name) {
  std::lock_guard lock(ctx->graph.adding);
  return functionSchema(*ctx->graph.graph, name).has_value();
}

// Nodes of earlier ops may call it still.
void TFE_ContextRemoveFunction(TFE_Context *ctx, const char *name,
                               TF_Status *status) {
  clearStatus(status);
  setStatus(status,
            TFE_ContextHasFunction(ctx, name)
                ? unimplementedError("TFE_ContextRemoveFunction is not "
                                     "implemented in Kiln")
                : notFoundError("Tried to remove non-existent function '" +
                                std::string(name) + "'."));
}

TF_Function *TFE_ContextGetFunction(TFE_Context *ctx, const char *name,
                                    TF_Status *status) {
  if (!TFE_ContextHasFunction(ctx, name)) {
    clearStatus(status);
    setStatus(status, notFoundError("Unable to find Function with name: " +
                                    std::string(name)));
    return nullptr;
  }
  TF_Buffer *bytes = TF_NewBuffer();
  TFE_ContextGetFunctionDef(ctx, name, bytes, status);
  auto *function =
      TF_GetCode(status) == TF_OK
          ? new TF_Function{.name = name, .bytes = std::string(bytesOf(bytes))}
          : nullptr;
  TF_DeleteBuffer(bytes);
  return function;
}

void TFE_ContextGetFunctionDef(TFE_Context *ctx, const char *function_name,
                               TF_Buffer *buf, TF_Status *status) {
  clearStatus(status);
  std::lock_guard lock(ctx->graph.adding);
  const auto functions = encodeFunctionDefs(*ctx->graph.graph);
  if (!functions.ok())
    return setStatus(status, functions.status());
  for (const std::string &bytes : *functions) {
    // Read into a graph of its own, a function says its name.
    kiln::Graph alone;
    if (addFunctionDef(alone, bytes).ok() &&
        functionSchema(alone, function_name))
      return setBuffer(buf, bytes);
  }
  setStatus(status, notFoundError("Unable to find FunctionDef with name: " +
                                  std::string(function_name)));
}
