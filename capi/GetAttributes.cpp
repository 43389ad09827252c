// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TF_OperationGetAttr...: attributes of an operation, copied to memory of the
// caller as far as there is room.
#include "capi/Handles.h"
#include "kiln/Messages.h"

#include <algorithm>
#include <cstring>

using namespace kiln;
using namespace kiln::capi;

namespace {

std::string quoted(const char *name) { return "'" + std::string(name) + "'"; }

/// Whether the value is a list of whatever kind.
bool isList(const AttrValue &value) {
  return value.kindName().starts_with("list") || value.isEmptyList();
}

/// For functions that look at the message. **Errors**: a missing attribute.
const AttrValue *findAttr(TF_Operation *oper, const char *name,
                          TF_Status *status) {
  clearStatus(status);
  const AttrValue *value = nodeOf(oper)->findAttr(name);
  if (!value)
    setStatus(status, invalidArgumentError(
                          "Operation '" + nodeOf(oper)->name() +
                          "' has no attr named " + quoted(name) + "."));
  return value;
}

/// For functions that ask for a kind. **Errors**: a missing attribute, and one
/// of another kind.
template <class T>
const T *getAttr(TF_Operation *oper, const char *name, TF_Status *status) {
  clearStatus(status);
  const AttrValue *value = nodeOf(oper)->findAttr(name);
  const T *found = value ? value->getIf<T>() : nullptr;
  if (found)
    return found;
  const std::string wanted(attrKindName<T>());
  if (!value)
    setStatus(status,
              notFoundError("No attr named " + quoted(name) + " in NodeDef:")
                  .withNode(nodeOf(oper)->name()));
  else if (!value->isEmptyList())
    setStatus(status, invalidArgumentError("AttrValue had value with type '" +
                                           std::string(value->kindName()) +
                                           "' when '" + wanted + "' expected"));
  else if (!detail::IsVector<T>::value)
    setStatus(status, invalidArgumentError(
                          "AttrValue missing value with expected type '" +
                          wanted + "'"));
  return nullptr;
}

/// The attribute, or null with an error that ends as TensorFlow's does: with a
/// full stop for some kinds.
const AttrValue *findList(TF_Operation *oper, const char *name, const char *end,
                          TF_Status *status) {
  const AttrValue *value = findAttr(oper, name, status);
  if (!value || isList(*value))
    return value;
  setStatus(status, invalidArgumentError("Value for " + quoted(name) +
                                         " is not a list" + end));
  return nullptr;
}

/// Copies a list with what `convert` makes of each element. **Errors**: what is
/// no list; a list of another kind has no elements.
template <class T, class To, class Convert>
void copyList(TF_Operation *oper, const char *name, To *values, int most,
              TF_Status *status, const Convert &convert) {
  const AttrValue *value = findList(oper, name, ".", status);
  if (!value)
    return;
  const auto *list = value->getIf<std::vector<T>>();
  for (int i = 0; list && i < std::min(static_cast<int>(list->size()), most);
       ++i)
    values[i] = convert((*list)[static_cast<size_t>(i)]);
}

TF_DataType typeOf(DType dtype) { return static_cast<TF_DataType>(dtype); }

void copyDims(const Shape &shape, int64_t *dims, int most) {
  for (int i = 0; i < std::min(shape.rank(), most); ++i)
    dims[i] = shape.dim(i);
}

TF_Tensor *tensorOf(const TensorConstant &constant, TF_Status *status) {
  StatusOr<Tensor> value = constant.materialize();
  if (value.ok())
    return kiln::capi::tensorOf(*std::move(value));
  setStatus(status, value.status());
  return nullptr;
}

void writeMessage(const StatusOr<std::string> &bytes, TF_Buffer *buffer,
                  TF_Status *status) {
  if (bytes.ok())
    setBuffer(buffer, *bytes);
  else
    setStatus(status, bytes.status());
}

} // namespace

void TF_OperationGetAttrString(TF_Operation *oper, const char *attr_name,
                               void *value, size_t max_length,
                               TF_Status *status) {
  const AttrValue *found = findAttr(oper, attr_name, status);
  if (!found)
    return;
  const auto *text = found->getIf<std::string>();
  if (!text)
    return setStatus(status,
                     invalidArgumentError("Attribute " + quoted(attr_name) +
                                          " is not a string"));
  if (const size_t length = std::min(text->size(), max_length); length > 0)
    std::memcpy(value, text->data(), length);
}

void TF_OperationGetAttrStringList(TF_Operation *oper, const char *attr_name,
                                   void **values, size_t *lengths,
                                   int max_values, void *storage,
                                   size_t storage_size, TF_Status *status) {
  const AttrValue *found = findList(oper, attr_name, "", status);
  if (!found)
    return;
  const auto *texts = found->getIf<std::vector<std::string>>();
  if (!texts)
    return;
  auto *place = static_cast<char *>(storage);
  size_t left = storage_size;
  for (int i = 0; i < std::min(static_cast<int>(texts->size()), max_values);
       ++i) {
    const std::string &text = (*texts)[static_cast<size_t>(i)];
    values[i] = place;
    lengths[i] = text.size();
    if (text.size() > left)
      return setStatus(status,
                       invalidArgumentError("Not enough storage to hold the "
                                            "requested list of strings"));
    if (!text.empty())
      std::memcpy(place, text.data(), text.size());
    place += text.size();
    left -= text.size();
  }
}

#define KILN_CAPI_GET_ATTR(name, Stored, Given, convert)                       \
  void TF_OperationGetAttr##name(TF_Operation *oper, const char *attr_name,    \
                                 Given *value, TF_Status *status) {            \
    if (const Stored *found = getAttr<Stored>(oper, attr_name, status))        \
      *value = convert(*found);                                                \
  }                                                                            \
  void TF_OperationGetAttr##name##List(TF_Operation *oper,                     \
                                       const char *attr_name, Given *values,   \
                                       int max_values, TF_Status *status) {    \
    copyList<Stored>(oper, attr_name, values, max_values, status,              \
                     [](Stored element) { return convert(element); });         \
  }
KILN_CAPI_GET_ATTR(Int, int64_t, int64_t, )
KILN_CAPI_GET_ATTR(Float, float, float, )
KILN_CAPI_GET_ATTR(Bool, bool, unsigned char, )
KILN_CAPI_GET_ATTR(Type, DType, TF_DataType, typeOf)
#undef KILN_CAPI_GET_ATTR

void TF_OperationGetAttrShape(TF_Operation *oper, const char *attr_name,
                              int64_t *value, int num_dims, TF_Status *status) {
  if (const auto *shape = getAttr<Shape>(oper, attr_name, status))
    copyDims(*shape, value, num_dims);
}

void TF_OperationGetAttrShapeList(TF_Operation *oper, const char *attr_name,
                                  int64_t **dims, int *num_dims, int num_shapes,
                                  int64_t *storage, int storage_size,
                                  TF_Status *status) {
  const auto *shapes = getAttr<std::vector<Shape>>(oper, attr_name, status);
  if (!shapes)
    return;
  int left = storage_size;
  for (int i = 0; i < std::min(static_cast<int>(shapes->size()), num_shapes);
       ++i) {
    const Shape &shape = (*shapes)[static_cast<size_t>(i)];
    num_dims[i] = shape.rank();
    dims[i] = storage;
    if (!shape.hasRank())
      continue;
    if (shape.rank() > left)
      return setStatus(status,
                       invalidArgumentError("Not enough storage to hold the "
                                            "requested list of shapes"));
    copyDims(shape, storage, shape.rank());
    storage += shape.rank();
    left -= shape.rank();
  }
}

void TF_OperationGetAttrTensorShapeProto(TF_Operation *oper,
                                         const char *attr_name,
                                         TF_Buffer *value, TF_Status *status) {
  const AttrValue *found = findAttr(oper, attr_name, status);
  if (!found)
    return;
  if (const auto *shape = found->getIf<Shape>())
    return writeMessage(encodeTensorShape(*shape), value, status);
  setStatus(status, invalidArgumentError("Value for " + quoted(attr_name) +
                                         " is not a shape."));
}

void TF_OperationGetAttrTensorShapeProtoList(TF_Operation *oper,
                                             const char *attr_name,
                                             TF_Buffer **values, int max_values,
                                             TF_Status *status) {
  const AttrValue *found = findList(oper, attr_name, "", status);
  if (!found)
    return;
  const auto *shapes = found->getIf<std::vector<Shape>>();
  for (int i = 0;
       shapes && i < std::min(static_cast<int>(shapes->size()), max_values);
       ++i) {
    values[i] = TF_NewBuffer();
    writeMessage(encodeTensorShape((*shapes)[static_cast<size_t>(i)]),
                 values[i], status);
  }
}

void TF_OperationGetAttrTensor(TF_Operation *oper, const char *attr_name,
                               TF_Tensor **value, TF_Status *status) {
  *value = nullptr;
  if (const auto *found = getAttr<TensorConstant>(oper, attr_name, status))
    *value = tensorOf(*found, status);
}

void TF_OperationGetAttrTensorList(TF_Operation *oper, const char *attr_name,
                                   TF_Tensor **values, int max_values,
                                   TF_Status *status) {
  const auto *list =
      getAttr<std::vector<TensorConstant>>(oper, attr_name, status);
  for (int i = 0;
       list && i < std::min(static_cast<int>(list->size()), max_values); ++i)
    values[i] = tensorOf((*list)[static_cast<size_t>(i)], status);
}

void TF_OperationGetAttrValueProto(TF_Operation *oper, const char *attr_name,
                                   TF_Buffer *output_attr_value,
                                   TF_Status *status) {
  if (const AttrValue *found = findAttr(oper, attr_name, status))
    writeMessage(encodeAttrValue(*found), output_attr_value, status);
}
