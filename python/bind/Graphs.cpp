// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kiln.Graph, kiln.Operation, kiln.Tensor.
#include "kiln/GraphDef.h"
#include "kiln/Listing.h"
#include "kiln/MissingOps.h"
#include "python/bind/Arrays.h"
#include "python/bind/Errors.h"
#include "python/bind/Gil.h"
#include "python/bind/Handles.h"
#include "python/bind/Objects.h"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace kiln::python {

namespace nb = nanobind;

PyTypeObject *operationType, *tensorType;

Fetch fetchFromPython(nb::handle value, const Names &names) {
  if (PyUnicode_Check(value.ptr()))
    return Fetch(std::string(utf8(value.ptr())));
  if (const TensorHandle *tensor; nb::try_cast(value, tensor) && tensor)
    return Fetch(tensor->output);
  if (const OperationHandle *op; nb::try_cast(value, op) && op)
    return Fetch(op->node);
  if (names.is_valid())
    return Fetch(nb::cast<std::string>(names(value, false)));
  throw nb::type_error(("expected a name, a kiln.Tensor or a kiln.Operation to "
                        "fetch, got " +
                        typeName(value.ptr()))
                           .c_str());
}

TensorId tensorIdFromPython(nb::handle value, const Names &names) {
  if (PyUnicode_Check(value.ptr()))
    return TensorId(std::string(utf8(value.ptr())));
  if (const TensorHandle *tensor; nb::try_cast(value, tensor) && tensor)
    return TensorId(tensor->output);
  if (names.is_valid())
    return TensorId(nb::cast<std::string>(names(value, true)));
  throw nb::type_error(
      ("expected a name or a kiln.Tensor to feed, got " + typeName(value.ptr()))
          .c_str());
}

static GraphHandle loadGraph(nb::object source) {
  StatusOr<std::shared_ptr<Graph>> loaded;
  if (PyBytes_Check(source.ptr())) {
    auto bytes = nb::borrow<nb::bytes>(source);
    std::string_view view(bytes.c_str(), bytes.size());
    ReleasedGil released;
    loaded = loadGraphDef(view);
  } else {
    nb::object encoded = owned(PyOS_FSPath(source.ptr()));
    std::string path = nb::cast<std::filesystem::path>(encoded).string();
    ReleasedGil released;
    loaded = loadGraphDefFile(path);
  }
  return {check(std::move(loaded))};
}

/// None for an unknown rank, None for an unknown dimension.
static nb::object shapeTuple(const Shape &shape) {
  if (!shape.hasRank())
    return nb::none();
  nb::list dims;
  for (int64_t dim : shape.dims())
    dims.append(dim < 0 ? nb::none() : nb::object(nb::int_(dim)));
  return nb::tuple(dims);
}

static nb::list operations(const std::shared_ptr<Graph> &graph,
                           std::span<const Node *const> nodes) {
  nb::list list;
  for (const Node *node : nodes)
    list.append(nb::cast(OperationHandle{graph, node}));
  return list;
}

static nb::list tensors(const std::shared_ptr<Graph> &graph,
                        std::span<const Output> outputs) {
  nb::list list;
  for (const Output &output : outputs)
    list.append(nb::cast(TensorHandle{graph, output}));
  return list;
}

static std::string countText(const Graph &graph) {
  return "kiln.Graph with " + std::to_string(graph.numNodes()) + " nodes";
}

static nb::list missingOps(const GraphHandle &self) {
  nb::list list;
  for (const MissingOp &missing : findMissingOps(*self.graph)) {
    nb::dict entry;
    entry["op"] = missing.op;
    entry["lack"] = missing.lack;
    entry["node"] = missing.node;
    entry["nodes"] = missing.nodes;
    list.append(entry);
  }
  return list;
}

using GraphClass = nb::class_<GraphHandle>;

/// What is in a graph, by name and in order.
static void addLookups(GraphClass &type) {
  type.def(
          "get_operation_by_name",
          [](const GraphHandle &self, const std::string &name) {
            return OperationHandle{self.graph,
                                   check(self.graph->findNode(name))};
          },
          nb::arg("name"), "Finds an operation. Raises NotFoundError.")
      .def(
          "get_tensor_by_name",
          [](const GraphHandle &self, const std::string &name) {
            return TensorHandle{self.graph,
                                check(self.graph->findTensor(name))};
          },
          nb::arg("name"), "Finds a tensor, \"op:0\". Raises NotFoundError.")
      .def(
          "get_operations",
          [](const GraphHandle &self) {
            std::vector<const Node *> nodes;
            for (int id = 0; id < self.graph->numNodes(); ++id)
              nodes.push_back(self.graph->node(id));
            return operations(self.graph, nodes);
          },
          nb::sig("def get_operations(self) -> list[Operation]"),
          "Returns all operations, in the order of the graph.");
}

/// What a run may do with a graph.
static void addListing(GraphClass &type) {
  type.def_prop_ro(
          "placeholders",
          [](const GraphHandle &self) {
            return tensors(self.graph, listGraph(*self.graph).placeholders);
          },
          nb::sig("def placeholders(self) -> list[Tensor]"),
          "What a run may feed.")
      .def_prop_ro(
          "variables",
          [](const GraphHandle &self) {
            return operations(self.graph, listGraph(*self.graph).variables);
          },
          nb::sig("def variables(self) -> list[Operation]"))
      .def_prop_ro(
          "likely_fetches",
          [](const GraphHandle &self) {
            return tensors(self.graph, listGraph(*self.graph).fetches);
          },
          nb::sig("def likely_fetches(self) -> list[Tensor]"),
          "Tensors that nothing computes with.")
      .def_prop_ro(
          "likely_targets",
          [](const GraphHandle &self) {
            return operations(self.graph, listGraph(*self.graph).targets);
          },
          nb::sig("def likely_targets(self) -> list[Operation]"),
          "Operations without a value that nothing waits for.")
      .def_prop_ro(
          "initializers",
          [](const GraphHandle &self) {
            return operations(self.graph, check(findInitializers(*self.graph)));
          },
          nb::sig("def initializers(self) -> list[Operation]"),
          "What gives the variables their first values: the operation "
          "\"init\", or every\nassignment NAME/Assign. "
          "session.run(graph.initializers) runs it. Raises\nNotFoundError "
          "where there is none.")
      .def("missing_ops", &missingOps,
           nb::sig("def missing_ops(self) -> list[dict[str, str | int]]"),
           "Lists what Kiln lacks for the graph: op, what of it (a dtype; "
           "empty: all), the\nfirst node and how many there are.");
}

static void addComparison(GraphClass &type) {
  type.def("__len__",
           [](const GraphHandle &self) { return self.graph->numNodes(); })
      .def(
          "__eq__",
          [](const GraphHandle &self, const GraphHandle &other) {
            return self.graph == other.graph;
          },
          nb::is_operator())
      .def("__hash__",
           [](const GraphHandle &self) {
             return std::hash<const void *>()(self.graph.get());
           })
      .def("__str__",
           [](const GraphHandle &self) {
             return countText(*self.graph) + "\n" +
                    listingText(listGraph(*self.graph));
           })
      .def("__repr__", [](const GraphHandle &self) {
        return "<" + countText(*self.graph) + ">";
      });
}

static void bindGraphClass(nb::module_ &module) {
  GraphClass type(module, "Graph",
                  "A TensorFlow 1 graph. Sessions may share it.\n\n"
                  "print(graph) says what can be fed, fetched and run.");
  type.def_static("load", &loadGraph, nb::arg("source"),
                  "Loads a GraphDef, binary or text, from a path or from "
                  "bytes.\n\nRaises InvalidArgumentError for what is no "
                  "GraphDef, NotFoundError for a\nmissing file. Ops that Kiln "
                  "does not have are no error before a run reaches\nthem: see "
                  "missing_ops().")
      .def(nb::init<>(), "Makes an empty graph, for extend().")
      .def(
          "extend",
          [](const GraphHandle &self, const nb::bytes &bytes) {
            std::string_view view(bytes.c_str(), bytes.size());
            Status status;
            {
              ReleasedGil released;
              status = extendGraphDef(*self.graph, view);
            }
            check(status);
          },
          nb::arg("bytes"),
          "Adds the nodes of a GraphDef, whose inputs may be in the graph "
          "already: all or\nnone. Its functions are added to the graph's; "
          "where one "
          "has the name of one\nthat is there, they take the place of all that "
          "are there.\n\nOne thread at a time may extend a graph, "
          "while "
          "sessions run it.")
      .def(
          "to_bytes",
          [](const GraphHandle &self) {
            std::string text = check(toGraphDef(*self.graph));
            return nb::bytes(text.data(), text.size());
          },
          "Returns the graph as a binary GraphDef.")
      .def(
          "save",
          [](const GraphHandle &self, const std::filesystem::path &path) {
            check(saveGraphDefFile(*self.graph, path.string()));
          },
          nb::arg("path"), "Writes the graph as a binary GraphDef.");
  addLookups(type);
  addListing(type);
  addComparison(type);
}

static void bindOperation(nb::module_ &module) {
  operationType = reinterpret_cast<PyTypeObject *>(
      nb::class_<OperationHandle>(
          module, "Operation",
          "A node of a graph. Fetched, it is run and gives None.")
          .def_prop_ro(
              "name",
              [](const OperationHandle &self) { return self.node->name(); })
          .def_prop_ro(
              "type",
              [](const OperationHandle &self) { return self.node->op(); },
              "The op: \"MatMul\".")
          .def_prop_ro(
              "device",
              [](const OperationHandle &self) { return self.node->device(); })
          .def_prop_ro(
              "inputs",
              [](const OperationHandle &self) {
                return tensors(self.graph, self.node->inputs());
              },
              nb::sig("def inputs(self) -> list[Tensor]"))
          .def_prop_ro(
              "control_inputs",
              [](const OperationHandle &self) {
                return operations(self.graph, self.node->controlInputs());
              },
              nb::sig("def control_inputs(self) -> list[Operation]"))
          .def_prop_ro(
              "outputs",
              [](const OperationHandle &self) {
                std::vector<Output> outputs;
                for (int i = 0; i < self.node->numOutputs(); ++i)
                  outputs.push_back({self.node, i});
                return tensors(self.graph, outputs);
              },
              nb::sig("def outputs(self) -> list[Tensor]"))
          .def(
              "__eq__",
              [](const OperationHandle &self, const OperationHandle &other) {
                return self.node == other.node;
              },
              nb::is_operator())
          .def("__hash__",
               [](const OperationHandle &self) {
                 return std::hash<const void *>()(self.node);
               })
          .def("__repr__",
               [](const OperationHandle &self) {
                 return "<kiln.Operation '" + self.node->name() +
                        "' type=" + self.node->op() + ">";
               })
          .ptr());
}

static void bindTensor(nb::module_ &module) {
  tensorType = reinterpret_cast<PyTypeObject *>(
      nb::class_<TensorHandle>(
          module, "Tensor",
          "An output of an operation: what is fetched and fed. It has no value "
          "of its own.")
          .def_prop_ro(
              "name",
              [](const TensorHandle &self) { return self.output.name(); })
          .def_prop_ro("op",
                       [](const TensorHandle &self) {
                         return OperationHandle{self.graph, self.output.node};
                       })
          .def_prop_ro(
              "value_index",
              [](const TensorHandle &self) { return self.output.index; })
          .def_prop_ro(
              "dtype",
              [](const TensorHandle &self) {
                return std::string(dtypeName(self.output.dtype()));
              },
              "TensorFlow's name of the type: \"float32\".")
          .def_prop_ro(
              "shape",
              [](const TensorHandle &self) {
                return shapeTuple(self.output.shape());
              },
              nb::sig("def shape(self) -> tuple[int | None, ...] | None"),
              "None for an unknown rank, None in it for an unknown dimension.")
          .def(
              "__eq__",
              [](const TensorHandle &self, const TensorHandle &other) {
                return self.output == other.output;
              },
              nb::is_operator())
          .def("__hash__",
               [](const TensorHandle &self) {
                 return std::hash<const void *>()(self.output.node) +
                        static_cast<size_t>(self.output.index);
               })
          .def("__repr__",
               [](const TensorHandle &self) {
                 return "<kiln.Tensor '" + self.output.name() +
                        "' shape=" + self.output.shape().toTupleString() +
                        " dtype=" +
                        std::string(dtypeName(self.output.dtype())) + ">";
               })
          .ptr());
}

void bindGraph(nb::module_ &module) {
  bindOperation(module);
  bindTensor(module);
  bindGraphClass(module);
}

} // namespace kiln::python
