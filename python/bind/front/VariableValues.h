// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What functions that make variables take: initializers, regularizers,
// constraints, and functions that cut variables into parts.
#ifndef KILN_PYTHON_BIND_FRONT_VARIABLEVALUES_H
#define KILN_PYTHON_BIND_FRONT_VARIABLEVALUES_H

#include "kiln/Initializers.h"
#include "kiln/PartitionedVariable.h"
#include "python/bind/front/Callbacks.h"

namespace kiln::python::front {

template <> struct To<const PartitionInfo *> {
  static nanobind::object convert(const PartitionInfo *partition) {
    if (!partition)
      return nanobind::none();
    return nanobind::make_tuple(objectOf(partition->fullShape),
                                toPython(partition->offset));
  }
};

/// A value, a function without arguments, or one of shape, dtype and partition:
/// classes().asInitializer tells.
template <> struct From<Initializer> {
  static Initializer convert(PyObject *value);
};

/// Makes the graph that is current hold functions which outlive a call.
void keepCallables(std::initializer_list<PyObject *> functions);

} // namespace kiln::python::front

#endif // KILN_PYTHON_BIND_FRONT_VARIABLEVALUES_H
