// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small things that every binding needs: owned references, texts.
#ifndef KILN_PYTHON_BIND_OBJECTS_H
#define KILN_PYTHON_BIND_OBJECTS_H

#include <nanobind/nanobind.h>

#include <string>
#include <string_view>

namespace kiln::python {

/// Bytes that should be UTF-8; what is not is shown as TensorFlow shows it.
inline nanobind::object text(std::string_view bytes) {
  return nanobind::steal(PyUnicode_DecodeUTF8(
      bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "backslashreplace"));
}

/// A new reference, or the exception that the interpreter holds.
inline nanobind::object owned(PyObject *object) {
  if (!object)
    throw nanobind::python_error();
  return nanobind::steal(object);
}

/// **Errors**: a str that has no UTF-8.
inline std::string_view utf8(PyObject *string) {
  Py_ssize_t size = 0;
  const char *bytes = PyUnicode_AsUTF8AndSize(string, &size);
  if (!bytes)
    throw nanobind::python_error();
  return {bytes, static_cast<size_t>(size)};
}

/// "int", "numpy.ndarray": the type's name in messages.
inline std::string typeName(PyObject *object) {
  return Py_TYPE(object)->tp_name;
}

} // namespace kiln::python

#endif // KILN_PYTHON_BIND_OBJECTS_H
