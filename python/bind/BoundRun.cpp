// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A run from Python's values to Python's results.
#include "python/bind/BoundRun.h"

#include "python/bind/Arrays.h"
#include "python/bind/Errors.h"
#include "python/bind/Gil.h"
#include "python/bind/InlineArray.h"
#include "python/bind/Interrupt.h"

namespace kiln::python {

namespace nb = nanobind;

DType feedDType(const Graph &graph, const TensorId &tensor) {
  if (const Output *output = std::get_if<Output>(&tensor))
    return output->dtype();
  StatusOr<Output> found = graph.findTensor(std::get<std::string>(tensor));
  return found.ok() ? found->dtype() : DType::Invalid;
}

/// Never freed.
static PyObject *refused = nullptr;

void bindRefused(nb::module_ &module) {
  refused = PyErr_NewException("kiln._kiln._Refused", nullptr, nullptr);
  if (!refused)
    throw nb::python_error();
  module.attr("_Refused") = nb::handle(refused);
}

PyObject *buildResults(const FetchTree &tree, std::span<Tensor> results) {
  struct References : InlineArray<PyObject *> {
    using InlineArray::InlineArray;
    ~References() {
      for (PyObject *object : *this)
        Py_XDECREF(object);
    }
  } arrays(results.size());
  for (size_t i = 0; i < results.size(); ++i)
    if (!(arrays[i] = arrayFromTensor(std::move(results[i]))))
      return nullptr;
  return tree.build(arrays);
}

BoundRun::BoundRun(const Graph &graph, nb::handle structure,
                   std::vector<TensorId> feeds, const Names &names)
    : tree(structure, fetches, names), feeds(std::move(feeds)),
      hasNames(names.is_valid()) {
  for (const TensorId &feed : this->feeds)
    dtypes.push_back(feedDType(graph, feed));
}

void BoundRun::bind(Session &session) {
  StatusOr<Callable> made;
  {
    ReleasedGil released;
    made = session.makeCallable(feeds, fetches);
  }
  // Where threads bind at once, the first one's stays.
  Callable bound = check(std::move(made));
  if (!callable.isValid())
    callable = std::move(bound);
}

PyObject *BoundRun::run(Session &session, std::span<PyObject *const> values,
                        std::chrono::nanoseconds timeout, RunStats *stats,
                        bool regions) {
  InlineArray<Tensor> tensors(values.size());
  convert(values, tensors);
  if (hasRun && !stats && !callable.isValid()) [[unlikely]]
    bind(session);
  if (!callable.isValid() || stats) [[unlikely]]
    return runByName(session, tensors, timeout, stats, regions);

  InlineArray<Tensor> results(fetches.size());
  auto call = [&](Cancellation *cancel) {
    if (!cancel && timeout == timeout.zero())
      return callable(tensors, results);
    return callable(tensors, results, {.timeout = timeout, .cancel = cancel});
  };
  Status status = runInterruptibly(call, lastNs);
  if (!status.ok()) [[unlikely]] {
    setError(status);
    return nullptr;
  }
  return buildResults(tree, results);
}

/// Whether NumPy makes a bool of an integer that is neither 0 nor 1, as
/// TensorFlow's sessions do not.
static bool isNoBool(PyObject *value, DType dtype) {
  if (dtype != DType::Bool || !PyLong_CheckExact(value))
    return false;
  int overflow = 0;
  long number = PyLong_AsLongAndOverflow(value, &overflow);
  return overflow != 0 || (number != 0 && number != 1);
}

void BoundRun::convert(std::span<PyObject *const> values,
                       std::span<Tensor> tensors) {
  try {
    for (size_t i = 0; i < values.size(); ++i) {
      if (hasNames && isNoBool(values[i], dtypes[i])) [[unlikely]]
        throw nb::type_error("expected a bool, got another integer");
      tensors[i] = tensorFromPython(values[i], dtypes[i]);
    }
  } catch (const std::exception &error) {
    // nanobind's own translation stands for the others, KeyboardInterrupt too.
    auto *raised = dynamic_cast<const nb::python_error *>(&error);
    if (!hasNames || (raised && !raised->matches(PyExc_Exception)))
      throw;
    PyErr_SetString(refused, error.what());
    throw nb::python_error();
  }
}

PyObject *BoundRun::runByName(Session &session, std::span<Tensor> tensors,
                              std::chrono::nanoseconds timeout, RunStats *stats,
                              bool regions) {
  std::vector<Feed> named;
  for (size_t i = 0; i < tensors.size(); ++i)
    named.push_back({feeds[i], std::move(tensors[i])});
  std::vector<Tensor> results;
  auto call = [&](Cancellation *cancel) {
    StatusOr<std::vector<Tensor>> made = session.run(
        named, fetches, {},
        {.timeout = timeout, .cancel = cancel, .regions = regions}, stats);
    if (made.ok())
      results = *std::move(made);
    return std::move(made).status();
  };
  Status status = runInterruptibly(call, lastNs);
  if (!status.ok()) {
    setError(status);
    return nullptr;
  }
  hasRun = true;
  return buildResults(tree, results);
}

} // namespace kiln::python
