// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kiln.Callable: a bound request, called with arrays.
#ifndef KILN_PYTHON_BIND_CALLABLETYPE_H
#define KILN_PYTHON_BIND_CALLABLETYPE_H

#include "python/bind/BoundRun.h"

namespace kiln::python {

/// A type of its own rather than nanobind's: a call goes to C++ without a tuple
/// of arguments.
void bindCallable(nanobind::module_ &module);

/// Where `instead` is not None, a call that fails or has other arguments than
/// the values of the feeds is instead(exception or None, arguments...). Throws.
nanobind::object makeCallable(std::shared_ptr<Session> session,
                              std::unique_ptr<BoundRun> run,
                              nanobind::object instead);

} // namespace kiln::python

#endif // KILN_PYTHON_BIND_CALLABLETYPE_H
