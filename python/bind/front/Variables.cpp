// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables, variable scopes and initializers.
#include "kiln/GlobalStep.h"
#include "kiln/ops/StateOps.h"
#include "python/bind/front/Call.h"
#include "python/bind/front/Modules.h"
#include "python/bind/front/VariableValues.h"

#include <nanobind/stl/string.h>

#include <algorithm>

namespace kiln::python::front {
namespace nb = nanobind;

Initializer From<Initializer>::convert(PyObject *value) {
  nb::object kindAndFunction = classes().asInitializer(nb::handle(value));
  nb::object first = kindAndFunction[0], function = kindAndFunction[1];
  std::string kind = textFrom(first.ptr());
  if (kind == "value")
    return Initializer(inputFrom(function.ptr()));
  keep(GraphBuilder::current(), function);
  if (kind == "plain")
    return InitialValue(Callback<Output()>{function});
  return Initializer::Function(
      Callback<Output(const Shape &, DType, const PartitionInfo *)>{function});
}

void keepCallables(std::initializer_list<PyObject *> functions) {
  for (PyObject *function : functions)
    if (function && PyCallable_Check(function))
      keep(GraphBuilder::current(), function);
}

/// By the last words of the op.
template <> struct From<ops::Scatter> {
  static ops::Scatter convert(PyObject *value) {
    static constexpr std::string_view names[] = {
        "update", "add", "sub",       "mul",    "div",
        "min",    "max", "nd_update", "nd_add", "nd_sub"};
    auto found = std::ranges::find(names, from<std::string_view>(value));
    if (found == std::end(names))
      throw nb::value_error("expected a kind of update");
    return static_cast<ops::Scatter>(found - std::begin(names));
  }
};

namespace {

/// Reads of the variable in Python's words.
nb::object sliceOf(const Variable &variable) {
  const VariableSlice *slice = variable.slice();
  if (!slice)
    return nb::none();
  return nb::make_tuple(toPython(slice->fullName), objectOf(slice->fullShape),
                        toPython(slice->offset), objectOf(slice->shape),
                        toPython(slice->spec()));
}

Variable getVariableKept(const std::string &name,
                         const GetVariableOptions &options) {
  return getVariable(name, options);
}

PyMethodDef variables[] = {
    function_<[](const Variable &v) { return v.handle(); }>("variable_handle"),
    function_<[](const Variable &v) { return v.op(); }>("variable_op"),
    function_<[](const Variable &v) { return v.name(); }>("variable_name"),
    function_<[](const Variable &v) { return v.isResource(); }>(
        "variable_is_resource"),
    function_<[](const Variable &v) { return v.shape(); }>("variable_shape"),
    function_<[](const Variable &v) {
      return nb::object(objectOf(v.dtype(), !v.isResource()));
    }>("variable_dtype"),
    function_<[](const Variable &v) { return v.isTrainable(); }>(
        "variable_is_trainable"),
    function_<[](const Variable &v) { return v.value(); }>("variable_value"),
    function_<[](const Variable &v) { return v.readValue(); }>(
        "variable_read_value"),
    function_<[](const Variable &v) { return v.graphElement(); }>(
        "variable_graph_element"),
    function_<[](const Variable &v) { return v.initializedValue(); }>(
        "variable_initialized_value"),
    function_<[](const Variable &v) { return v.initialValue(); }>(
        "variable_initial_value"),
    function_<[](const Variable &v) { return v.initializer(); }>(
        "variable_initializer"),
    function_<[](const Variable &v, const std::string &name) {
      return v.isInitialized(name);
    }>("variable_is_initialized"),
    function_<[](const Variable &v) { return sliceOf(v); }>("variable_slice"),
    function_<[](const Variable &v) { return v.graph(); }>("variable_graph"),
    function_<&ops::assign>("assign"),
    function_<&ops::assignAdd>("assign_add"),
    function_<&ops::assignSub>("assign_sub"),
    function_<&ops::scatter>("scatter"),
    function_<&ops::assignSlice>("assign_slice"),
    function_<&getVariableKept>("get_variable"),
    function_<&variablesInitializer>("variables_initializer"),
    function_<&reportUninitializedVariables>("report_uninitialized_variables"),
    function_<&useResourceVariables>("use_resource_variables"),
    function_<&usesResourceVariables>("uses_resource_variables"),
    function_<&getGlobalStep>("get_global_step"),
    function_<&createGlobalStep>("create_global_step"),
    function_<&getOrCreateGlobalStep>("get_or_create_global_step"),
    {nullptr, nullptr, 0, nullptr}};

/// The first values that an initializer makes of a shape and a dtype.
template <auto make> struct Initialized;
template <class... Parameters, Initializer (*make)(Parameters...)>
struct Initialized<make> {
  static Output values(const Shape &shape, DType dtype,
                       Parameters... parameters) {
    return make(parameters...)(shape, dtype);
  }
};
#define KILN_INITIALIZER(name, function)                                       \
  function_<&Initialized<&function>::values>(name)

PyMethodDef initializers[] = {
    KILN_INITIALIZER("zeros_initializer", zerosInitializer),
    KILN_INITIALIZER("ones_initializer", onesInitializer),
    KILN_INITIALIZER("constant_initializer", constantInitializer),
    KILN_INITIALIZER("random_uniform_initializer", randomUniformInitializer),
    KILN_INITIALIZER("random_normal_initializer", randomNormalInitializer),
    KILN_INITIALIZER("truncated_normal_initializer",
                     truncatedNormalInitializer),
    KILN_INITIALIZER("variance_scaling_initializer",
                     varianceScalingInitializer),
    {nullptr, nullptr, 0, nullptr}};
#undef KILN_INITIALIZER

/// A variable scope that is entered and left.
struct VariableScopeObject {
  std::unique_ptr<VariableScope> scope;

  VariableScopeHandle enter(const nb::args &arguments) {
    Arguments values(PySequence_Fast_ITEMS(arguments.ptr()),
                     PyTuple_GET_SIZE(arguments.ptr()));
    if (scope)
      throw nb::value_error("the scope is entered already");
    Call call;
    PyObject *nameOrScope = values.next();
    auto options = values.take<VariableScopeOptions>();
    values.finish();
    for (nb::handle each : arguments)
      if (!PyType_Check(each.ptr()))
        keepCallables({each.ptr()});
    const VariableScopeHandle *again;
    if (nb::try_cast(nb::handle(nameOrScope), again) && again)
      scope = std::make_unique<VariableScope>(*again, options);
    else if (nameOrScope == Py_None)
      scope = std::make_unique<VariableScope>(std::nullopt, options);
    else
      scope = std::make_unique<VariableScope>(
          std::string_view(from<std::string_view>(nameOrScope)), options);
    VariableScopeHandle handle = scope->handle();
    try {
      call.finish();
    } catch (...) {
      scope.reset();
      call.forgetErrors();
      throw;
    }
    return handle;
  }
  void leave() {
    Call call;
    scope.reset();
    call.finish();
  }
};

nb::object reuseOf(const VariableScopeHandle &scope) {
  switch (scope.reuse().kind) {
  case Reuse::Kind::Inherit:
    return nb::bool_(false);
  case Reuse::Kind::Always:
    return nb::bool_(true);
  case Reuse::Kind::Auto:
    return toPython(std::string("auto"));
  }
  return nb::none();
}

void bindScopeClasses(nb::module_ &module) {
  nb::class_<VariableScopeHandle>(module, "VariableScopeHandle")
      .def_prop_ro("name", &VariableScopeHandle::name)
      .def_prop_ro("original_name_scope",
                   &VariableScopeHandle::originalNameScope)
      .def_prop_ro("reuse", &reuseOf)
      .def("reuse_variables", &VariableScopeHandle::reuseVariables)
      .def("is_same", [](const VariableScopeHandle &self,
                         const VariableScopeHandle &other) {
        return self.internals() == other.internals();
      });
  module.def("current_variable_scope", &currentVariableScope);
  nb::class_<VariableScopeObject>(module, "VariableScope")
      .def(nb::init<>())
      .def("enter", &VariableScopeObject::enter)
      .def("leave", &VariableScopeObject::leave);
}

} // namespace

/// tf.Variable(value): self is an instance without contents.
void initVariable(VariableObject *self, nb::handle object,
                  const nb::args &arguments) {
  Arguments values(PySequence_Fast_ITEMS(arguments.ptr()),
                   PyTuple_GET_SIZE(arguments.ptr()));
  Call call;
  Variable made;
  try {
    PyObject *value = values.next();
    auto options = values.take<VariableOptions>();
    values.finish();
    if (options.constraint)
      keepCallables({PyTuple_GET_ITEM(arguments.ptr(), 8)});
    made = PyCallable_Check(value)
               ? Variable(InitialValue(Callback<Output()>{value}), options)
               : Variable(inputFrom(value), options);
    call.finish();
  } catch (...) {
    call.forgetErrors();
    throw;
  }
  nb::object graph = objectOf(made.graph());
  new (self) VariableObject{graph.inc_ref().ptr(), made};
  graphFrom(graph.ptr())->variables[made.data().get()] = object.inc_ref().ptr();
}

void bindVariables(nb::module_ &module) {
  addFunctions(module, variables);
  addFunctions(module, initializers);
  bindScopeClasses(module);
}

} // namespace kiln::python::front
