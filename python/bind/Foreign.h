// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that Python computes, for kiln.tensorflow.
#ifndef KILN_PYTHON_BIND_FOREIGN_H
#define KILN_PYTHON_BIND_FOREIGN_H

#include <nanobind/nanobind.h>

namespace kiln::python {

/// _set_foreign_library, _register_foreign_op.
void bindForeign(nanobind::module_ &module);

} // namespace kiln::python

#endif // KILN_PYTHON_BIND_FOREIGN_H
