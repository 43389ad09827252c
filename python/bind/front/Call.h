// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of graph construction as Python's: their parameters by position,
// then the members of their options in the order of declaration. What is None
// or left out keeps its default. Names, order and defaults as TensorFlow's
// stand in the Python function above.
#ifndef KILN_PYTHON_BIND_FRONT_CALL_H
#define KILN_PYTHON_BIND_FRONT_CALL_H

#include "python/bind/front/Raise.h"
#include "python/bind/front/Values.h"

#include <functional>
#include <span>
#include <tuple>

namespace kiln::python::front {

/// Structs of options, which have no constructor and no conversion of their
/// own.
template <class T>
concept Options = std::is_aggregate_v<T> &&
                  !requires(PyObject *value) { From<T>::convert(value); };

/// The arguments of a call, taken one after the other.
class Arguments {
public:
  Arguments(PyObject *const *values, Py_ssize_t count)
      : rest(values, static_cast<size_t>(count)) {}

  /// None where there are no more.
  PyObject *next() {
    if (rest.empty())
      return Py_None;
    PyObject *value = rest.front();
    rest = rest.subspan(1);
    return value;
  }
  /// Throws TypeError where some are left.
  void finish() const {
    if (!rest.empty())
      throw nanobind::type_error("too many arguments");
  }

  template <class T> T take() {
    if constexpr (Options<T>) {
      T options;
      withMembers(options,
                  [&](auto &...members) { (takeMember(members), ...); });
      return options;
    } else {
      return from<T>(next());
    }
  }

private:
  template <class T> void takeMember(T &member) {
    if (PyObject *value = next(); value != Py_None)
      member = from<T>(value);
  }
  std::span<PyObject *const> rest;
};

template <class R, class... Parameters>
nanobind::object callWith(R (*function)(Parameters...), Arguments &arguments) {
  // Braces: in order.
  std::tuple<std::decay_t<Parameters>...> taken{
      arguments.take<std::decay_t<Parameters>>()...};
  arguments.finish();
  if constexpr (std::is_void_v<R>) {
    std::apply(function, std::move(taken));
    return nanobind::none();
  } else {
    return toPython(std::apply(function, std::move(taken)));
  }
}

/// The function of Python's C interface for a function of C++, or for a lambda
/// without captures.
template <auto function>
PyObject *called(PyObject *, PyObject *const *values, Py_ssize_t count) {
  return guarded([&] {
    Arguments arguments(values, count);
    if constexpr (std::is_pointer_v<decltype(function)>)
      return callWith(function, arguments);
    else
      return callWith(+function, arguments);
  });
}

/// One function, by the name in the module.
template <auto function> constexpr PyMethodDef function_(const char *name) {
  return {name,
          reinterpret_cast<PyCFunction>(
              reinterpret_cast<void (*)()>(&called<function>)),
          METH_FASTCALL, nullptr};
}

/// Adds the functions of a table, which ends with an empty one and stays.
void addFunctions(nanobind::module_ &module, PyMethodDef *table);

} // namespace kiln::python::front

#endif // KILN_PYTHON_BIND_FRONT_CALL_H
