// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the class of kiln.errors by the status's code.
#include "python/bind/Errors.h"

#include "python/bind/Objects.h"

namespace kiln::python {

namespace nb = nanobind;

void setError(const Status &status) {
  try {
    nb::object classes = nb::module_::import_("kiln.errors").attr("BY_CODE");
    nb::object type = classes[nb::int_(static_cast<int>(status.code()))];
    nb::object node = status.node().empty() ? nb::none() : text(status.node());
    nb::object error = type(text(status.message()), node);
    PyErr_SetObject(type.ptr(), error.ptr());
  } catch (nb::python_error &inside) {
    inside.restore();
  }
}

void check(const Status &status) {
  if (status.ok())
    return;
  setError(status);
  throw nb::python_error();
}

} // namespace kiln::python
