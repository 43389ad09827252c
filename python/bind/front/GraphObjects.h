// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs, operations, tensors and variables as the objects that Python holds.
//
// One object stands for a node, an output or a variable as long as its graph
// lives: programs compare them by identity and give them attributes. The graph
// holds what Python has asked for, each of them holds the graph, and the
// garbage collector sees both.
#ifndef KILN_PYTHON_BIND_FRONT_GRAPHOBJECTS_H
#define KILN_PYTHON_BIND_FRONT_GRAPHOBJECTS_H

#include "kiln/GraphBuilder.h"
#include "kiln/Variable.h"
#include "python/bind/front/Traces.h"

#include <nanobind/nanobind.h>

#include <array>
#include <unordered_map>
#include <vector>

namespace kiln::python::front {

/// References are owned where nothing else is said.
struct GraphObject {
  GraphBuilder builder;
  /// By the node's id; null where Python has not asked for it.
  std::vector<PyObject *> operations = {};
  std::unordered_map<const VariableData *, PyObject *> variables = {};
  /// What C++ calls back, and what it makes of other graphs: functions' bodies.
  std::vector<PyObject *> kept = {};
  Traces traces = {};

  explicit GraphObject(GraphBuilder graph);
  ~GraphObject();
  GraphObject(const GraphObject &) = delete;
  GraphObject &operator=(const GraphObject &) = delete;
};

struct OperationObject {
  PyObject *graph;
  const Node *node;
  /// Null where Python has not asked for it.
  std::vector<PyObject *> outputs = {};
  ~OperationObject();
};

struct TensorObject {
  PyObject *operation;
  Output output;
  ~TensorObject() { Py_XDECREF(operation); }
};

struct VariableObject {
  PyObject *graph;
  Variable variable;
  ~VariableObject() { Py_XDECREF(graph); }
};

/// An element type as graphs know it.
struct DTypeObject {
  DType dtype;
  bool isRef;
};

/// The classes that objects are made of, and functions of Python's that C++
/// calls: given by kiln.compat.v1 when it is imported.
struct Classes {
  nanobind::object graph, operation, tensor, variable, shape, shapeClass;
  /// From anything that means an element type to a DType.
  nanobind::object asDType;
  /// From an object that is no tensor to a tensor or a value.
  nanobind::object convert;
  /// From a shape of any form to a tuple, or None for an unknown rank.
  nanobind::object asShape;
  /// From an initializer to ("value", value), ("plain", function without
  /// arguments) or ("shaped", function of shape, dtype, partition).
  nanobind::object asInitializer;
  nanobind::object indexedSlices, sparseTensor;
  /// Subclasses of Saver and QueueRunner.
  nanobind::object saver, queueRunner;
  /// From name, shape, parts and axis to a tf.PartitionedVariable.
  nanobind::object partitioned;
  /// Calls a custom getter with a getter of C++'s, a name and options; and a
  /// getter of Python's with a name and options.
  nanobind::object callCustomGetter, callGetter;
  /// The dtypes by number, plain and by reference.
  std::array<nanobind::object, 64> dtypes, refDTypes;
};
Classes &classes();

/// The object; null for another type. Borrowed from it.
GraphObject *graphFrom(PyObject *object) noexcept;
OperationObject *operationFrom(PyObject *object) noexcept;
TensorObject *tensorFrom(PyObject *object) noexcept;
VariableObject *variableFrom(PyObject *object) noexcept;

/// The one object. Throws where there is none to be had.
nanobind::object objectOf(const GraphBuilder &graph);
nanobind::object objectOf(const Node *node);
nanobind::object objectOf(const Output &output);
nanobind::object objectOf(const Variable &variable);
nanobind::object objectOf(DType dtype, bool isRef = false);
nanobind::object objectOf(const Shape &shape);

/// Makes the graph hold the object while it lives.
void keep(const GraphBuilder &graph, nanobind::handle object);

/// Variable.__init__(value, options of VariableOptions by position).
void initVariable(VariableObject *self, nanobind::handle object,
                  const nanobind::args &arguments);

void bindGraphObjects(nanobind::module_ &module);

} // namespace kiln::python::front

#endif // KILN_PYTHON_BIND_FRONT_GRAPHOBJECTS_H
