// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TF_SetAttr...: attributes of an operation that is being described.
#include "capi/Description.h"
#include "kiln/Messages.h"

using namespace kiln;
using namespace kiln::capi;

namespace {

/// The attribute that says what an operation is to stand beside; its texts
/// take the place of what TF_ColocateWith said.
constexpr std::string_view colocationAttr = "_class";

/// Fills a list with what `element` makes of each index.
template <class T, class Element>
std::vector<T> listOf(int count, const Element &element) {
  std::vector<T> list;
  for (int i = 0; i < count; ++i)
    list.push_back(element(i));
  return list;
}

std::string textOf(const void *bytes, size_t length) {
  return length == 0 ? std::string()
                     : std::string(static_cast<const char *>(bytes), length);
}

std::string_view viewOf(const void *bytes, size_t length) {
  return length == 0
             ? std::string_view()
             : std::string_view(static_cast<const char *>(bytes), length);
}

/// **Errors**, kept in the description: dimensions that no shape has.
Shape shapeOf(TF_OperationDescription &desc, const int64_t *dims, int rank) {
  if (rank < 0)
    return Shape::unknownRank();
  StatusOr<Shape> shape =
      Shape::fromDims(std::span(dims, static_cast<size_t>(rank)));
  if (!shape.ok())
    desc.fail(shape.status());
  return shape.valueOr(Shape::unknownRank());
}

/// A tensor as an attribute. **Errors**: those of valueOf().
StatusOr<TensorConstant> constantOf(TF_Tensor *tensor) {
  if (!tensor)
    return invalidArgumentError("expected a tensor, got a null pointer");
  StatusOr<Tensor> value = valueOf(*tensor);
  if (!value.ok())
    return value.status();
  // The caller may write its memory once this has returned.
  StatusOr<Tensor> copy = value->clone();
  if (!copy.ok())
    return copy.status();
  return TensorConstant(*std::move(copy));
}

/// TensorFlow gives one text for all that is wrong with the bytes.
void fail(TF_Status *status, const Status &error, const char *text) {
  setStatus(status, error.code() == StatusCode::InvalidArgument
                        ? invalidArgumentError(text)
                        : error);
}

} // namespace

void TF_SetAttrString(TF_OperationDescription *desc, const char *attr_name,
                      const void *value, size_t length) {
  std::string text = textOf(value, length);
  if (attr_name != colocationAttr)
    return desc->setAttr(attr_name, std::move(text));
  desc->colocations = {std::move(text)};
}

void TF_SetAttrStringList(TF_OperationDescription *desc, const char *attr_name,
                          const void *const *values, const size_t *lengths,
                          int num_values) {
  auto texts = listOf<std::string>(
      num_values, [&](int i) { return textOf(values[i], lengths[i]); });
  if (attr_name != colocationAttr)
    return desc->setAttr(attr_name, std::move(texts));
  desc->colocations = {texts.begin(), texts.end()};
}

void TF_SetAttrInt(TF_OperationDescription *desc, const char *attr_name,
                   int64_t value) {
  desc->setAttr(attr_name, value);
}

void TF_SetAttrIntList(TF_OperationDescription *desc, const char *attr_name,
                       const int64_t *values, int num_values) {
  desc->setAttr(attr_name,
                listOf<int64_t>(num_values, [&](int i) { return values[i]; }));
}

void TF_SetAttrFloat(TF_OperationDescription *desc, const char *attr_name,
                     float value) {
  desc->setAttr(attr_name, value);
}

void TF_SetAttrFloatList(TF_OperationDescription *desc, const char *attr_name,
                         const float *values, int num_values) {
  desc->setAttr(attr_name,
                listOf<float>(num_values, [&](int i) { return values[i]; }));
}

void TF_SetAttrBool(TF_OperationDescription *desc, const char *attr_name,
                    unsigned char value) {
  desc->setAttr(attr_name, value != 0);
}

void TF_SetAttrBoolList(TF_OperationDescription *desc, const char *attr_name,
                        const unsigned char *values, int num_values) {
  desc->setAttr(attr_name, listOf<bool>(num_values,
                                        [&](int i) { return values[i] != 0; }));
}

void TF_SetAttrType(TF_OperationDescription *desc, const char *attr_name,
                    TF_DataType value) {
  desc->setAttr(attr_name, static_cast<DType>(value));
}

void TF_SetAttrTypeList(TF_OperationDescription *desc, const char *attr_name,
                        const TF_DataType *values, int num_values) {
  desc->setAttr(attr_name, listOf<DType>(num_values, [&](int i) {
                  return static_cast<DType>(values[i]);
                }));
}

void TF_SetAttrPlaceholder(TF_OperationDescription *desc, const char *attr_name,
                           const char *placeholder) {
  desc->setAttr(attr_name, AttrPlaceholder{placeholder});
}

void TF_SetAttrFuncName(TF_OperationDescription *desc, const char *attr_name,
                        const char *value, size_t length) {
  desc->setAttr(attr_name,
                NameAttrList{.name = textOf(value, length), .attrs = {}});
}

void TF_SetAttrShape(TF_OperationDescription *desc, const char *attr_name,
                     const int64_t *dims, int num_dims) {
  desc->setAttr(attr_name, shapeOf(*desc, dims, num_dims));
}

void TF_SetAttrShapeList(TF_OperationDescription *desc, const char *attr_name,
                         const int64_t *const *dims, const int *num_dims,
                         int num_shapes) {
  desc->setAttr(attr_name, listOf<Shape>(num_shapes, [&](int i) {
                  return shapeOf(*desc, dims[i], num_dims[i]);
                }));
}

void TF_SetAttrTensorShapeProto(TF_OperationDescription *desc,
                                const char *attr_name, const void *proto,
                                size_t proto_len, TF_Status *status) {
  clearStatus(status);
  StatusOr<Shape> shape = decodeTensorShape(viewOf(proto, proto_len));
  if (!shape.ok())
    return fail(status, shape.status(), "Unparseable TensorShapeProto");
  desc->setAttr(attr_name, *std::move(shape));
}

void TF_SetAttrTensorShapeProtoList(TF_OperationDescription *desc,
                                    const char *attr_name,
                                    const void *const *protos,
                                    const size_t *proto_lens, int num_shapes,
                                    TF_Status *status) {
  clearStatus(status);
  std::vector<Shape> shapes;
  for (int i = 0; i < num_shapes; ++i) {
    StatusOr<Shape> shape = decodeTensorShape(viewOf(protos[i], proto_lens[i]));
    if (!shape.ok())
      return fail(status, shape.status(),
                  ("Unparseable TensorShapeProto at index " + std::to_string(i))
                      .c_str());
    shapes.push_back(*std::move(shape));
  }
  desc->setAttr(attr_name, std::move(shapes));
}

void TF_SetAttrTensor(TF_OperationDescription *desc, const char *attr_name,
                      TF_Tensor *value, TF_Status *status) {
  clearStatus(status);
  StatusOr<TensorConstant> constant = constantOf(value);
  if (!constant.ok())
    return setStatus(status, constant.status());
  desc->setAttr(attr_name, *std::move(constant));
}

void TF_SetAttrTensorList(TF_OperationDescription *desc, const char *attr_name,
                          TF_Tensor *const *values, int num_values,
                          TF_Status *status) {
  clearStatus(status);
  std::vector<TensorConstant> list;
  for (int i = 0; i < num_values; ++i) {
    StatusOr<TensorConstant> constant = constantOf(values[i]);
    if (!constant.ok())
      return setStatus(status, constant.status());
    list.push_back(*std::move(constant));
  }
  desc->setAttr(attr_name, std::move(list));
}

void TF_SetAttrValueProto(TF_OperationDescription *desc, const char *attr_name,
                          const void *proto, size_t proto_len,
                          TF_Status *status) {
  clearStatus(status);
  StatusOr<AttrValue> value = decodeAttrValue(viewOf(proto, proto_len));
  if (!value.ok())
    return fail(status, value.status(), "Unparseable AttrValue proto");
  if (attr_name != colocationAttr)
    return desc->setAttr(attr_name, *std::move(value));
  const auto *texts = value->getIf<std::vector<std::string>>();
  if (!texts && !value->isEmptyList() && !value->isEmpty())
    return setStatus(status, invalidArgumentError("Expected \"list\" field for "
                                                  "\"_class\" attribute"));
  desc->colocations.clear();
  if (texts)
    desc->colocations.insert(texts->begin(), texts->end());
}
