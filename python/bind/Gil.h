// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The GIL, also while Python ends.
//
// Python up to 3.13 stops its daemon threads, once main() has ended, where they
// ask for the GIL: pthread_exit() unwinds them, and through a destructor or any
// function that is noexcept (nanobind's are) this ends in std::terminate(). The
// threads of queue runners are such ones. So the unwinding is stopped where it
// begins, and the thread waits for the end of the process, as Python 3.14 does.
#ifndef KILN_PYTHON_BIND_GIL_H
#define KILN_PYTHON_BIND_GIL_H

#include <nanobind/nanobind.h>

namespace kiln::python {

/// Lets go of the GIL while it lives.
class ReleasedGil {
public:
  ReleasedGil() noexcept : state(PyEval_SaveThread()) {}
  ~ReleasedGil();
  ReleasedGil(const ReleasedGil &) = delete;
  ReleasedGil &operator=(const ReleasedGil &) = delete;

private:
  PyThreadState *state;
};

/// Holds the GIL while it lives, on a thread that Python may not know.
class HeldGil {
public:
  HeldGil() noexcept;
  ~HeldGil() { PyGILState_Release(state); }
  HeldGil(const HeldGil &) = delete;
  HeldGil &operator=(const HeldGil &) = delete;

private:
  PyGILState_STATE state;
};

/// Calls a Python function on a thread that may not be Python's own. Throws
/// what it raises (nb::python_error).
nanobind::object call(const nanobind::object &function,
                      const nanobind::tuple &arguments);

} // namespace kiln::python

#endif // KILN_PYTHON_BIND_GIL_H
