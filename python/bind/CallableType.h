// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kiln.Callable: a bound request, called with arrays.
#ifndef KILN_PYTHON_BIND_CALLABLETYPE_H
#define KILN_PYTHON_BIND_CALLABLETYPE_H

#include "python/bind/BoundRun.h"

namespace kiln::python {

/// A type of its own rather than nanobind's: a call goes to C++ without a tuple
/// of arguments.
void bindCallable(nanobind::module_ &module);

/// Throws.
nanobind::object makeCallable(std::shared_ptr<Session> session,
                              std::unique_ptr<BoundRun> run);

} // namespace kiln::python

#endif // KILN_PYTHON_BIND_CALLABLETYPE_H
