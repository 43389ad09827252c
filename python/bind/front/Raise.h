// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What surrounds a call from Python that adds to a graph: its errors become
// exceptions, and its nodes are marked with the place in the program.
#ifndef KILN_PYTHON_BIND_FRONT_RAISE_H
#define KILN_PYTHON_BIND_FRONT_RAISE_H

#include "kiln/GraphBuilder.h"

#include <nanobind/nanobind.h>

#include <optional>

namespace kiln::python::front {

/// Sets TensorFlow's exception for an error of graph construction: ValueError,
/// TypeError, KeyError ...
void setBuildError(const Status &status);
/// Throws it, where the status is no success.
void checkBuilt(const Status &status);

/// A call from Python. Calls nest: C++ calls functions of Python's, which call
/// C++.
class Call {
public:
  Call();
  ~Call();
  Call(const Call &) = delete;
  Call &operator=(const Call &) = delete;

  /// The call adds to the graph of an input, which may not be the current one.
  static void touch(const GraphBuilder &graph);
  /// An exception of a function that C++ called: the graph takes nothing more
  /// until the call from Python ends, which raises it.
  static void fail(nanobind::python_error &&error);

  /// Marks what was added. Throws the exception of a function that was called,
  /// or what the graph's error is in Python.
  void finish();
  /// Forgets errors of the graphs, where an exception is raised anyhow.
  void forgetErrors();

private:
  struct Part {
    GraphBuilder graph;
    int before;
  };
  Part current;
  std::optional<Part> touched;
  std::optional<nanobind::python_error> raised;
  Call *outer;
};

/// Calls a function that gives a new reference. Null with an exception.
template <class F> PyObject *guarded(F function) noexcept {
  namespace nb = nanobind;
  try {
    Call call;
    try {
      nb::object result = function();
      call.finish();
      return result.release().ptr();
    } catch (...) {
      call.forgetErrors();
      throw;
    }
  } catch (nb::python_error &error) {
    error.restore();
  } catch (nb::builtin_exception &error) {
    PyErr_SetString(error.type() == nb::exception_type::type_error
                        ? PyExc_TypeError
                        : PyExc_ValueError,
                    error.what());
  } catch (std::exception &error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return nullptr;
}

/// Calls a function of Python's for C++, which throws nothing: an exception
/// becomes Call::fail(), and the result is the default.
template <class F> auto calledBack(F function) -> decltype(function()) {
  try {
    return function();
  } catch (nanobind::python_error &error) {
    Call::fail(std::move(error));
  } catch (nanobind::builtin_exception &error) {
    PyErr_SetString(error.type() == nanobind::exception_type::type_error
                        ? PyExc_TypeError
                        : PyExc_ValueError,
                    error.what());
    Call::fail(nanobind::python_error());
  }
  using Result = decltype(function());
  if constexpr (std::is_default_constructible_v<Result> ||
                std::is_void_v<Result>)
    return Result();
  else
    return Result(Output());
}

} // namespace kiln::python::front

#endif // KILN_PYTHON_BIND_FRONT_RAISE_H
