// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stops the unwinding of a thread that Python stops.
#include "python/bind/Gil.h"

#include <cxxabi.h>
#include <unistd.h>

namespace nb = nanobind;

namespace kiln::python {

/// What `ask` gives, which may ask for the GIL. Nothing in this frame may need
/// to be destroyed.
template <class F> static auto orWaitForEnd(F ask) noexcept {
  try {
    return ask();
  } catch (abi::__forced_unwind &) {
    for (;;)
      pause();
  }
}

ReleasedGil::~ReleasedGil() {
  orWaitForEnd([this] { PyEval_RestoreThread(state); });
}

HeldGil::HeldGil() noexcept : state(orWaitForEnd(PyGILState_Ensure)) {}

nb::object call(const nb::object &function, const nb::tuple &arguments) {
  PyObject *result = orWaitForEnd(
      [&] { return PyObject_CallObject(function.ptr(), arguments.ptr()); });
  if (!result)
    throw nb::python_error();
  return nb::steal(result);
}

} // namespace kiln::python
