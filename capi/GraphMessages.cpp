// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs and operations as messages, and what the op of one says of its
// arguments.
#include "capi/Handles.h"
#include "kiln/GraphDef.h"
#include "kiln/Messages.h"

using namespace kiln;
using namespace kiln::capi;

namespace {

void writeMessage(const StatusOr<std::string> &bytes, TF_Buffer *buffer,
                  TF_Status *status) {
  clearStatus(status);
  if (!bytes.ok())
    return setStatus(status, bytes.status());
  if (buffer->data)
    return setStatus(status, invalidArgumentError(
                                 "Passing non-empty TF_Buffer is invalid."));
  setBuffer(buffer, *bytes);
}

NodeSpec specOf(const Node &node) {
  NodeSpec spec{.name = node.name(),
                .op = node.op(),
                .attrs = node.attrs(),
                .device = node.device()};
  for (const Output &input : node.inputs())
    spec.inputs.push_back(input.index == 0 ? input.node->name() : input.name());
  for (const Node *control : node.controlInputs())
    spec.inputs.push_back("^" + control->name());
  return spec;
}

int listLength(const TF_Operation *oper, const char *argName,
               std::vector<OpArgument> OpSchema::*args, const char *kind,
               TF_Status *status) {
  clearStatus(status);
  const Node &node = *nodeOf(oper);
  if (const OpSchema *op = findOpSchema(node.op()))
    for (const OpArgument &arg : op->*args)
      if (arg.name == argName)
        return numTensors(arg, node);
  setStatus(status, invalidArgumentError(std::string(kind) + " arg '" +
                                         argName + "' not found"));
  return -1;
}

} // namespace

int TF_OperationInputListLength(TF_Operation *oper, const char *arg_name,
                                TF_Status *status) {
  return listLength(oper, arg_name, &OpSchema::inputs, "Input", status);
}

int TF_OperationOutputListLength(TF_Operation *oper, const char *arg_name,
                                 TF_Status *status) {
  return listLength(oper, arg_name, &OpSchema::outputs, "Output", status);
}

void TF_OperationToNodeDef(TF_Operation *oper, TF_Buffer *output_node_def,
                           TF_Status *status) {
  writeMessage(encodeNodeDef(specOf(*nodeOf(oper))), output_node_def, status);
}

void TF_GraphToGraphDef(TF_Graph *graph, TF_Buffer *output_graph_def,
                        TF_Status *status) {
  writeMessage(toGraphDef(*graph->graph), output_graph_def, status);
}

void TF_GraphVersions(TF_Graph *graph, TF_Buffer *output_version_def,
                      TF_Status *status) {
  writeMessage(encodeVersionDef(graph->graph->versions()), output_version_def,
               status);
}

void TF_GraphGetOpDef(TF_Graph *graph, const char *op_name,
                      TF_Buffer *output_op_def, TF_Status *status) {
  if (const OpSchema *op = findOpSchema(op_name))
    return writeMessage(encodeOpDef(*op), output_op_def, status);
  if (std::optional<OpSchema> function = functionSchema(*graph->graph, op_name))
    return writeMessage(encodeOpDef(*function), output_op_def, status);
  setStatus(status, opNotRegistered(op_name));
}
