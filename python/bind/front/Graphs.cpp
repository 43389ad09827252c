// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What Graph, Operation and Tensor can do that is not Python's.
#include "kiln/Containers.h"
#include "kiln/GraphDef.h"
#include "kiln/ImportGraph.h"
#include "kiln/Operators.h"
#include "python/bind/Errors.h"
#include "python/bind/Handles.h"
#include "python/bind/front/Call.h"
#include "python/bind/front/Collections.h"
#include "python/bind/front/Modules.h"

#include <nanobind/stl/string.h>

namespace kiln::python::front {
namespace nb = nanobind;
namespace {

OperationObject &operationAt(PyObject *value) {
  if (OperationObject *operation = operationFrom(value))
    return *operation;
  throw nb::type_error("expected a tf.Operation");
}
TensorObject &tensorAt(PyObject *value) {
  if (TensorObject *tensor = tensorFrom(value))
    return *tensor;
  throw nb::type_error("expected a tf.Tensor");
}

/// A property of an object of one kind, by a function of it.
template <auto contents, auto get> PyObject *property(PyObject *self, void *) {
  try {
    return toPython(get(contents(self))).release().ptr();
  } catch (nb::python_error &error) {
    error.restore();
  } catch (std::exception &error) {
    PyErr_SetString(PyExc_TypeError, error.what());
  }
  return nullptr;
}

template <class T> std::vector<nb::object> objects(const T &list) {
  std::vector<nb::object> all;
  for (const auto &each : list)
    all.push_back(objectOf(each));
  return all;
}

std::vector<nb::object> outputsOf(const OperationObject &self) {
  std::vector<nb::object> outputs;
  for (int i = 0; i < self.node->numOutputs(); ++i)
    outputs.push_back(objectOf(Output{self.node, i}));
  return outputs;
}

std::vector<nb::object> operationsOf(const GraphObject &self) {
  std::vector<nb::object> all;
  const Graph &graph = *self.builder.graph();
  for (int id = 0; id < graph.numAdded(); ++id)
    all.push_back(objectOf(graph.addedNode(id)));
  return all;
}

/// The operations that have the tensor as an input, in their order.
std::vector<nb::object> consumersOf(const TensorObject &self) {
  std::vector<nb::object> found;
  const Graph &graph =
      *graphFrom(operationFrom(self.operation)->graph)->builder.graph();
  // A loop, and an imported graph, may have takers before it.
  for (int id = 0; id < graph.numAdded(); ++id) {
    const Node *node = graph.addedNode(id);
    for (const Output &input : node->inputs())
      if (input == self.output) {
        found.push_back(objectOf(node));
        break;
      }
  }
  return found;
}

nb::object attributeOf(nb::handle self, const std::string &name) {
  const Node &node = *operationAt(self.ptr()).node;
  const AttrValue *attr = node.findAttr(name);
  if (!attr)
    throw nb::value_error(
        ("Operation '" + node.name() + "' has no attr named '" + name + "'.")
            .c_str());
  return toPython(*attr);
}

nb::list attributeNames(nb::handle self) {
  nb::list names;
  for (const NamedAttr &attr : operationAt(self.ptr()).node->attrs())
    names.append(toPython(attr.name));
  return names;
}

nb::bytes graphDefOf(const GraphObject &self) {
  std::string bytes = check(toGraphDef(*self.builder.graph()));
  return nb::bytes(bytes.data(), bytes.size());
}

nb::bytes nodeDefOf(nb::handle self) {
  OperationObject &operation = operationAt(self.ptr());
  std::string bytes = check(
      toNodeDef(*graphFrom(operation.graph)->builder.graph(), *operation.node));
  return nb::bytes(bytes.data(), bytes.size());
}

nb::object lookUp(const GraphObject &self, const std::string &name) {
  const Node *node = self.builder.graph()->lookupAdded(name);
  return node ? objectOf(node) : nb::none();
}

nb::list importGraph(const nb::bytes &bytes, const nb::dict &inputMap,
                     const nb::list &elements, const std::string &name) {
  auto loaded = loadGraphDef(std::string_view(bytes.c_str(), bytes.size()));
  checkBuilt(loaded.status());
  Call call;
  ImportGraphOptions options;
  for (auto [key, value] : inputMap)
    options.inputMap.emplace(textFrom(key.ptr()), inputFrom(value.ptr()));
  for (nb::handle element : elements)
    options.returnElements.push_back(textFrom(element.ptr()));
  options.name = name;
  std::vector<GraphElement> found = importGraphDef(**loaded, options);
  call.finish();
  nb::list objects;
  for (const GraphElement &element : found)
    objects.append(
        std::visit([](const auto &each) { return objectOf(each); }, element));
  return objects;
}

[[noreturn]] void failIndex(PyObject *index) {
  throw nb::type_error(
      ("Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) "
       "and scalar tf.int32/tf.int64 tensors are valid indices, got " +
       nb::cast<std::string>(nb::repr(nb::handle(index))))
          .c_str());
}

/// An integer, of Python's, NumPy's or a tensor. **Source**:
/// array_ops._check_index.
Input indexFrom(PyObject *index) {
  if (PyUnicode_Check(index) || PyFloat_Check(index) || PyList_Check(index))
    failIndex(index);
  Input input = inputFrom(index);
  DType dtype = DType::Int64;
  int rank = 0;
  if (input.output() && input.output()->node) {
    dtype = input.output()->dtype();
    rank =
        input.output()->shape().hasRank() ? input.output()->shape().rank() : 0;
  } else if (const auto *array = std::get_if<Tensor>(&input.value())) {
    dtype = array->dtype();
    rank = array->rank();
  }
  bool isInteger =
      dtype == DType::Int16 || dtype == DType::Int32 || dtype == DType::Int64;
  if (!isInteger || rank == 1)
    failIndex(index);
  return input;
}

/// What slices are: numbers and tensors, slices, Ellipsis, None.
SliceIndex sliceIndexFrom(PyObject *index) {
  using Kind = SliceIndex::Kind;
  if (index == Py_Ellipsis)
    return ellipsis();
  if (index == Py_None)
    return newAxis();
  if (!PySlice_Check(index))
    return SliceIndex(Kind::Element, indexFrom(index), {}, {});
  nb::handle slice(index);
  auto part = [&](const char *name) -> std::optional<Input> {
    nb::object bound = slice.attr(name);
    if (bound.is_none())
      return std::nullopt;
    return indexFrom(bound.ptr());
  };
  return {Kind::Slice, part("start"), part("stop"), part("step")};
}

Output slicedBy(const Output &tensor, const nb::object &index) {
  std::vector<SliceIndex> indices;
  if (PyTuple_Check(index.ptr()) || PyList_Check(index.ptr()))
    for (nb::handle each : index)
      indices.push_back(sliceIndexFrom(each.ptr()));
  else
    indices.push_back(sliceIndexFrom(index.ptr()));
  return sliced(tensor, indices);
}

void setShape(const Output &tensor, const Shape &shape) {
  GraphBuilder::of(tensor).setShape(tensor, shape);
}

Output convert(const nb::object &value, DType dtype, DType hint,
               const std::string &name) {
  Input input = inputFrom(value.ptr());
  return GraphBuilder::current().convert(input, {dtype, hint, name});
}
/// As convert(); a variable, or a reference to one, stays a reference.
Output convertToRef(const nb::object &value) {
  return GraphBuilder::current().convertToRef(inputFrom(value.ptr()));
}

/// One operation of any type, whose inputs fit as they are.
const Node *createOperation(const std::string &op, const std::string &name,
                            const std::vector<Output> &inputs,
                            const nb::object &attrs) {
  return GraphBuilder::current().addNode(op, name, inputs,
                                         attributesFrom(attrs.ptr()));
}

/// The sum of the rows of IndexedSlices.
Output denseOf(const Gradient &gradient) { return gradient.toTensor(); }

Output operatorOf(std::string_view name, const Input &x, const Input &y,
                  bool isReflected) {
  return detail::binaryOperator(name, x, y, isReflected);
}

PyMethodDef functions[] = {function_<&slicedBy>("sliced"),
                           function_<&setShape>("set_shape"),
                           function_<&convert>("convert"),
                           function_<&convertToRef>("convert_to_ref"),
                           function_<&createOperation>("create_operation"),
                           function_<&denseOf>("dense_of"),
                           function_<&operatorOf>("binary_operator"),
                           function_<&detail::comparison>("comparison"),
                           function_<&detail::unaryOperator>("unary_operator"),
                           {nullptr, nullptr, 0, nullptr}};

template <auto contents, auto get>
constexpr PyGetSetDef getter(const char *name) {
  return {name, &property<contents, get>, nullptr, nullptr, nullptr};
}

PyGetSetDef tensorProperties[] = {
    getter<tensorAt,
           [](TensorObject &self) { return nb::borrow(self.operation); }>("op"),
    getter<tensorAt, [](TensorObject &self) { return self.output.name(); }>(
        "name"),
    getter<tensorAt,
           [](TensorObject &self) {
             const OutputInfo &info =
                 self.output.node->output(self.output.index);
             return objectOf(info.dtype, info.isRef);
           }>("dtype"),
    getter<tensorAt, [](TensorObject &self) { return self.output.shape(); }>(
        "shape"),
    getter<tensorAt, [](TensorObject &self) { return self.output.index; }>(
        "value_index"),
    getter<tensorAt, [](TensorObject &self) {
      return nb::borrow(operationFrom(self.operation)->graph);
    }>("graph")};

PyGetSetDef operationProperties[] = {
    getter<operationAt,
           [](OperationObject &self) { return nb::borrow(self.graph); }>(
        "graph"),
    getter<operationAt,
           [](OperationObject &self) { return self.node->name(); }>("name"),
    getter<operationAt, [](OperationObject &self) { return self.node->op(); }>(
        "type"),
    getter<operationAt,
           [](OperationObject &self) { return self.node->device(); }>("device"),
    getter<operationAt, [](OperationObject &self) { return self.node->id(); }>(
        "_id"),
    getter<operationAt, outputsOf>("outputs"),
    getter<operationAt,
           [](OperationObject &self) { return objects(self.node->inputs()); }>(
        "_inputs"),
    getter<operationAt,
           [](OperationObject &self) {
             return objects(self.node->controlInputs());
           }>("control_inputs"),
    getter<operationAt, [](OperationObject &self) {
      return graphFrom(self.graph)->traces.of(self.node->id());
    }>("_trace")};

/// Adds properties to a class, which is there already.
void addProperties(const nb::object &type, std::span<PyGetSetDef> properties) {
  for (PyGetSetDef &property : properties)
    type.attr(property.name) = owned(PyDescr_NewGetSet(
        reinterpret_cast<PyTypeObject *>(type.ptr()), &property));
}

} // namespace

void addFunctions(nb::module_ &module, PyMethodDef *table) {
  for (PyMethodDef *each = table; each->ml_name; ++each)
    module.attr(each->ml_name) =
        owned(PyCFunction_NewEx(each, nullptr, nullptr));
}

void bindGraphs(nb::module_ &module) {
  addFunctions(module, functions);
  addProperties(module.attr("Tensor"), tensorProperties);
  addProperties(module.attr("Operation"), operationProperties);
  module.def("consumers", [](const TensorObject &self) {
    return toPython(consumersOf(self));
  });
  module.def("attribute", &attributeOf);
  module.def("attribute_names", &attributeNames);
  module.def("operations", [](const GraphObject &self) {
    return toPython(operationsOf(self));
  });
  module.def("look_up", &lookUp);
  module.def("graph_def", &graphDefOf);
  module.def("node_def", &nodeDefOf);
  module.def("import_graph_def", &importGraph);
  module.def("num_operations", [](const GraphObject &self) {
    return self.builder.graph()->numAdded();
  });
  module.def("current_graph", [] { return objectOf(GraphBuilder::current()); });
  module.def("handle", [](const GraphObject &self) {
    return GraphHandle{self.builder.graph()};
  });
  module.def("reset_default_graph", [] {
    Call call;
    resetDefaultGraph();
    call.finish();
  });
  module.def("unique_name",
             [](const GraphObject &self, const std::string &name, bool mark) {
               return self.builder.uniqueName(name, mark);
             });
  module.def("name_scope_of",
             [](const GraphObject &self) { return self.builder.nameScope(); });
  module.def("container_of", [](const GraphObject &self) {
    return currentContainer(self.builder);
  });
  module.def("finalize", [](GraphObject &self) { self.builder.finalize(); });
  module.def("unfinalize",
             [](GraphObject &self) { self.builder.unfinalize(); });
  module.def("separate_placements",
             [](GraphObject &self) { self.builder.separatePlacements(); });
  module.def("is_finalized", [](const GraphObject &self) {
    return self.builder.isFinalized();
  });
  module.def(
      "set_seed",
      [](GraphObject &self, nb::handle seed) {
        self.builder.setRandomSeed(from<std::optional<int64_t>>(seed.ptr()));
      },
      nb::arg("graph"), nb::arg("seed").none());
  module.def("seed", [](const GraphObject &self) {
    return toPython(self.builder.randomSeed());
  });
  module.def(
      "seeds_for",
      [](const GraphObject &self, nb::handle seed) {
        auto seeds =
            self.builder.seedsFor(from<std::optional<int64_t>>(seed.ptr()));
        return nb::make_tuple(seeds.first, seeds.second);
      },
      nb::arg("graph"), nb::arg("seed").none());
  module.def("outer_graph", [](const GraphObject &self) {
    auto outer = self.builder.outer();
    return outer ? objectOf(*outer) : nb::none();
  });
}

} // namespace kiln::python::front
