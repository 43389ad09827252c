// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of C++ as Python's: those that Python gave are given back.
#ifndef KILN_PYTHON_BIND_FRONT_FUNCTIONS_H
#define KILN_PYTHON_BIND_FRONT_FUNCTIONS_H

#include "python/bind/front/Call.h"
#include "python/bind/front/Callbacks.h"

namespace kiln::python::front {

/// Calls what gives a new reference, or null with an exception, as nanobind's
/// functions do.
template <class F> nanobind::object raised(F function) {
  PyObject *result = guarded(std::move(function));
  if (!result)
    throw nanobind::python_error();
  return nanobind::steal(result);
}

template <class R, class... Parameters>
struct To<std::function<R(Parameters...)>> {
  using Function = std::function<R(Parameters...)>;
  static nanobind::object convert(const Function &function) {
    if (!function)
      return nanobind::none();
    if (auto *given = function.template target<Callback<R(Parameters...)>>())
      return nanobind::borrow(given->function);
    return nanobind::cpp_function([function](const nanobind::args &given) {
      return raised([&] {
        Arguments arguments(PySequence_Fast_ITEMS(given.ptr()),
                            PyTuple_GET_SIZE(given.ptr()));
        std::tuple<std::decay_t<Parameters>...> taken{
            arguments.take<std::decay_t<Parameters>>()...};
        return toPython(std::apply(function, std::move(taken)));
      });
    });
  }
};

} // namespace kiln::python::front

#endif // KILN_PYTHON_BIND_FRONT_FUNCTIONS_H
