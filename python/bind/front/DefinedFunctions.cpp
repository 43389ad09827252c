// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of a graph's library that programs define and call.
#include "kiln/Functions.h"
#include "python/bind/front/Call.h"
#include "python/bind/front/Callbacks.h"
#include "python/bind/front/Modules.h"

#include <nanobind/stl/string.h>

namespace kiln::python::front {
namespace nb = nanobind;
namespace {

std::vector<FunctionArgument> argumentsOf(const std::vector<DType> &dtypes,
                                          const std::vector<std::string> &names,
                                          const std::vector<Shape> &shapes) {
  std::vector<FunctionArgument> arguments(dtypes.size());
  for (size_t i = 0; i < dtypes.size(); ++i)
    arguments[i] = {dtypes[i], i < names.size() ? names[i] : std::string(),
                    i < shapes.size() ? shapes[i] : Shape::unknownRank()};
  return arguments;
}

PyMethodDef functions[] = {
    function_<[](const std::string &name, const std::vector<DType> &dtypes,
                 const std::vector<std::string> &names,
                 const FunctionBodyFn &body, bool isNameWhole,
                 bool copiesCaptures, const std::vector<const Node *> &copyable,
                 const nb::object &attrs) {
      return nb::cast(defun(name, argumentsOf(dtypes, names, {}), body,
                            {.isNameWhole = isNameWhole,
                             .copiesCaptures = copiesCaptures,
                             .copyable = copyable,
                             .attrs = attributesFrom(attrs.ptr())}));
    }>("defun"),
    function_<[](const std::string &name, const std::vector<DType> &dtypes,
                 const std::vector<std::string> &names,
                 const std::vector<Shape> &shapes, const FunctionBodyFn &body) {
      return nb::cast(function(name, argumentsOf(dtypes, names, shapes), body));
    }>("define_function"),
    function_<[](const nb::object &self, const InputList &arguments,
                 const OpOptions &options) {
      return nb::cast<const DefinedFunction &>(self)(arguments, options);
    }>("call_function"),
    function_<[](const nb::object &self) {
      return nb::cast<const DefinedFunction &>(self).name();
    }>("function_name"),
    function_<[](const nb::object &self) {
      return nb::cast<const DefinedFunction &>(self).captures();
    }>("function_captures"),
    function_<[](const nb::object &self) {
      return nb::cast<const DefinedFunction &>(self).statefulOps();
    }>("function_stateful_ops"),
    {nullptr, nullptr, 0, nullptr}};

} // namespace

void bindDefinedFunctions(nb::module_ &module) {
  addFunctions(module, functions);
  nb::class_<DefinedFunction>(module, "DefinedFunction");
}

} // namespace kiln::python::front
