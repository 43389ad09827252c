// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors of graph construction as TensorFlow's Python raises them.
#include "python/bind/front/Raise.h"

#include "python/bind/Errors.h"
#include "python/bind/Objects.h"
#include "python/bind/front/GraphObjects.h"

namespace kiln::python::front {
namespace nb = nanobind;
namespace {

thread_local Call *innermost = nullptr;

/// What an error's text has, and what TensorFlow raises for it. The first that
/// fits; ValueError for all others.
struct Kind {
  std::string_view text;
  PyObject *const *type;
};
const Kind kinds[] = {
    {"refers to a Tensor which does not exist", &PyExc_KeyError},
    {"refers to an Operation not in the graph", &PyExc_KeyError},
    {"Registering two gradient", &PyExc_KeyError},
    {"No gradient defined for operation", &PyExc_LookupError},
    {"Nesting violated for", &PyExc_AssertionError},
    {"Do not use tf.reset_default_graph()", &PyExc_AssertionError},
    {"Graph is finalized", &PyExc_RuntimeError},
    {"Improper nesting of variable_scope", &PyExc_RuntimeError},
    {"Cannot use a constraint function on a sparse", &PyExc_RuntimeError},
    {"If default_name is None then", &PyExc_TypeError},
    {"Expected any non-tensor type", &PyExc_TypeError},
    {"All variables used by a function wrapped", &PyExc_TypeError},
    {"must accept keyword argument 'variables'", &PyExc_TypeError},
    {"passed to parameter", &PyExc_TypeError},
    {"that does not match type", &PyExc_TypeError},
    {"that does not match expected type", &PyExc_TypeError},
    {"that don't all match", &PyExc_TypeError},
    {"must not be a Python bool", &PyExc_TypeError},
    {"must set grad_ys", &PyExc_TypeError},
    {"generated for real or integer-valued", &PyExc_TypeError},
    {"generated for complex", &PyExc_TypeError},
    {"Second-order gradient for while loops", &PyExc_TypeError},
    {"does not have integer type", &PyExc_TypeError},
    {"\"global_step\" is not scalar", &PyExc_TypeError},
    {"must be half, float, or double", &PyExc_TypeError},
    {"Expected types to be consistent", &PyExc_TypeError},
    {"dtype must be either floating point or integer", &PyExc_AttributeError},
};

PyObject *typeOf(const Status &status) {
  std::string_view message = status.message();
  for (const Kind &kind : kinds)
    if (message.find(kind.text) != message.npos)
      return *kind.type;
  if (message.starts_with("Expected ") &&
      message.find(", but got ") != message.npos)
    return PyExc_TypeError;
  if (message.starts_with("Expected list for") ||
      message.starts_with("Expected single tensor for"))
    return PyExc_TypeError;
  if (status.code() == StatusCode::Unimplemented)
    return PyExc_NotImplementedError;
  return PyExc_ValueError;
}

void finishPart(const GraphBuilder &graph, int before) {
  int after = graph.graph()->numAdded();
  if (after > before)
    graphFrom(objectOf(graph).ptr())->traces.record(before, after);
}

} // namespace

/// How assertions begin on values that the graph itself knows.
constexpr std::string_view failedAssertion = "Condition x ";

void setBuildError(const Status &status) {
  if (status.message().find(failedAssertion) == std::string_view::npos)
    return PyErr_SetObject(typeOf(status), text(status.message()).ptr());
  // As in a run.
  nb::object type = nb::module_::import_("kiln.compat.v1.errors")
                        .attr("InvalidArgumentError");
  nb::object error = type(nb::none(), nb::none(), text(status.message()));
  PyErr_SetObject(type.ptr(), error.ptr());
}

void checkBuilt(const Status &status) {
  if (status.ok())
    return;
  setBuildError(status);
  throw nb::python_error();
}

Call::Call() : current{GraphBuilder::current(), 0}, outer(innermost) {
  current.before = current.graph.graph()->numAdded();
  innermost = this;
}
Call::~Call() { innermost = outer; }

void Call::touch(const GraphBuilder &graph) {
  if (Call *call = innermost;
      call && !call->touched && !(graph == call->current.graph))
    call->touched = Part{graph, graph.graph()->numAdded()};
}

void Call::fail(nb::python_error &&error) {
  Call *call = innermost;
  if (!call->raised)
    call->raised.emplace(std::move(error));
  GraphBuilder::current().fail(
      abortedError("a function that was called raised an exception"));
}

void Call::forgetErrors() {
  std::ignore = current.graph.takeStatus();
  if (touched)
    std::ignore = touched->graph.takeStatus();
}

void Call::finish() {
  if (raised) {
    nb::python_error error = std::move(*raised);
    raised.reset();
    throw error;
  }
  Status status = current.graph.takeStatus();
  if (touched && status.ok())
    status = touched->graph.takeStatus();
  checkBuilt(status);
  finishPart(current.graph, current.before);
  if (touched)
    finishPart(touched->graph, touched->before);
}

} // namespace kiln::python::front
