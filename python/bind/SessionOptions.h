// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The keyword arguments of kiln.Session.
#ifndef KILN_PYTHON_BIND_SESSIONOPTIONS_H
#define KILN_PYTHON_BIND_SESSIONOPTIONS_H

#include "kiln/SessionOptions.h"

#include <nanobind/nanobind.h>

namespace kiln::python {

/// Seconds as Python gives them; None: `none`. Throws ValueError for what no
/// clock can count.
std::chrono::nanoseconds secondsFromPython(nanobind::handle seconds,
                                           std::chrono::nanoseconds none);

/// Reads options by their Python names. Throws TypeError for an unknown name or
/// a value of another type.
SessionOptions optionsFromPython(const nanobind::kwargs &arguments);

/// What a ConfigProto says, by the same names. Throws kiln.Error for bytes that
/// are none.
nanobind::dict optionsFromConfig(const nanobind::bytes &config);

} // namespace kiln::python

#endif // KILN_PYTHON_BIND_SESSIONOPTIONS_H
