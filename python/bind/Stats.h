// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Figures of runs and sessions.
#ifndef KILN_PYTHON_BIND_STATS_H
#define KILN_PYTHON_BIND_STATS_H

#include <nanobind/nanobind.h>

namespace kiln::python {

void bindStats(nanobind::module_ &module);

} // namespace kiln::python

#endif // KILN_PYTHON_BIND_STATS_H
