// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kiln.Session and what it is made with.
#ifndef KILN_PYTHON_BIND_SESSIONS_H
#define KILN_PYTHON_BIND_SESSIONS_H

#include <nanobind/nanobind.h>

namespace kiln::python {

void bindSession(nanobind::module_ &module);

} // namespace kiln::python

#endif // KILN_PYTHON_BIND_SESSIONS_H
