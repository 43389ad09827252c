// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TFE_OpSetAttr...: as the attributes of operations of a graph.
#include "capi/Eager.h"
#include "kiln/Messages.h"
#include "tensorflow/c/eager/c_api_experimental.h"

using namespace kiln;
using namespace kiln::capi;

namespace {

/// Whether it has a value, set or inferred: the first one stays.
bool isSet(const TFE_Op *op, const char *name) {
  return op->description.spec.attrs.find(name);
}

/// What TFE_OpAttrs is: the op, of which they are the attributes.
const TFE_Op *opOf(const TFE_OpAttrs *attrs) {
  return reinterpret_cast<const TFE_Op *>(attrs);
}

} // namespace

void TFE_OpSetAttrString(TFE_Op *op, const char *attr_name, const void *value,
                         size_t length) {
  if (isSet(op, attr_name))
    return;
  TF_SetAttrString(&op->description, attr_name, value, length);
}

void TFE_OpSetAttrInt(TFE_Op *op, const char *attr_name, int64_t value) {
  if (isSet(op, attr_name))
    return;
  TF_SetAttrInt(&op->description, attr_name, value);
}

void TFE_OpSetAttrFloat(TFE_Op *op, const char *attr_name, float value) {
  if (isSet(op, attr_name))
    return;
  TF_SetAttrFloat(&op->description, attr_name, value);
}

void TFE_OpSetAttrBool(TFE_Op *op, const char *attr_name, unsigned char value) {
  if (isSet(op, attr_name))
    return;
  TF_SetAttrBool(&op->description, attr_name, value);
}

void TFE_OpSetAttrType(TFE_Op *op, const char *attr_name, TF_DataType value) {
  if (isSet(op, attr_name))
    return;
  TF_SetAttrType(&op->description, attr_name, value);
}

void TFE_OpSetAttrShape(TFE_Op *op, const char *attr_name, const int64_t *dims,
                        const int num_dims, TF_Status *out_status) {
  clearStatus(out_status);
  if (num_dims > Shape::maxRank)
    return setStatus(
        out_status,
        invalidArgumentError("Value specified for `" + std::string(attr_name) +
                             "` has " + std::to_string(num_dims) +
                             " dimensions which is over the limit of " +
                             std::to_string(Shape::maxRank) + "."));
  if (isSet(op, attr_name))
    return;
  TF_SetAttrShape(&op->description, attr_name, dims, num_dims);
}

void TFE_OpSetAttrFunction(TFE_Op *op, const char *attr_name,
                           const TFE_Op *value) {
  if (isSet(op, attr_name))
    return;
  op->description.setAttr(attr_name,
                          NameAttrList{.name = value->name,
                                       .attrs = value->description.spec.attrs});
}

void TFE_OpSetAttrFunctionName(TFE_Op *op, const char *attr_name,
                               const char *data, size_t length) {
  if (isSet(op, attr_name))
    return;
  TF_SetAttrFuncName(&op->description, attr_name, data, length);
}

void TFE_OpSetAttrTensor(TFE_Op *op, const char *attr_name, TF_Tensor *tensor,
                         TF_Status *status) {
  clearStatus(status);
  if (isSet(op, attr_name))
    return;
  TF_SetAttrTensor(&op->description, attr_name, tensor, status);
}

void TFE_OpSetAttrStringList(TFE_Op *op, const char *attr_name,
                             const void *const *values, const size_t *lengths,
                             int num_values) {
  if (isSet(op, attr_name))
    return;
  TF_SetAttrStringList(&op->description, attr_name, values, lengths,
                       num_values);
}

void TFE_OpSetAttrIntList(TFE_Op *op, const char *attr_name,
                          const int64_t *values, int num_values) {
  if (isSet(op, attr_name))
    return;
  TF_SetAttrIntList(&op->description, attr_name, values, num_values);
}

void TFE_OpSetAttrFloatList(TFE_Op *op, const char *attr_name,
                            const float *values, int num_values) {
  if (isSet(op, attr_name))
    return;
  TF_SetAttrFloatList(&op->description, attr_name, values, num_values);
}

void TFE_OpSetAttrBoolList(TFE_Op *op, const char *attr_name,
                           const unsigned char *values, int num_values) {
  if (isSet(op, attr_name))
    return;
  TF_SetAttrBoolList(&op->description, attr_name, values, num_values);
}

void TFE_OpSetAttrTypeList(TFE_Op *op, const char *attr_name,
                           const TF_DataType *values, int num_values) {
  if (isSet(op, attr_name))
    return;
  TF_SetAttrTypeList(&op->description, attr_name, values, num_values);
}

void TFE_OpSetAttrShapeList(TFE_Op *op, const char *attr_name,
                            const int64_t **dims, const int *num_dims,
                            int num_values, TF_Status *out_status) {
  clearStatus(out_status);
  for (int i = 0; i < num_values; ++i)
    if (num_dims[i] > Shape::maxRank)
      return setStatus(out_status,
                       invalidArgumentError(
                           "Value specified for `" + std::string(attr_name) +
                           "` has " + std::to_string(num_dims[i]) +
                           " dimensions which is over the limit "
                           "of " +
                           std::to_string(Shape::maxRank) + "."));
  if (isSet(op, attr_name))
    return;
  TF_SetAttrShapeList(&op->description, attr_name, dims, num_dims, num_values);
}

void TFE_OpSetAttrFunctionList(TFE_Op *op, const char *attr_name,
                               const TFE_Op **value, int num_values) {
  if (isSet(op, attr_name))
    return;
  std::vector<NameAttrList> functions;
  for (const TFE_Op *function : listOf(value, num_values))
    functions.push_back(
        {.name = function->name, .attrs = function->description.spec.attrs});
  op->description.setAttr(attr_name, std::move(functions));
}

const TFE_OpAttrs *TFE_OpGetAttrs(const TFE_Op *op) {
  return reinterpret_cast<const TFE_OpAttrs *>(op);
}

void TFE_OpAddAttrs(TFE_Op *op, const TFE_OpAttrs *attrs) {
  for (const NamedAttr &attr : opOf(attrs)->description.spec.attrs)
    if (!op->description.spec.attrs.find(attr.name))
      op->description.setAttr(attr.name, attr.value);
}

void TFE_OpAttrsSerialize(const TFE_OpAttrs *attrs, TF_Buffer *buf,
                          TF_Status *status) {
  clearStatus(status);
  const TFE_Op &op = *opOf(attrs);
  const StatusOr<std::string> value = encodeAttrValue(
      NameAttrList{.name = op.name, .attrs = op.description.spec.attrs});
  if (!value.ok())
    return setStatus(status, value.status());
  // A NameAttrList is the one field of such an AttrValue: behind the field's
  // number and its length, whose last byte is below 128.
  size_t start = 1;
  while (start < value->size() && static_cast<signed char>((*value)[start]) < 0)
    ++start;
  setBuffer(buf, std::string_view(*value).substr(start + 1));
}
