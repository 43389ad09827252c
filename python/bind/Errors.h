// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kiln's errors as Python exceptions.
#ifndef KILN_PYTHON_BIND_ERRORS_H
#define KILN_PYTHON_BIND_ERRORS_H

#include "kiln/Status.h"

#include <nanobind/nanobind.h>

namespace kiln::python {

/// Sets the exception of kiln.errors that fits the status, with its message,
/// code and node. Holds the GIL.
void setError(const Status &status);

/// Throws it, where the status is no success.
void check(const Status &status);

/// The value, or throws.
template <class T> T check(StatusOr<T> result) {
  if (!result.ok())
    check(result.status());
  return *std::move(result);
}

} // namespace kiln::python

#endif // KILN_PYTHON_BIND_ERRORS_H
