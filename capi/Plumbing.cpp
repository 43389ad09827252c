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

const char *TF_GetNumberAttrForOpListInput(const char *op_name, int input_index,
                                           TF_Status *status) {
  clearStatus(status);
  const OpSchema *schema = findOpSchema(op_name);
  if (!schema) {
    setStatus(status, opNotRegistered(op_name));
    return nullptr;
  }
  if (input_index < 0 ||
      static_cast<size_t>(input_index) >= schema->inputs.size()) {
    setStatus(status, invalidArgumentError(std::to_string(input_index) +
                                           " out of range for " + op_name));
    return nullptr;
  }
  const std::string &name =
      schema->inputs[static_cast<size_t>(input_index)].numberAttr;
  if (!name.empty())
    return name.c_str();
  setStatus(status, notFoundError(std::string(op_name) +
                                  " does not have number_attr() defined."));
  return nullptr;
}

// A ConfigProto: device_count of "CPU", one thread between ops, the memory of
// graphics cards, and whether XLA compiles.
TF_Buffer *TF_CreateConfig(unsigned char enable_xla_compilation,
                           unsigned char gpu_memory_allow_growth,
                           unsigned int num_cpu_devices) {
  // A count is an int32, which is written with 64 bits where it is negative.
  auto rest =
      static_cast<uint64_t>(int64_t{static_cast<int32_t>(num_cpu_devices)});
  std::string count;
  for (; rest >= 128; rest >>= 7)
    count += static_cast<char>(rest | 128);
  count += static_cast<char>(rest);
  const std::string device = "\x0a\x03"
                             "CPU\x10" +
                             count;
  std::string bytes =
      "\x0a" + std::string(1, static_cast<char>(device.size())) + device;
  bytes += "\x28\x01\x32";
  bytes += gpu_memory_allow_growth ? std::string("\x02\x20\x01")
                                   : std::string(1, '\0');
  bytes += enable_xla_compilation ? "\x52\x04\x1a\x02\x28\x01"
                                  : "\x52\x0d\x1a\x0b\x28"
                                    "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01";
  return TF_NewBufferFromString(bytes.data(), bytes.size());
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
