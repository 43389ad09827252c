// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What functions that make variables take: initializers, regularizers,
// constraints, functions that cut variables into parts, custom getters; and
// what these give.
#ifndef KILN_PYTHON_BIND_FRONT_VARIABLEVALUES_H
#define KILN_PYTHON_BIND_FRONT_VARIABLEVALUES_H

#include "kiln/Initializers.h"
#include "kiln/Weight.h"
#include "python/bind/front/Functions.h"

namespace kiln::python::front {

template <> struct To<const PartitionInfo *> {
  static nanobind::object convert(const PartitionInfo *partition) {
    if (!partition)
      return nanobind::none();
    return nanobind::make_tuple(objectOf(partition->fullShape),
                                toPython(partition->offset));
  }
};

/// An object with full_shape and var_offset.
template <> struct From<PartitionInfo> {
  static PartitionInfo convert(PyObject *value) {
    nanobind::object given = nanobind::borrow(value);
    nanobind::object shape = given.attr("full_shape"),
                     offset = given.attr("var_offset");
    return {shapeFrom(shape.ptr()), from<std::vector<int64_t>>(offset.ptr())};
  }
};

/// A value, a function without arguments, or one of shape, dtype and partition:
/// classes().asInitializer tells.
template <> struct From<Initializer> {
  static Initializer convert(PyObject *value);
};

/// What Python gave, or a function of shape, dtype and partition.
template <> struct To<Initializer> {
  static nanobind::object convert(const Initializer &initializer);
};

/// A variable, a tf.PartitionedVariable, or a tensor.
template <> struct From<Weight> {
  static Weight convert(PyObject *value);
};
template <> struct To<Weight> {
  static nanobind::object convert(const Weight &weight);
};
/// The one object that stands for it in its graph.
template <> struct To<PartitionedVariable> {
  static nanobind::object convert(const PartitionedVariable &variable);
};
/// False, True, or "auto".
template <> struct To<Reuse> {
  static nanobind::object convert(Reuse reuse);
};

/// Python's are called with keywords: shape, dtype.
template <> struct From<Partitioner> {
  static Partitioner convert(PyObject *value);
};
template <> struct To<Partitioner> {
  static nanobind::object convert(const Partitioner &partitioner);
};

/// Custom getters take and give keyword arguments: classes() has the functions
/// of Python's that call them.
template <> struct From<CustomGetter> {
  static CustomGetter convert(PyObject *value);
};
template <> struct To<CustomGetter> {
  static nanobind::object convert(const CustomGetter &getter);
};

/// Makes the graph that is current hold functions which outlive a call.
void keepCallables(std::initializer_list<PyObject *> functions);

} // namespace kiln::python::front

#endif // KILN_PYTHON_BIND_FRONT_VARIABLEVALUES_H
