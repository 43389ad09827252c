// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes of operations, from Python's values and back.
#include "python/bind/Arrays.h"
#include "python/bind/Errors.h"
#include "python/bind/front/Values.h"

namespace kiln::python::front {
namespace nb = nanobind;
namespace {

TensorConstant constantFrom(PyObject *value) {
  Tensor tensor = tensorFromPython(value, DType::Invalid);
  return check(tensor.clone());
}

NameAttrList functionFrom(PyObject *value) {
  if (PyUnicode_Check(value))
    return {textFrom(value), {}};
  return {nb::cast<std::string>(nb::handle(value).attr("name")), {}};
}

/// A list's elements, each by a function.
template <class F> auto listOf(PyObject *value, const F &element) {
  std::vector<decltype(element(value))> list;
  for (const nb::object &each : elementsOf(value))
    list.push_back(element(each.ptr()));
  return list;
}

AttrValue listFrom(PyObject *value, std::string_view kind) {
  if (kind == "int")
    return listOf(value, integerFrom);
  if (kind == "float")
    return listOf(value, from<float>);
  if (kind == "bool")
    return listOf(value, from<bool>);
  if (kind == "string")
    return listOf(value, textFrom);
  if (kind == "type")
    return listOf(value, dtypeFrom);
  if (kind == "shape")
    return listOf(value, shapeFrom);
  if (kind == "tensor")
    return listOf(value, constantFrom);
  if (kind == "func")
    return listOf(value, functionFrom);
  throw nb::value_error("not the kind of an attribute");
}

nb::object functionName(const NameAttrList &function) {
  return toPython(function.name);
}

/// A numpy array.
nb::object constantToPython(const TensorConstant &constant) {
  return nb::steal(arrayFromTensor(check(constant.materialize())));
}

} // namespace

AttrValue attrFrom(PyObject *value, std::string_view kind) {
  if (kind.starts_with("list("))
    return listFrom(value, kind.substr(5, kind.size() - 6));
  if (kind == "int")
    return integerFrom(value);
  if (kind == "float")
    return from<float>(value);
  if (kind == "bool")
    return from<bool>(value);
  if (kind == "string")
    return textFrom(value);
  if (kind == "type")
    return dtypeFrom(value);
  if (kind == "shape")
    return shapeFrom(value);
  if (kind == "tensor")
    return constantFrom(value);
  if (kind == "func")
    return functionFrom(value);
  throw nb::value_error("not the kind of an attribute");
}

AttrMap attributesFrom(PyObject *dict) {
  AttrMap attrs;
  for (auto [name, value] : nb::cast<nb::dict>(nb::handle(dict))) {
    auto kindAndValue = nb::cast<nb::tuple>(value);
    nb::object kind = kindAndValue[0], held = kindAndValue[1];
    attrs.set(textFrom(name.ptr()),
              attrFrom(held.ptr(), from<std::string_view>(kind.ptr())));
  }
  return attrs;
}

nb::object toPython(const AttrValue &value) {
  return std::visit(
      [](const auto &held) -> nb::object {
        using T = std::decay_t<decltype(held)>;
        auto list = [&](auto &&element) {
          nb::list elements;
          if constexpr (requires { held.begin(); })
            for (const auto &each : held)
              elements.append(element(each));
          return nb::object(elements);
        };
        if constexpr (std::is_same_v<T, std::monostate>)
          return nb::none();
        else if constexpr (std::is_same_v<T, std::string>)
          return nb::bytes(held.data(), held.size());
        else if constexpr (std::is_same_v<T, NameAttrList>)
          return functionName(held);
        else if constexpr (std::is_same_v<T, TensorConstant>)
          return constantToPython(held);
        else if constexpr (std::is_same_v<T, AttrPlaceholder>)
          return toPython(held.name);
        else if constexpr (std::is_same_v<T, EmptyList>)
          return nb::list();
        else if constexpr (std::is_same_v<T, std::vector<std::string>>)
          return list([](const std::string &each) {
            return nb::bytes(each.data(), each.size());
          });
        else if constexpr (std::is_same_v<T, std::vector<NameAttrList>>)
          return list(functionName);
        else if constexpr (std::is_same_v<T, std::vector<TensorConstant>>)
          return list(constantToPython);
        else if constexpr (std::is_same_v<T, std::vector<bool>>)
          return list([](bool each) { return nb::bool_(each); });
        else
          return toPython(held);
      },
      value.variant());
}

} // namespace kiln::python::front
