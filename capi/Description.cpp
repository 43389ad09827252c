// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What follows from the inputs of an operation, and what is wrong with it.
// Texts and their order are those of TensorFlow 2.21's C++.
#include "capi/Description.h"

#include "kiln/Describe.h"

#include <algorithm>
#include <unistd.h>

using namespace kiln;

namespace {

std::string hostName() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "";
}

const OutputInfo &infoOf(const Output &output) {
  return output.node->output(output.index);
}

std::string typeText(DType dtype, bool isRef) {
  return std::string(dtypeTfName(dtype)) + (isRef ? "_ref" : "");
}

} // namespace

Status kiln::capi::opNotRegistered(std::string_view op) {
  return notFoundError(
      "Op type not registered '" + std::string(op) + "' in binary running on " +
      hostName() +
      ". Make sure the Op and Kernel are registered in the binary running in "
      "this process. Note that if you are loading a saved graph which used ops "
      "from tf.contrib (e.g. `tf.contrib.resampler`), accessing should be done "
      "before importing the graph, as contrib ops are lazily registered when "
      "the module is first accessed.");
}

TF_OperationDescription::TF_OperationDescription(TF_Graph &graph,
                                                 const char *opType,
                                                 const char *name)
    : graph(graph), spec{.name = name, .op = opType}, op(findOpSchema(opType)) {
  if (op)
    return;
  function = functionSchema(*graph.graph, opType);
  if (function)
    op = &*function;
  else
    errors.emplace_back(capi::opNotRegistered(opType).message());
}

const OpArgument *TF_OperationDescription::nextArgument() {
  if (!op)
    return nullptr;
  if (argument < op->inputs.size())
    return &op->inputs[argument++];
  errors.push_back("More Input() calls than the " +
                   std::to_string(op->inputs.size()) + " input_args");
  return nullptr;
}

bool TF_OperationDescription::isInGraph(const Output &input) {
  if (!input.node) {
    edgeErrors.push_back("Attempt to add nullptr Node to node with type " +
                         spec.op);
    return false;
  }
  const int count = input.node->numOutputs();
  if (input.index >= 0 && (count < 0 || input.index < count))
    return true;
  edgeErrors.push_back("Attempt to add output " + std::to_string(input.index) +
                       " of " + input.node->name() + " not in range [0, " +
                       std::to_string(count) + ") to node with type " +
                       spec.op + ". Node: {{node " + input.node->name() + "}}");
  return false;
}

void TF_OperationDescription::checkType(const OpArgument &arg, DType expected,
                                        const Output &input) {
  const OutputInfo &info = infoOf(input);
  const bool fits = info.dtype == expected && (info.isRef || !arg.isRef);
  if (!fits && info.dtype != DType::Invalid)
    errors.push_back("Input '" + arg.name + "' passed " +
                     typeText(info.dtype, info.isRef) + " expected " +
                     typeText(expected, arg.isRef));
}

void TF_OperationDescription::addInput(const Output &input) {
  if (!isInGraph(input))
    return;
  const OpArgument *arg = nextArgument();
  if (!arg)
    return;
  spec.inputs.push_back(input);
  if (arg->isList()) {
    errors.push_back("Single tensor passed to '" + arg->name +
                     "', expected list");
    return;
  }
  if (arg->dtype != DType::Invalid)
    return checkType(*arg, arg->dtype, input);
  const OutputInfo &info = infoOf(input);
  if (arg->isRef && !info.isRef)
    errors.push_back("Input '" + arg->name + "' passed " +
                     typeText(info.dtype, false) + " expected ref type");
  if (info.dtype != DType::Invalid)
    setAttr(arg->typeAttr, info.dtype);
}

void TF_OperationDescription::addInputList(std::span<const Output> inputs) {
  for (const Output &input : inputs)
    if (!isInGraph(input))
      return;
  const OpArgument *arg = nextArgument();
  if (!arg)
    return;
  spec.inputs.insert(spec.inputs.end(), inputs.begin(), inputs.end());
  if (!arg->typeListAttr.empty()) {
    std::vector<DType> types;
    for (const Output &input : inputs)
      types.push_back(infoOf(input).dtype);
    return setAttr(arg->typeListAttr, std::move(types));
  }
  if (arg->numberAttr.empty()) {
    errors.push_back("List provided to input '" + arg->name +
                     "' when single Tensor expected");
    return;
  }
  setAttr(arg->numberAttr, static_cast<int64_t>(inputs.size()));
  DType expected = arg->dtype;
  if (expected == DType::Invalid && !inputs.empty()) {
    expected = infoOf(inputs[0]).dtype;
    if (expected != DType::Invalid)
      setAttr(arg->typeAttr, expected);
  }
  if (expected != DType::Invalid)
    for (const Output &input : inputs)
      checkType(*arg, expected, input);
}

void TF_OperationDescription::setAttr(std::string_view attrName,
                                      AttrValue value) {
  const AttrValue *known = spec.attrs.find(attrName);
  if (!known)
    spec.attrs.set(std::string(attrName), std::move(value));
  else if (!(*known == value))
    errors.push_back("Inconsistent values for attr '" + std::string(attrName) +
                     "' " + describe(*known) + " vs. " + describe(value));
}

Status TF_OperationDescription::finish() {
  if (!edgeErrors.empty()) {
    std::string all;
    for (const std::string &error : edgeErrors)
      all += (all.empty() ? "" : "\n") + error;
    return invalidArgumentError(std::move(all));
  }
  if (op && argument < op->inputs.size())
    errors.push_back(std::to_string(argument) + " inputs specified of " +
                     std::to_string(op->inputs.size()) + " inputs in Op");
  if (errors.empty()) {
    if (!colocations.empty())
      spec.attrs.set("_class", std::vector<std::string>(colocations.begin(),
                                                        colocations.end()));
    return okStatus();
  }
  const std::string where = " while building NodeDef '" + spec.name + "'" +
                            (op ? " using " + describe(*op) : "");
  if (errors.size() == 1)
    return invalidArgumentError(errors[0] + where);
  std::string all = std::to_string(errors.size()) + " errors" + where + ":";
  for (const std::string &error : errors)
    all += "\n" + error;
  return invalidArgumentError(std::move(all));
}
