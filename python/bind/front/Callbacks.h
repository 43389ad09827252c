// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of Python's that C++ calls while a graph is built.
#ifndef KILN_PYTHON_BIND_FRONT_CALLBACKS_H
#define KILN_PYTHON_BIND_FRONT_CALLBACKS_H

#include "python/bind/front/Raise.h"
#include "python/bind/front/Values.h"

#include <functional>

namespace kiln::python::front {

/// A function as C++ has it. **Ownership**: borrowed from what calls C++, or
/// from a graph that keeps it (keep()): C++ is hidden from the garbage
/// collector, and a reference of its own would hold graphs for ever.
template <class Signature> struct Callback;

template <class R, class... Parameters> struct Callback<R(Parameters...)> {
  nanobind::handle function;
  R operator()(Parameters... parameters) const {
    return calledBack([&]() -> R {
      nanobind::object result = function(toPython(parameters)...);
      // A regularizer, which may give no loss.
      if constexpr (std::is_same_v<R(Parameters...), Output(const Variable &)>)
        if (result.is_none())
          return Output();
      if constexpr (!std::is_void_v<R>)
        return from<R>(result.ptr());
    });
  }
};

/// A function that is called only while the call from Python lasts; empty for
/// None.
template <class R, class... Parameters>
struct From<std::function<R(Parameters...)>> {
  static std::function<R(Parameters...)> convert(PyObject *value) {
    if (value == Py_None)
      return {};
    return Callback<R(Parameters...)>{value};
  }
};

} // namespace kiln::python::front

#endif // KILN_PYTHON_BIND_FRONT_CALLBACKS_H
