// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables, variable scopes and initializers.
#include "kiln/Assignments.h"
#include "kiln/Constraints.h"
#include "kiln/GlobalStep.h"
#include "kiln/MovingAverage.h"
#include "kiln/ops/StateOps.h"
#include "python/bind/Arrays.h"
#include "python/bind/Objects.h"
#include "python/bind/front/Call.h"
#include "python/bind/front/Functions.h"
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

namespace {

/// A value as a program gave it; lists become arrays.
nb::object objectOfValue(const Input &value) {
  return std::visit(
      [&](const auto &held) -> nb::object {
        using T = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<T, bool> || std::is_arithmetic_v<T> ||
                      std::is_same_v<T, std::string>)
          return toPython(held);
        else if constexpr (std::is_same_v<T, Tensor>)
          return owned(arrayFromTensor(Tensor(held)));
        else if constexpr (std::is_same_v<T, Input::Array>)
          return owned(arrayFromTensor(Tensor(held.elements)));
        else if constexpr (std::is_same_v<T,
                                          std::shared_ptr<const VariableData>>)
          return objectOf(Variable::of(held));
        else
          return objectOf(GraphBuilder::current().convert(value));
      },
      value.value());
}

} // namespace

nb::object To<Initializer>::convert(const Initializer &initializer) {
  using Shaped = Callback<Output(const Shape &, DType, const PartitionInfo *)>;
  if (initializer.value())
    return objectOfValue(*initializer.value());
  if (auto *given = initializer.shaped().target<Shaped>()) {
    PyObject *object =
        PyObject_GetAttrString(given->function.ptr(), "initializer");
    if (!object)
      PyErr_Clear();
    return object ? nb::steal(object) : nb::borrow(given->function);
  }
  if (initializer.needsShape())
    return nb::cpp_function(
        [initializer](nb::handle shape, nb::handle dtype, nb::handle) {
          return raised([&] {
            return objectOf(
                initializer(shapeFrom(shape.ptr()), dtypeFrom(dtype.ptr())));
          });
        },
        nb::arg("shape"), nb::arg("dtype") = nb::none(),
        nb::arg("partition_info") = nb::none());
  if (auto *given = initializer.plain()->target<Callback<Output()>>())
    return nb::borrow(given->function);
  return nb::cpp_function([initializer] {
    return raised(
        [&] { return objectOf(initializer(Shape(), DType::Invalid)); });
  });
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

/// A function that assigns gives a resource as it left it, or the reference.
template <auto assign> struct Assigning;
template <class... Parameters, Assignment (*assign)(Parameters...)>
struct Assigning<assign> {
  static nb::object function(Parameters... parameters) {
    Assignment made = assign(parameters...);
    Variable behind = variableBehind(made);
    return behind.isValid() ? objectOf(behind) : objectOf(made.graphElement());
  }
};
template <auto assign> constexpr PyMethodDef assignment(const char *name) {
  return function_<&Assigning<assign>::function>(name);
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
    function_<&assignmentOf>("variable_assignment"),
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
    function_<[](const Variable &v) { return v.constraint(); }>(
        "variable_constraint"),
    assignment<&ops::assign>("assign"),
    assignment<&ops::assignAdd>("assign_add"),
    assignment<&ops::assignSub>("assign_sub"),
    assignment<&ops::scatter>("scatter"),
    assignment<&ops::assignSlice>("assign_slice"),
    assignment<&assignMovingAverage>("assign_moving_average"),
    function_<[](int kind, const Variable &variable, const Input &value,
                 const AssignOptions &options) {
      return assignOnly(static_cast<AssignKind>(kind), variable, value,
                        options);
    }>("assign_only"),
    function_<&variablesInitializer>("variables_initializer"),
    function_<&reportUninitializedVariables>("report_uninitialized_variables"),
    function_<&useResourceVariables>("use_resource_variables"),
    function_<&usesResourceVariables>("uses_resource_variables"),
    function_<[] {
      nb::dict all;
      for (const auto &[name, variable] : namedVariables())
        all[toPython(name)] = objectOf(variable);
      return nb::object(all);
    }>("named_variables"),
    function_<[](const Variable &v, const Node *initializer,
                 const Output &value) {
      v.setInitializer(initializer, value);
    }>("variable_set_initializer"),
    function_<&getGlobalStep>("get_global_step"),
    function_<&createGlobalStep>("create_global_step"),
    function_<&getOrCreateGlobalStep>("get_or_create_global_step"),
    {nullptr, nullptr, 0, nullptr}};

/// The first values that an initializer makes of a shape, a dtype, and a
/// partition, which may be None.
template <auto make> struct Initialized;
template <class... Parameters, Initializer (*make)(Parameters...)>
struct Initialized<make> {
  static Output values(const Shape &shape, DType dtype,
                       const std::optional<PartitionInfo> &partition,
                       Parameters... parameters) {
    return make(parameters...)(shape, dtype, partition ? &*partition : nullptr);
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
    KILN_INITIALIZER("orthogonal_initializer", orthogonalInitializer),
    KILN_INITIALIZER("identity_initializer", identityInitializer),
    KILN_INITIALIZER("uniform_unit_scaling_initializer",
                     uniformUnitScalingInitializer),
    {nullptr, nullptr, 0, nullptr}};
#undef KILN_INITIALIZER

/// What a constraint makes of a variable.
template <auto make> struct Made;
template <class R, class... Parameters, R (*make)(Parameters...)>
struct Made<make> {
  static Output of(const Variable &variable, Parameters... parameters) {
    return make(parameters...)(variable);
  }
};

PyMethodDef variableFunctions[] = {
    function_<&regularizers::l1Loss>("l1_loss"),
    function_<&regularizers::l2Loss>("l2_loss"),
    function_<&regularizers::l1L2Loss>("l1_l2_loss"),
    function_<&Made<&constraints::maxNorm>::of>("max_norm_constraint"),
    function_<&Made<&constraints::nonNeg>::of>("non_neg_constraint"),
    function_<&Made<&constraints::unitNorm>::of>("unit_norm_constraint"),
    function_<&Made<&constraints::minMaxNorm>::of>("min_max_norm_constraint"),
    {nullptr, nullptr, 0, nullptr}};

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

void bindScopeClasses(nb::module_ &module) {
  nb::class_<VariableScopeHandle>(module, "VariableScopeHandle")
      .def_prop_ro("name", &VariableScopeHandle::name)
      .def_prop_ro("original_name_scope",
                   &VariableScopeHandle::originalNameScope)
      .def_prop_ro("reuse",
                   [](const VariableScopeHandle &self) {
                     return toPython(self.reuse());
                   })
      .def("reuse_variables", &VariableScopeHandle::reuseVariables)
      .def("defaults",
           [](const VariableScopeHandle &self) {
             return toPython(self.defaults());
           })
      .def("set_defaults",
           [](const VariableScopeHandle &self, const nb::args &arguments) {
             Arguments values(PySequence_Fast_ITEMS(arguments.ptr()),
                              PyTuple_GET_SIZE(arguments.ptr()));
             for (nb::handle each : arguments)
               keepCallables({each.ptr()});
             self.setDefaults(values.take<VariableScopeDefaults>());
           })
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
  addFunctions(module, variableFunctions);
  bindScopeClasses(module);
}

} // namespace kiln::python::front
