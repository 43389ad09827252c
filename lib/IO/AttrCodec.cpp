// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kinds of attributes, one by one, and lists of them.
#include "lib/IO/AttrCodec.h"

#include "lib/IO/MapOrder.h"
#include "lib/IO/proto/Node.pb.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln::io {

namespace {

StatusOr<DType> decodeType(int number) {
  if (auto dtype = dtypeFromNumber(number))
    return *dtype;
  // DT_INVALID is a legal value: "not set" in ops that infer the type.
  if (number == 0)
    return DType::Invalid;
  return invalidArgumentError(strCat("unknown dtype number ", number));
}

StatusOr<NameAttrList> decodeFunction(const proto::NameAttrList &function,
                                      ByteBudget &budget) {
  NameAttrList decoded{.name = function.name(), .attrs = {}};
  for (const auto *entry : byKey(function.attr())) {
    const auto &[name, value] = *entry;
    KILN_ASSIGN_OR_RETURN(AttrValue attr, decodeAttr(value, budget));
    decoded.attrs.set(name, std::move(attr));
  }
  return decoded;
}

void encodeFunction(const NameAttrList &function,
                    proto::NameAttrList &message) {
  message.set_name(function.name);
  for (const NamedAttr &attr : function.attrs)
    encodeAttr(attr.value, (*message.mutable_attr())[attr.name]);
}

/// Decodes a repeated field whose elements may be wrong.
template <class T, class Field, class Decode>
StatusOr<AttrValue> decodeElements(const Field &field, const Decode &decode) {
  std::vector<T> elements;
  elements.reserve(static_cast<size_t>(field.size()));
  for (const auto &encoded : field) {
    KILN_ASSIGN_OR_RETURN(T element, decode(encoded));
    elements.push_back(std::move(element));
  }
  return AttrValue(std::move(elements));
}

template <class T, class Field> AttrValue copyElements(const Field &field) {
  return AttrValue(std::vector<T>(field.begin(), field.end()));
}

StatusOr<AttrValue> decodeList(const proto::AttrValue::ListValue &list,
                               ByteBudget &budget) {
  const int sizes[] = {list.s_size(),      list.i_size(),    list.f_size(),
                       list.b_size(),      list.type_size(), list.shape_size(),
                       list.tensor_size(), list.func_size()};
  int kinds = 0;
  for (int size : sizes)
    kinds += size > 0;
  if (kinds == 0)
    return AttrValue(EmptyList());
  if (kinds > 1)
    return invalidArgumentError("a list holds values of more than one kind");
  if (list.s_size() > 0)
    return copyElements<std::string>(list.s());
  if (list.i_size() > 0)
    return copyElements<int64_t>(list.i());
  if (list.f_size() > 0)
    return copyElements<float>(list.f());
  if (list.b_size() > 0)
    return copyElements<bool>(list.b());
  if (list.type_size() > 0)
    return decodeElements<DType>(list.type(), decodeType);
  if (list.shape_size() > 0)
    return decodeElements<Shape>(list.shape(), decodeShape);
  if (list.tensor_size() > 0)
    return decodeElements<TensorConstant>(
        list.tensor(),
        [&](const auto &tensor) { return decodeTensor(tensor, budget); });
  return decodeElements<NameAttrList>(list.func(), [&](const auto &function) {
    return decodeFunction(function, budget);
  });
}

/// Writes a value of each kind of AttrValue::Storage.
class Encoder {
public:
  explicit Encoder(proto::AttrValue &target) : message(target) {}

  void operator()(std::monostate) const { message.Clear(); }
  void operator()(int64_t value) const { message.set_i(value); }
  void operator()(float value) const { message.set_f(value); }
  void operator()(bool value) const { message.set_b(value); }
  void operator()(const std::string &value) const { message.set_s(value); }
  void operator()(DType value) const {
    message.set_type(static_cast<proto::DataType>(value));
  }
  void operator()(const Shape &value) const {
    encodeShape(value, *message.mutable_shape());
  }
  void operator()(const TensorConstant &value) const {
    encodeTensor(value, *message.mutable_tensor());
  }
  void operator()(const NameAttrList &value) const {
    encodeFunction(value, *message.mutable_func());
  }
  void operator()(const AttrPlaceholder &value) const {
    message.set_placeholder(value.name);
  }
  void operator()(const EmptyList &) const { message.mutable_list(); }

  template <class T> void operator()(const std::vector<T> &values) const {
    proto::AttrValue::ListValue &list = *message.mutable_list();
    for (const auto &value : values)
      add(list, static_cast<const T &>(value));
  }

private:
  using List = proto::AttrValue::ListValue;
  static void add(List &list, const std::string &value) { list.add_s(value); }
  static void add(List &list, int64_t value) { list.add_i(value); }
  static void add(List &list, float value) { list.add_f(value); }
  static void add(List &list, bool value) { list.add_b(value); }
  static void add(List &list, DType value) {
    list.add_type(static_cast<proto::DataType>(value));
  }
  static void add(List &list, const Shape &value) {
    encodeShape(value, *list.add_shape());
  }
  static void add(List &list, const TensorConstant &value) {
    encodeTensor(value, *list.add_tensor());
  }
  static void add(List &list, const NameAttrList &value) {
    encodeFunction(value, *list.add_func());
  }

  proto::AttrValue &message;
};

/// Wraps the value of a StatusOr in an attribute.
template <class T> StatusOr<AttrValue> asAttr(StatusOr<T> decoded) {
  if (!decoded.ok())
    return std::move(decoded).status();
  return AttrValue(*std::move(decoded));
}

} // namespace

StatusOr<AttrValue> decodeAttr(const proto::AttrValue &attrProto,
                               ByteBudget &budget) {
  switch (attrProto.value_case()) {
  case proto::AttrValue::kS:
    return AttrValue(attrProto.s());
  case proto::AttrValue::kI:
    return AttrValue(int64_t{attrProto.i()});
  case proto::AttrValue::kF:
    return AttrValue(attrProto.f());
  case proto::AttrValue::kB:
    return AttrValue(attrProto.b());
  case proto::AttrValue::kType:
    return asAttr(decodeType(attrProto.type()));
  case proto::AttrValue::kShape:
    return asAttr(decodeShape(attrProto.shape()));
  case proto::AttrValue::kTensor:
    return asAttr(decodeTensor(attrProto.tensor(), budget));
  case proto::AttrValue::kList:
    return decodeList(attrProto.list(), budget);
  case proto::AttrValue::kFunc:
    return asAttr(decodeFunction(attrProto.func(), budget));
  case proto::AttrValue::kPlaceholder:
    return AttrValue(AttrPlaceholder{attrProto.placeholder()});
  case proto::AttrValue::VALUE_NOT_SET:
    break;
  }
  return AttrValue();
}

void encodeAttr(const AttrValue &value, proto::AttrValue &attrProto) {
  std::visit(Encoder(attrProto), value.variant());
}

} // namespace kiln::io
