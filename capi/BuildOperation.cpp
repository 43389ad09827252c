// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TF_NewOperation ... TF_FinishOperation.
#include "capi/Description.h"
#include "kiln/Describe.h"
#include "kiln/NodeNames.h"

#include <memory>

using namespace kiln;
using namespace kiln::capi;

namespace {

/// What Kiln's checker says of a node's attributes, in all of TensorFlow's
/// words: with the node and its op.
Status withOp(const Status &error, const TF_OperationDescription &desc) {
  std::string text(error.message());
  const std::string node = "; NodeDef: {{node " + desc.spec.name + "}}";
  const std::string op = desc.schema() ? describe(*desc.schema()) : "";
  constexpr std::string_view expected = "' expected for attr";
  if (text.starts_with("NodeDef missing attr"))
    return Status(error.code(), text + " from " + op + node);
  if (const size_t at = text.find(expected);
      text.starts_with("AttrValue had value") && at != std::string::npos)
    text.insert(at + std::string_view("' expected").size(), "\n\t");
  else if (!text.starts_with("Value for attr") &&
           !text.starts_with("Length for attr"))
    return Status(error.code(),
                  std::string(withShapes(error, desc.spec).message()));
  return Status(error.code(), text + "\n\t" + node + "; " + op);
}

StatusOr<const Node *> finish(TF_OperationDescription &desc) {
  kiln::Graph &graph = *desc.graph.graph;
  if (graph.lookup(desc.spec.name))
    return invalidArgumentError("Duplicate node name in graph: '" +
                                desc.spec.name + "'");
  if (Status status = desc.finish(); !status.ok())
    return status;
  const AnyNodeNames names;
  StatusOr<const Node *> node = graph.addNode(desc.spec);
  return node.ok() ? node : withOp(node.status(), desc);
}

} // namespace

TF_OperationDescription *TF_NewOperationLocked(TF_Graph *graph,
                                               const char *op_type,
                                               const char *oper_name) {
  return new TF_OperationDescription(*graph, op_type, oper_name);
}

TF_OperationDescription *TF_NewOperation(TF_Graph *graph, const char *op_type,
                                         const char *oper_name) {
  return TF_NewOperationLocked(graph, op_type, oper_name);
}

void TF_SetDevice(TF_OperationDescription *desc, const char *device) {
  desc->spec.device = device ? device : "";
}

void TF_AddInput(TF_OperationDescription *desc, TF_Output input) {
  desc->addInput(outputOf(input));
}

void TF_AddInputList(TF_OperationDescription *desc, const TF_Output *inputs,
                     int num_inputs) {
  std::vector<Output> list;
  for (int i = 0; i < num_inputs; ++i)
    list.push_back(outputOf(inputs[i]));
  desc->addInputList(list);
}

void TF_AddControlInput(TF_OperationDescription *desc, TF_Operation *input) {
  desc->spec.inputs.push_back("^" + nodeOf(input)->name());
}

void TF_ColocateWith(TF_OperationDescription *desc, TF_Operation *op) {
  desc->colocations.insert("loc:@" + nodeOf(op)->name());
}

TF_Operation *TF_FinishOperationLocked(TF_OperationDescription *desc,
                                       TF_Status *status) {
  std::unique_ptr<TF_OperationDescription> ended(desc);
  clearStatus(status);
  StatusOr<const Node *> node = finish(*desc);
  if (!node.ok())
    setStatus(status, node.status());
  return node.ok() ? operationOf(*node) : nullptr;
}

TF_Operation *TF_FinishOperation(TF_OperationDescription *desc,
                                 TF_Status *status) {
  std::lock_guard lock(desc->graph.adding);
  return TF_FinishOperationLocked(desc, status);
}
