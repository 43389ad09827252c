// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients that are functions of Python's: of op types, and of functions that
// have one of their own.
#include "kiln/Gradients.h"
#include "python/bind/front/Call.h"
#include "python/bind/front/Callbacks.h"
#include "python/bind/front/Modules.h"

namespace kiln::python::front {
namespace nb = nanobind;

/// (outputs, gradient, gradient with variables or None), the functions of which
/// the graph keeps.
template <> struct From<CustomResult> {
  static CustomResult convert(PyObject *value) {
    nb::tuple parts = nb::cast<nb::tuple>(nb::handle(value));
    nb::object gradient = parts[1], withVariables = parts[2];
    keep(GraphBuilder::current(), gradient);
    CustomResult result{
        from<std::vector<Output>>(nb::object(parts[0]).ptr()),
        Callback<std::vector<Gradient>(const std::vector<Gradient> &)>{
            gradient}};
    if (!withVariables.is_none()) {
      keep(GraphBuilder::current(), withVariables);
      result.gradientWithVariables = Callback<CustomGradients(
          const std::vector<Gradient> &, const std::vector<Variable> &)>{
          withVariables};
    }
    return result;
  }
};
template <> struct From<CustomGradients> {
  static CustomGradients convert(PyObject *value) {
    nb::tuple parts = nb::cast<nb::tuple>(nb::handle(value));
    return {from<std::vector<Gradient>>(nb::object(parts[0]).ptr()),
            from<std::vector<Gradient>>(nb::object(parts[1]).ptr())};
  }
};

namespace {

/// The function stays: the table of gradients is the process's.
void registerFunction(const std::string &type, const nb::object &function) {
  Callback<std::vector<Gradient>(const Node *, const std::vector<Gradient> &)>
      callback{function};
  checkBuilt(
      registerGradient(type, [callback](const Node &operation,
                                        const std::vector<Gradient> &outputs) {
        return callback(&operation, outputs);
      }));
  function.inc_ref();
}

PyMethodDef functions[] = {function_<&registerFunction>("register_gradient"),
                           function_<[](const std::string &type) {
                             checkBuilt(notDifferentiable(type));
                           }>("not_differentiable"),
                           function_<&customGradient>("custom_gradient"),
                           {nullptr, nullptr, 0, nullptr}};

} // namespace

void bindGradients(nb::module_ &module) { addFunctions(module, functions); }

} // namespace kiln::python::front
