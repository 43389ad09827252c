// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditionals, loops and what is built on them; gradients.
#include "kiln/Gradients.h"
#include "kiln/TensorArray.h"
#include "kiln/ops/FunctionalOps.h"
#include "python/bind/front/Call.h"
#include "python/bind/front/Callbacks.h"
#include "python/bind/front/Modules.h"

#include <nanobind/stl/string.h>

namespace kiln::python::front {
namespace nb = nanobind;

template <> struct From<ops::BranchResult> {
  static ops::BranchResult convert(PyObject *value) {
    ops::BranchResult result{Outputs()};
    for (const nb::object &element : elementsOf(value)) {
      OperationObject *operation = operationFrom(element.ptr());
      result.operations.push_back(operation ? operation->node : nullptr);
      result.outputs.push_back(operation ? Output()
                                         : from<Output>(element.ptr()));
    }
    return result;
  }
};
template <> struct From<UnconnectedGradients> {
  static UnconnectedGradients convert(PyObject *value) {
    return textFrom(value) == "zero" ? UnconnectedGradients::Zero
                                     : UnconnectedGradients::None;
  }
};

namespace {

PyMethodDef functions[] = {
    function_<&ops::cond>("cond"),
    function_<&ops::switchCase>("switch_case"),
    function_<&ops::assertThat>("assert_that"),
    function_<&ops::whileLoop>("while_loop"),
    function_<&ops::mapFn>("map_fn"),
    function_<&ops::foldl>("foldl"),
    function_<&ops::foldr>("foldr"),
    function_<&ops::scan>("scan"),
    function_<&enableControlFlowV2>("enable_control_flow_v2"),
    function_<&isControlFlowV2Enabled>("control_flow_v2_enabled"),
    function_<&gradients>("gradients"),
    function_<&hessians>("hessians"),
    {nullptr, nullptr, 0, nullptr}};

const TensorArray &arrayIn(const nb::object &self) {
  return nb::cast<const TensorArray &>(self);
}
nb::object made(TensorArray array) { return nb::cast(std::move(array)); }

PyMethodDef arrays[] = {
    function_<[](DType dtype, const Input &size,
                 const TensorArrayOptions &options) {
      return made(TensorArray(dtype, size, options));
    }>("tensor_array"),
    function_<[](DType dtype, const Output &handle, const Output &flow) {
      return made(TensorArray(dtype, handle, flow));
    }>("tensor_array_of"),
    function_<[](const nb::object &self, const Output &flow) {
      return made(arrayIn(self).withFlow(flow));
    }>("tensor_array_with_flow"),
    function_<[](const nb::object &self, const Input &index,
                 const OpOptions &options) {
      return arrayIn(self).read(index, options);
    }>("tensor_array_read"),
    function_<[](const nb::object &self, const Input &index, const Input &value,
                 const OpOptions &options) {
      return made(arrayIn(self).write(index, value, options));
    }>("tensor_array_write"),
    function_<[](const nb::object &self, const OpOptions &options) {
      return arrayIn(self).stack(options);
    }>("tensor_array_stack"),
    function_<[](const nb::object &self, const Input &indices,
                 const OpOptions &options) {
      return arrayIn(self).gather(indices, options);
    }>("tensor_array_gather"),
    function_<[](const nb::object &self, const OpOptions &options) {
      return arrayIn(self).concat(options);
    }>("tensor_array_concat"),
    function_<[](const nb::object &self, const Input &value,
                 const OpOptions &options) {
      return made(arrayIn(self).unstack(value, options));
    }>("tensor_array_unstack"),
    function_<[](const nb::object &self, const Input &indices,
                 const Input &value, const OpOptions &options) {
      return made(arrayIn(self).scatter(indices, value, options));
    }>("tensor_array_scatter"),
    function_<[](const nb::object &self, const Input &value,
                 const Input &lengths, const OpOptions &options) {
      return made(arrayIn(self).split(value, lengths, options));
    }>("tensor_array_split"),
    function_<[](const nb::object &self, const OpOptions &options) {
      return arrayIn(self).size(options);
    }>("tensor_array_size"),
    function_<[](const nb::object &self, const OpOptions &options) {
      return arrayIn(self).close(options);
    }>("tensor_array_close"),
    function_<[](const nb::object &self, const std::string &source,
                 const Output &flow) {
      return made(arrayIn(self).grad(source, flow));
    }>("tensor_array_grad"),
    {nullptr, nullptr, 0, nullptr}};

} // namespace

void bindControlFlow(nb::module_ &module) {
  addFunctions(module, functions);
  addFunctions(module, arrays);
  nb::class_<TensorArray>(module, "TensorArray")
      .def_prop_ro(
          "dtype",
          [](const TensorArray &self) { return objectOf(self.dtype()); })
      .def_prop_ro(
          "handle",
          [](const TensorArray &self) { return objectOf(self.handle()); })
      .def_prop_ro(
          "flow", [](const TensorArray &self) { return objectOf(self.flow()); })
      .def_prop_ro("element_shape", [](const TensorArray &self) {
        return objectOf(self.elementShape());
      });
}

} // namespace kiln::python::front
