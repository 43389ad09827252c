// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TF_Function: parts of graphs as functions, and the functions of a graph.
#include "capi/Handles.h"
#include "kiln/FunctionSpec.h"
#include "kiln/Messages.h"

#include <algorithm>

using namespace kiln;
using namespace kiln::capi;

namespace {

std::vector<std::string> namesOf(const char *const *names, int count) {
  return names ? std::vector<std::string>(names, names + std::max(count, 0))
               : std::vector<std::string>();
}

std::vector<Output> outputsOf(const TF_Output *outputs, int count) {
  std::vector<Output> list;
  for (int i = 0; i < count; ++i)
    list.push_back(outputOf(outputs[i]));
  return list;
}

std::vector<const Node *> nodesOf(const TF_Operation *const *operations,
                                  int count) {
  std::vector<const Node *> list;
  for (int i = 0; i < count; ++i)
    list.push_back(nodeOf(operations[i]));
  return list;
}

StatusOr<TF_Function *> makeFunction(const TF_Graph &graph, std::string name,
                                     bool appendsHash, const char *description,
                                     const GraphPart &part) {
  StatusOr<FunctionSpec> spec = functionFromGraph(*graph.graph, name, part);
  if (!spec.ok())
    return spec.status();
  if (description)
    spec->description = description;
  if (appendsHash) {
    StatusOr<std::string> hash = functionDefHash(*spec);
    if (!hash.ok())
      return hash.status();
    name += "_" + *hash;
    spec->signature.name = name;
  }
  StatusOr<std::string> bytes = encodeFunctionDef(*spec);
  if (!bytes.ok())
    return bytes.status();
  return new TF_Function{std::move(name), *std::move(bytes)};
}

} // namespace

TF_Function *TF_GraphToFunctionWithControlOutputs(
    const TF_Graph *fn_body, const char *fn_name,
    unsigned char append_hash_to_fn_name, int num_opers,
    const TF_Operation *const *opers, int ninputs, const TF_Output *inputs,
    int noutputs, const TF_Output *outputs, const char *const *output_names,
    int ncontrol_outputs, const TF_Operation *const *control_outputs,
    const char *const *control_output_names, const TF_FunctionOptions *,
    const char *description, TF_Status *status) {
  clearStatus(status);
  GraphPart part{.inputs = outputsOf(inputs, ninputs),
                 .outputs = outputsOf(outputs, noutputs),
                 .outputNames = namesOf(output_names, noutputs),
                 .controlOutputs = nodesOf(control_outputs, ncontrol_outputs),
                 .controlOutputNames =
                     namesOf(control_output_names, ncontrol_outputs)};
  if (num_opers != -1)
    part.body = nodesOf(opers, num_opers);
  const StatusOr<TF_Function *> function = makeFunction(
      *fn_body, fn_name, append_hash_to_fn_name != 0, description, part);
  if (function.ok())
    return *function;
  setStatus(status, function.status());
  return nullptr;
}

TF_Function *TF_GraphToFunction(const TF_Graph *fn_body, const char *fn_name,
                                unsigned char append_hash_to_fn_name,
                                int num_opers, const TF_Operation *const *opers,
                                int ninputs, const TF_Output *inputs,
                                int noutputs, const TF_Output *outputs,
                                const char *const *output_names,
                                const TF_FunctionOptions *opts,
                                const char *description, TF_Status *status) {
  return TF_GraphToFunctionWithControlOutputs(
      fn_body, fn_name, append_hash_to_fn_name, num_opers, opers, ninputs,
      inputs, noutputs, outputs, output_names, 0, nullptr, nullptr, opts,
      description, status);
}

const char *TF_FunctionName(TF_Function *func) { return func->name.c_str(); }

void TF_DeleteFunction(TF_Function *func) { delete func; }

void TF_GraphCopyFunction(TF_Graph *g, const TF_Function *func,
                          const TF_Function *grad, TF_Status *status) {
  clearStatus(status);
  if (!func)
    return setStatus(
        status, invalidArgumentError(
                    "'func' argument to TF_GraphCopyFunction cannot be null"));
  std::lock_guard lock(g->adding);
  Status added = addFunctionDef(*g->graph, func->bytes);
  if (added.ok() && grad) {
    added = addFunctionDef(*g->graph, grad->bytes);
    if (added.ok())
      added = addFunctionGradient(*g->graph, func->name, grad->name);
  }
  setStatus(status, added);
}

int TF_GraphNumFunctions(TF_Graph *g) {
  const auto functions = encodeFunctionDefs(*g->graph);
  return functions.ok() ? static_cast<int>(functions->size()) : 0;
}

int TF_GraphGetFunctions(TF_Graph *g, TF_Function **funcs, int max_func,
                         TF_Status *status) {
  clearStatus(status);
  StatusOr<std::vector<std::string>> all = encodeFunctionDefs(*g->graph);
  if (!all.ok()) {
    setStatus(status, all.status());
    return 0;
  }
  const int count =
      std::clamp(static_cast<int>(all->size()), 0, std::max(max_func, 0));
  for (int i = 0; i < count; ++i) {
    std::string &bytes = (*all)[static_cast<size_t>(i)];
    const StatusOr<FunctionHead> head = decodeFunctionHead(bytes);
    funcs[i] = new TF_Function{head.ok() ? head->name : std::string(),
                               std::move(bytes)};
  }
  return count;
}

void TF_FunctionToFunctionDef(TF_Function *func, TF_Buffer *output_func_def,
                              TF_Status *status) {
  clearStatus(status);
  if (output_func_def->data)
    return setStatus(status, invalidArgumentError(
                                 "Passing non-empty TF_Buffer is invalid."));
  setBuffer(output_func_def, func->bytes);
}

TF_Function *TF_FunctionImportFunctionDef(const void *proto, size_t proto_len,
                                          TF_Status *status) {
  clearStatus(status);
  std::string bytes(static_cast<const char *>(proto), proto_len);
  StatusOr<FunctionHead> head = decodeFunctionHead(bytes);
  if (head.ok())
    return new TF_Function{std::move(head->name), std::move(bytes)};
  setStatus(status,
            invalidArgumentError(
                "Invalid FunctionDef given to TF_FunctionImportFunctionDef"));
  return nullptr;
}

void TF_FunctionSetAttrValueProto(TF_Function *func, const char *attr_name,
                                  const void *proto, size_t proto_len,
                                  TF_Status *status) {
  clearStatus(status);
  const StatusOr<AttrValue> value =
      decodeAttrValue({static_cast<const char *>(proto), proto_len});
  if (!value.ok())
    return setStatus(
        status, invalidArgumentError("Unparseable AttrValue proto passed to "
                                     "TF_FunctionSetAttrValueProto"));
  StatusOr<std::string> changed =
      setFunctionAttr(func->bytes, attr_name, *value);
  if (!changed.ok())
    return setStatus(status, changed.status());
  func->bytes = *std::move(changed);
}

void TF_FunctionGetAttrValueProto(TF_Function *func, const char *attr_name,
                                  TF_Buffer *output_attr_value,
                                  TF_Status *status) {
  clearStatus(status);
  const StatusOr<FunctionHead> head = decodeFunctionHead(func->bytes);
  if (!head.ok())
    return setStatus(status, head.status());
  const AttrValue *value = head->attrs.find(attr_name);
  if (!value)
    return setStatus(status, invalidArgumentError("Function '" + func->name +
                                                  "' has no attr named '" +
                                                  attr_name + "'."));
  const StatusOr<std::string> bytes = encodeAttrValue(*value);
  if (!bytes.ok())
    return setStatus(status, bytes.status());
  setBuffer(output_attr_value, *bytes);
}
