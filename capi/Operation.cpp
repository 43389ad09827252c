// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TF_Operation: what a node is, and its inputs.
#include "capi/Handles.h"
#include "kiln/OpSchema.h"

using namespace kiln;
using namespace kiln::capi;

namespace {

bool hasInput(const Node &node, int index) {
  return index >= 0 && index < node.numInputs();
}

TF_DataType typeOf(const OutputInfo &info) {
  const int reference = info.isRef ? refTypeOffset : 0;
  return static_cast<TF_DataType>(static_cast<int>(info.dtype) + reference);
}

bool takesReference(const Node &node, int index) {
  const OpSchema *schema = findOpSchema(node.op());
  if (!schema)
    return false;
  for (const OpArgument &argument : schema->inputs) {
    index -= numTensors(argument, node);
    if (index < 0)
      return argument.isRef;
  }
  return false;
}

} // namespace

Status kiln::capi::noOutputError(const Node &node, int index) {
  return outOfRangeError(
      "Node '" + node.name() + "' (type: '" + node.op() +
      "', num of outputs: " + std::to_string(std::max(node.numOutputs(), 0)) +
      ") does not have output " + std::to_string(index));
}

const char *TF_OperationName(TF_Operation *oper) {
  return nodeOf(oper)->name().c_str();
}

const char *TF_OperationOpType(TF_Operation *oper) {
  return nodeOf(oper)->op().c_str();
}

const char *TF_OperationDevice(TF_Operation *oper) {
  return nodeOf(oper)->device().c_str();
}

int TF_OperationNumOutputs(TF_Operation *oper) {
  return std::max(nodeOf(oper)->numOutputs(), 0);
}

TF_DataType TF_OperationOutputType(TF_Output oper_out) {
  return typeOf(nodeOf(oper_out.oper)->output(oper_out.index));
}

int TF_OperationNumInputs(TF_Operation *oper) {
  return nodeOf(oper)->numInputs();
}

TF_DataType TF_OperationInputType(TF_Input oper_in) {
  const TF_Output source = TF_OperationInput(oper_in);
  if (!source.oper)
    return static_cast<TF_DataType>(0);
  // A reference where the op takes one, whatever it is given.
  const Node &node = *nodeOf(oper_in.oper);
  return typeOf({.dtype = nodeOf(source.oper)->outputDType(source.index),
                 .shape = {},
                 .isRef = takesReference(node, oper_in.index)});
}

TF_Output TF_OperationInput(TF_Input oper_in) {
  const Node &node = *nodeOf(oper_in.oper);
  if (!hasInput(node, oper_in.index))
    return {nullptr, -1};
  return outputOf(node.input(oper_in.index));
}

void TF_OperationAllInputs(TF_Operation *oper, TF_Output *inputs,
                           int max_inputs) {
  const Node &node = *nodeOf(oper);
  for (int i = 0; i < std::min(node.numInputs(), max_inputs); ++i)
    inputs[i] = outputOf(node.input(i));
}

int TF_OperationNumControlInputs(TF_Operation *oper) {
  return static_cast<int>(nodeOf(oper)->controlInputs().size());
}

int TF_OperationGetControlInputs(TF_Operation *oper,
                                 TF_Operation **control_inputs,
                                 int max_control_inputs) {
  int count = 0;
  for (const Node *control : nodeOf(oper)->controlInputs()) {
    if (count == max_control_inputs)
      break;
    control_inputs[count++] = operationOf(control);
  }
  return count;
}
