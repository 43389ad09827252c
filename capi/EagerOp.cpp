// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TFE_Op: an op, its inputs, and what its schema says of both.
#include "capi/Eager.h"

#include <unistd.h>

using namespace kiln;
using namespace kiln::capi;

namespace kiln::capi {

int lengthOf(const OpArgument &argument, const AttrMap &attrs) {
  if (!argument.isList())
    return 1;
  if (!argument.numberAttr.empty()) {
    const AttrValue *number = attrs.find(argument.numberAttr);
    const auto *count = number ? number->getIf<int64_t>() : nullptr;
    return count && *count >= 0 && *count < INT32_MAX ? int(*count) : -1;
  }
  const AttrValue *types = attrs.find(argument.typeListAttr);
  const auto *list = types ? types->getIf<std::vector<DType>>() : nullptr;
  return list ? static_cast<int>(list->size()) : -1;
}

std::vector<DType> dtypesOf(const OpArgument &argument, const AttrMap &attrs) {
  if (!argument.typeListAttr.empty()) {
    const AttrValue *types = attrs.find(argument.typeListAttr);
    const auto *list = types ? types->getIf<std::vector<DType>>() : nullptr;
    return list ? *list : std::vector<DType>();
  }
  DType dtype = argument.dtype;
  if (!argument.typeAttr.empty()) {
    const AttrValue *type = attrs.find(argument.typeAttr);
    const auto *known = type ? type->getIf<DType>() : nullptr;
    dtype = known ? *known : DType::Invalid;
  }
  return std::vector<DType>(
      static_cast<size_t>(std::max(lengthOf(argument, attrs), 0)), dtype);
}

} // namespace kiln::capi

namespace {

Status unknownName(const char *name) {
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  return notFoundError(
      "'" + std::string(name) +
      "' is neither a type of a primitive operation nor a name of a function "
      "registered in binary running on " +
      host +
      ". Make sure the operation or function is registered in the binary "
      "running in this process.");
}

/// An attribute that nobody set has what the inputs say.
void infer(TFE_Op &op, const std::string &attr, AttrValue value) {
  if (!attr.empty() && !op.description.spec.attrs.find(attr))
    op.description.setAttr(attr, std::move(value));
}

DType typeOf(const TFE_TensorHandle &handle) {
  return static_cast<DType>(handle.type);
}

const OpArgument *nextArgument(TFE_Op &op) {
  const OpSchema *schema = op.description.schema();
  if (!schema || op.argument >= schema->inputs.size())
    return nullptr;
  return &schema->inputs[op.argument];
}

/// TensorFlow's enumeration for the type of a schema's attribute.
TF_AttrType attrTypeOf(const OpSchema &schema, const char *name,
                       unsigned char *isList, TF_Status *status) {
  constexpr std::pair<std::string_view, TF_AttrType> types[] = {
      {"string", TF_ATTR_STRING}, {"int", TF_ATTR_INT},
      {"float", TF_ATTR_FLOAT},   {"bool", TF_ATTR_BOOL},
      {"type", TF_ATTR_TYPE},     {"shape", TF_ATTR_SHAPE},
      {"tensor", TF_ATTR_TENSOR}, {"func", TF_ATTR_FUNC},
  };
  clearStatus(status);
  const OpAttribute *attr = schema.findAttr(name);
  if (!attr) {
    setStatus(status,
              invalidArgumentError("Attribute '" + std::string(name) +
                                   "' does not exist for this operation"));
    return TF_ATTR_INT; // as TensorFlow: the status says that it is none
  }
  std::string_view type = attr->type;
  *isList = type.starts_with("list(");
  if (*isList)
    type = type.substr(5, type.size() - 6);
  for (const auto &[text, number] : types)
    if (text == type)
      return number;
  return TF_ATTR_PLACEHOLDER;
}

int argumentLength(TFE_Op *op, const std::vector<OpArgument> &arguments,
                   const char *kind, const char *name, TF_Status *status) {
  clearStatus(status);
  for (const OpArgument &argument : arguments)
    if (argument.name == name)
      return lengthOf(argument, op->description.spec.attrs);
  setStatus(status, invalidArgumentError(std::string(kind) + " '" + name +
                                         "' not found"));
  return -1;
}

} // namespace

TFE_Op *TFE_NewOp(TFE_Context *ctx, const char *op_or_function_name,
                  TF_Status *status) {
  clearStatus(status);
  auto op = std::make_unique<TFE_Op>(*ctx, op_or_function_name);
  if (op->description.schema())
    return op.release();
  setStatus(status, unknownName(op_or_function_name));
  return nullptr;
}

void TFE_DeleteOp(TFE_Op *op) { delete op; }

const char *TFE_OpGetName(const TFE_Op *op, TF_Status *status) {
  clearStatus(status);
  return op->name.c_str();
}

TFE_Context *TFE_OpGetContext(const TFE_Op *op, TF_Status *status) {
  clearStatus(status);
  return &op->context;
}

void TFE_OpSetDevice(TFE_Op *op, const char *device_name, TF_Status *status) {
  clearStatus(status);
  const std::string device = device_name ? device_name : "";
  if (!device.empty() && !device.starts_with('/'))
    return setStatus(
        status, invalidArgumentError("Malformed device specification '" +
                                     device + "' in eager op: " + op->name));
  op->device = device;
}

const char *TFE_OpGetDevice(const TFE_Op *op, TF_Status *status) {
  clearStatus(status);
  return op->device.c_str();
}

void TFE_OpAddInput(TFE_Op *op, TFE_TensorHandle *input, TF_Status *status) {
  clearStatus(status);
  if (const OpArgument *argument = nextArgument(*op)) {
    // Lists may come one by one, with attributes that say how they go on.
    if (!argument->isList()) {
      infer(*op, argument->typeAttr, typeOf(*input));
      ++op->argument;
    }
  }
  op->inputs.push_back(*input);
}

void TFE_OpAddInputList(TFE_Op *op, TFE_TensorHandle **inputs, int num_inputs,
                        TF_Status *status) {
  clearStatus(status);
  const std::span<TFE_TensorHandle *const> list = listOf(inputs, num_inputs);
  if (const OpArgument *argument = nextArgument(*op)) {
    std::vector<DType> types;
    for (const TFE_TensorHandle *input : list)
      types.push_back(typeOf(*input));
    infer(*op, argument->numberAttr, static_cast<int64_t>(list.size()));
    if (!types.empty())
      infer(*op, argument->typeAttr, types[0]);
    infer(*op, argument->typeListAttr, std::move(types));
    ++op->argument;
  }
  for (const TFE_TensorHandle *input : list)
    op->inputs.push_back(*input);
}

int TFE_OpGetFlatInputCount(const TFE_Op *op, TF_Status *status) {
  clearStatus(status);
  return static_cast<int>(op->inputs.size());
}

TFE_TensorHandle *TFE_OpGetFlatInput(const TFE_Op *op, int index,
                                     TF_Status *status) {
  clearStatus(status);
  if (index >= 0 && index < static_cast<int>(op->inputs.size()))
    return const_cast<TFE_TensorHandle *>(
        &*std::next(op->inputs.begin(), index));
  setStatus(status, invalidArgumentError("expected an input below " +
                                         std::to_string(op->inputs.size()) +
                                         ", got " + std::to_string(index)));
  return nullptr;
}

TF_AttrType TFE_OpGetAttrType(TFE_Op *op, const char *attr_name,
                              unsigned char *is_list, TF_Status *status) {
  return attrTypeOf(*op->description.schema(), attr_name, is_list, status);
}

TF_AttrType TFE_OpNameGetAttrType(TFE_Context *ctx,
                                  const char *op_or_function_name,
                                  const char *attr_name, unsigned char *is_list,
                                  TF_Status *status) {
  const std::unique_ptr<TFE_Op> op(TFE_NewOp(ctx, op_or_function_name, status));
  return op ? TFE_OpGetAttrType(op.get(), attr_name, is_list, status)
            : TF_ATTR_INT;
}

int TFE_OpGetInputLength(TFE_Op *op, const char *input_name,
                         TF_Status *status) {
  return argumentLength(op, op->description.schema()->inputs, "Input",
                        input_name, status);
}

int TFE_OpGetOutputLength(TFE_Op *op, const char *output_name,
                          TF_Status *status) {
  return argumentLength(op, op->description.schema()->outputs, "Output",
                        output_name, status);
}
