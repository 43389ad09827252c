// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What functions of graph construction give, as Python has it: a tensor, an
// operation, a variable; a list of them; a tuple of what a struct has.
#ifndef KILN_PYTHON_BIND_FRONT_TOPYTHON_H
#define KILN_PYTHON_BIND_FRONT_TOPYTHON_H

#include "python/bind/Objects.h"
#include "python/bind/front/Values.h"

namespace kiln::python::front {

/// Calls a function with the members of a struct that is nothing else.
template <class Struct, class F>
auto withMembers(Struct &value, const F &function) {
  auto &[... members] = value;
  return function(members...);
}

template <class T> nanobind::object toPython(const T &value) {
  namespace nb = nanobind;
  if constexpr (requires { To<T>::convert(value); }) {
    return To<T>::convert(value);
  } else if constexpr (std::is_base_of_v<nb::handle, T>) {
    return nb::borrow(value);
  } else if constexpr (std::is_same_v<T, std::string>) {
    return text(value);
  } else if constexpr (std::is_same_v<T, bool>) {
    return nb::bool_(value);
  } else if constexpr (std::is_integral_v<T>) {
    return nb::int_(value);
  } else if constexpr (std::is_floating_point_v<T>) {
    return nb::float_(value);
  } else if constexpr (std::is_same_v<T, Output> ||
                       std::is_same_v<T, const Node *> ||
                       std::is_same_v<T, Variable> ||
                       std::is_same_v<T, Shape> ||
                       std::is_same_v<T, GraphBuilder>) {
    return objectOf(value);
  } else if constexpr (std::is_same_v<T, DType>) {
    return objectOf(value, false);
  } else if constexpr (std::is_same_v<T, Assignment>) {
    return objectOf(value.graphElement());
  } else if constexpr (requires { value.begin(), value.size(); }) {
    nb::list list;
    for (const auto &each : value)
      list.append(toPython(each));
    return list;
  } else if constexpr (requires { value.has_value(), *value; }) {
    return value ? toPython(*value) : nb::none();
  } else {
    return withMembers(value, [](const auto &...members) {
      return nb::object(nb::make_tuple(toPython(members)...));
    });
  }
}

} // namespace kiln::python::front

#endif // KILN_PYTHON_BIND_FRONT_TOPYTHON_H
