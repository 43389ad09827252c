// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One op added by its name: what the generated functions of
// kiln.compat.v1.raw_ops call.
#include "python/bind/Objects.h"
#include "python/bind/front/Call.h"
#include "python/bind/front/Modules.h"

namespace kiln::python::front {
namespace nb = nanobind;
namespace {

/// What the function gives: the only output, all outputs, or the operation.
enum Result : long { OnlyOutput = 0, AllOutputs = 1, TheOperation = 2 };

nb::object resultOf(const Node *node, long result) {
  if (!node)
    return nb::none(); // the graph has the error
  if (result == OnlyOutput)
    return objectOf(Output{node, 0});
  if (result == TheOperation)
    return objectOf(node);
  nb::list outputs;
  for (int i = 0; i < node->numOutputs(); ++i)
    outputs.append(objectOf(Output{node, i}));
  return outputs;
}

/// (op, name or None, result, which inputs are lists as bits, inputs, then
/// name, kind and value of each attribute; None for its default).
PyObject *addOp(PyObject *, PyObject *const *values, Py_ssize_t count) {
  return guarded([&] {
    if (count < 5 || count % 3 != 2 || !PyTuple_Check(values[4]))
      throw nb::type_error("expected (op, name, result, lists, inputs, ...)");
    OpSpec spec{.op = std::string(utf8(values[0]))};
    if (values[1] != Py_None)
      spec.name = textFrom(values[1]);
    int64_t result = integerFrom(values[2]), lists = integerFrom(values[3]);
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(values[4]); ++i) {
      PyObject *value = PyTuple_GET_ITEM(values[4], i);
      if (lists >> i & 1)
        spec.inputs.emplace_back(from<InputList>(value));
      else
        spec.inputs.emplace_back(inputFrom(value));
    }
    for (Py_ssize_t i = 5; i < count; i += 3) {
      std::string_view kind = utf8(values[i + 1]);
      // None is a shape: one that is not known.
      if (values[i + 2] != Py_None || kind == "shape")
        spec.attrs.set(std::string(utf8(values[i])),
                       attrFrom(values[i + 2], kind));
    }
    GraphBuilder graph = GraphBuilder::current();
    for (const auto &input : spec.inputs)
      if (const Input *single = std::get_if<Input>(&input);
          single && single->output() && single->output()->node) {
        graph = GraphBuilder::of(*single->output());
        break;
      }
    return resultOf(graph.addOp(spec), result);
  });
}

PyMethodDef functions[] = {
    {"add_op",
     reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(&addOp)),
     METH_FASTCALL, nullptr},
    {nullptr, nullptr, 0, nullptr}};

} // namespace

void bindOps(nb::module_ &module) { addFunctions(module, functions); }

} // namespace kiln::python::front
