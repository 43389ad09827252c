// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The objects' classes, their identity, and what the garbage collector sees.
#include "python/bind/front/GraphObjects.h"

#include "kiln/Assignments.h"
#include "python/bind/front/Collections.h"
#include "python/bind/front/Raise.h"

#include <algorithm>

namespace kiln::python::front {
namespace nb = nanobind;
namespace {

PyTypeObject *graphType, *operationType, *tensorType, *variableType;

/// The Graph objects by what they build in (borrowed). The GIL guards it.
auto &graphObjects() {
  static auto *all = new std::unordered_map<const BuildState *, PyObject *>();
  return *all;
}

template <class T> T *contents(PyObject *self, PyTypeObject *type) noexcept {
  return PyObject_TypeCheck(self, type) && nb::inst_ready(self)
             ? nb::inst_ptr<T>(self)
             : nullptr;
}

/// A new instance of a class of Python's whose base is T's.
template <class T, class... Parts>
nb::object instance(const nb::object &type, Parts &&...parts) {
  nb::object made = nb::inst_alloc(type);
  new (nb::inst_ptr<T>(made)) T{std::forward<Parts>(parts)...};
  nb::inst_mark_ready(made);
  return made;
}

PyObject *owned(const nb::object &object) {
  Py_INCREF(object.ptr());
  return object.ptr();
}

int visitAll(const std::vector<PyObject *> &objects, visitproc visit,
             void *arg) {
  for (PyObject *object : objects)
    Py_VISIT(object);
  return 0;
}

void dropAll(std::vector<PyObject *> &objects) {
  std::vector<PyObject *> dropped = std::move(objects);
  objects.clear();
  for (PyObject *object : dropped)
    Py_XDECREF(object);
}

void dropAll(GraphObject &graph) {
  dropAll(graph.operations);
  auto variables = std::move(graph.variables);
  graph.variables.clear();
  for (auto [data, object] : variables)
    Py_DECREF(object);
  dropAll(graph.kept);
}

int visitGraph(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  GraphObject *graph = contents<GraphObject>(self, graphType);
  if (!graph)
    return 0;
  if (int result = visitAll(graph->operations, visit, arg))
    return result;
  for (auto [data, object] : graph->variables)
    Py_VISIT(object);
  if (int result = visitAll(graph->kept, visit, arg))
    return result;
  if (int result = graph->traces.visit(visit, arg))
    return result;
  return visitCollections(graph->builder, visit, arg);
}

int clearGraph(PyObject *self) {
  if (GraphObject *graph = contents<GraphObject>(self, graphType)) {
    dropAll(*graph);
    clearCollections(graph->builder);
  }
  return 0;
}

int visitOperation(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  auto *operation = contents<OperationObject>(self, operationType);
  if (!operation)
    return 0;
  Py_VISIT(operation->graph);
  return visitAll(operation->outputs, visit, arg);
}

int clearOperation(PyObject *self) {
  if (auto *operation = contents<OperationObject>(self, operationType)) {
    dropAll(operation->outputs);
    Py_CLEAR(operation->graph);
  }
  return 0;
}

int visitTensor(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  if (auto *tensor = contents<TensorObject>(self, tensorType))
    Py_VISIT(tensor->operation);
  return 0;
}

int clearTensor(PyObject *self) {
  if (auto *tensor = contents<TensorObject>(self, tensorType))
    Py_CLEAR(tensor->operation);
  return 0;
}

int visitVariable(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  if (auto *variable = contents<VariableObject>(self, variableType))
    Py_VISIT(variable->graph);
  return 0;
}

int clearVariable(PyObject *self) {
  if (auto *variable = contents<VariableObject>(self, variableType))
    Py_CLEAR(variable->graph);
  return 0;
}

template <auto visit, auto clear> PyType_Slot *collected() {
  static PyType_Slot slots[] = {
      {Py_tp_traverse, reinterpret_cast<void *>(+visit)},
      {Py_tp_clear, reinterpret_cast<void *>(+clear)},
      {0, nullptr}};
  return slots;
}

/// The graph that C++ made and nothing of Python's holds yet: the process's
/// default one. Owned.
PyObject *defaultGraph;

GraphObject &graphOfNode(const Node *node) {
  GraphBuilder graph = GraphBuilder::of({node, 0});
  return *graphFrom(objectOf(graph).ptr());
}

} // namespace

Classes &classes() {
  static auto *all = new Classes();
  return *all;
}

GraphObject::GraphObject(GraphBuilder graph) : builder(std::move(graph)) {}
GraphObject::~GraphObject() {
  graphObjects().erase(&builder.internals());
  dropAll(*this);
  clearCollections(builder);
}
OperationObject::~OperationObject() {
  dropAll(outputs);
  Py_XDECREF(graph);
}

GraphObject *graphFrom(PyObject *object) noexcept {
  return contents<GraphObject>(object, graphType);
}
OperationObject *operationFrom(PyObject *object) noexcept {
  return contents<OperationObject>(object, operationType);
}
TensorObject *tensorFrom(PyObject *object) noexcept {
  return contents<TensorObject>(object, tensorType);
}
VariableObject *variableFrom(PyObject *object) noexcept {
  return contents<VariableObject>(object, variableType);
}

nb::object objectOf(const GraphBuilder &graph) {
  auto found = graphObjects().find(&graph.internals());
  if (found != graphObjects().end())
    return nb::borrow(found->second);
  nb::object made = instance<GraphObject>(classes().graph, graph);
  graphObjects()[&graph.internals()] = made.ptr();
  // Python's own graphs are known from their beginning: C++ made this one.
  if (auto outer = graph.outer()) {
    keep(*outer, made);
  } else {
    Py_XDECREF(defaultGraph);
    defaultGraph = owned(made);
  }
  made.attr("_init_members")();
  return made;
}

nb::object objectOf(const Node *node) {
  if (!node)
    return nb::none();
  GraphObject &graph = graphOfNode(node);
  auto id = static_cast<size_t>(node->id());
  if (id >= graph.operations.size())
    graph.operations.resize(std::max(id + 1, graph.operations.size() * 2),
                            nullptr);
  if (PyObject *known = graph.operations[id])
    return nb::borrow(known);
  nb::object made = instance<OperationObject>(
      classes().operation, owned(objectOf(graph.builder)), node);
  graph.operations[id] = owned(made);
  return made;
}

nb::object objectOf(const Output &output) {
  if (!output.node)
    return nb::none();
  nb::object operation = objectOf(output.node);
  auto &outputs = operationFrom(operation.ptr())->outputs;
  auto index = static_cast<size_t>(output.index);
  if (index >= outputs.size())
    outputs.resize(index + 1, nullptr);
  if (PyObject *known = outputs[index])
    return nb::borrow(known);
  nb::object made =
      instance<TensorObject>(classes().tensor, owned(operation), output);
  outputs[index] = owned(made);
  return made;
}

nb::object objectOf(const Variable &variable) {
  if (!variable.isValid())
    return nb::none();
  nb::object graph = objectOf(variable.graph());
  GraphObject &contents = *graphFrom(graph.ptr());
  auto found = contents.variables.find(variable.data().get());
  if (found != contents.variables.end())
    return nb::borrow(found->second);
  const nb::object &type = classes().variable;
  nb::object made = instance<VariableObject>(
      assignmentOf(variable) ? nb::object(type.attr("_behind_assignment"))
                             : type,
      owned(graph), variable);
  contents.variables[variable.data().get()] = owned(made);
  made.attr("_init_members")();
  return made;
}

nb::object objectOf(DType dtype, bool isRef) {
  auto &all = isRef ? classes().refDTypes : classes().dtypes;
  const nb::object &found = all.at(static_cast<size_t>(dtype));
  return found.is_valid() ? found : nb::none();
}

nb::object objectOf(const Shape &shape) {
  if (!shape.hasRank())
    return classes().shape(nb::none());
  nb::object dims = nb::steal(PyTuple_New(shape.rank()));
  for (int i = 0; i < shape.rank(); ++i)
    PyTuple_SET_ITEM(dims.ptr(), i,
                     shape.dim(i) < 0 ? Py_NewRef(Py_None)
                                      : PyLong_FromLongLong(shape.dim(i)));
  return classes().shape(dims);
}

void keep(const GraphBuilder &graph, nb::handle object) {
  nb::object holder = objectOf(graph);
  graphFrom(holder.ptr())->kept.push_back(Py_NewRef(object.ptr()));
}

static void initGraph(nb::handle self) {
  auto *graph =
      new (nb::inst_ptr<GraphObject>(self)) GraphObject{GraphBuilder()};
  graphObjects()[&graph->builder.internals()] = self.ptr();
}

void bindGraphObjects(nb::module_ &module) {
  auto type = [](auto &made) {
    return reinterpret_cast<PyTypeObject *>(made.ptr());
  };
  // Python's classes derive from these: they bring the objects' attributes and
  // weak references, and show them to the garbage collector.
  nb::class_<GraphObject> graph(
      module, "Graph", nb::type_slots(collected<visitGraph, clearGraph>()));
  graph.def("__init__", [](nb::pointer_and_handle<GraphObject> self) {
    initGraph(self.h);
  });
  graphType = type(graph);
  nb::class_<OperationObject> operation(
      module, "Operation",
      nb::type_slots(collected<visitOperation, clearOperation>()));
  operationType = type(operation);
  nb::class_<TensorObject> tensor(
      module, "Tensor", nb::type_slots(collected<visitTensor, clearTensor>()));
  tensorType = type(tensor);
  nb::class_<VariableObject> variable(
      module, "Variable",
      nb::type_slots(collected<visitVariable, clearVariable>()));
  variable.def("__init__", [](nb::pointer_and_handle<VariableObject> self,
                              const nb::args &arguments) {
    initVariable(self.p, self.h, arguments);
  });
  variableType = type(variable);
  nb::class_<DTypeObject>(module, "DType", nb::dynamic_attr())
      .def("__init__",
           [](DTypeObject *self, int number, bool isRef) {
             new (self) DTypeObject{static_cast<DType>(number), isRef};
           })
      .def_prop_ro(
          "_number",
          [](const DTypeObject &self) { return static_cast<int>(self.dtype); })
      .def_prop_ro("_is_ref_dtype",
                   [](const DTypeObject &self) { return self.isRef; });
}

} // namespace kiln::python::front
