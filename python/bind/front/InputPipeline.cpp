// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queues that give a program its input, and the runners that fill them. Their
// threads are Python's.
#include "kiln/InputPipeline.h"
#include "python/bind/front/Call.h"
#include "python/bind/front/Collections.h"
#include "python/bind/front/Modules.h"

namespace kiln::python::front {
namespace nb = nanobind;
namespace {

/// The base of Python's class.
struct QueueRunnerObject {
  std::optional<QueueRunner> runner;
};
PyTypeObject *runnerType;

} // namespace

template <> struct From<StatusCode> {
  static StatusCode convert(PyObject *value) {
    return static_cast<StatusCode>(integerFrom(value));
  }
};
template <> struct To<StatusCode> {
  static nb::object convert(StatusCode code) {
    return nb::int_(static_cast<int>(code));
  }
};
template <> struct From<QueueRunner> {
  static QueueRunner convert(PyObject *value) {
    const auto &runner =
        nb::cast<QueueRunnerObject &>(nb::handle(value)).runner;
    if (!runner)
      throw nb::type_error("QueueRunner.__init__ was not called");
    return *runner;
  }
};

namespace {

PyMethodDef runners[] = {
    function_<[](const nb::object &self, const Output &queue,
                 const std::vector<const Node *> &enqueueOps,
                 const QueueRunnerOptions &options) {
      nb::cast<QueueRunnerObject &>(self).runner.emplace(queue, enqueueOps,
                                                         options);
    }>("make_queue_runner"),
    function_<[](const QueueRunner &self) { return self.queue(); }>(
        "queue_runner_queue"),
    function_<[](const QueueRunner &self) { return self.enqueueOps(); }>(
        "queue_runner_enqueue_ops"),
    function_<[](const QueueRunner &self) { return self.closeOp(); }>(
        "queue_runner_close_op"),
    function_<[](const QueueRunner &self) { return self.cancelOp(); }>(
        "queue_runner_cancel_op"),
    function_<[](const QueueRunner &self) { return self.closedCodes(); }>(
        "queue_runner_closed_codes"),
    {nullptr, nullptr, 0, nullptr}};

PyMethodDef producers[] = {
    function_<&limitEpochs>("limit_epochs"),
    function_<[](const Input &pattern, const std::string &name) {
      return matchFilenamesOnce(pattern, name);
    }>("match_filenames_once"),
    function_<&inputProducer>("input_producer"),
    function_<&stringInputProducer>("string_input_producer"),
    function_<&rangeInputProducer>("range_input_producer"),
    function_<&sliceInputProducer>("slice_input_producer"),
    function_<&maybeBatch>("batch"),
    function_<&maybeBatchJoin>("batch_join"),
    function_<&maybeShuffleBatch>("shuffle_batch"),
    function_<&maybeShuffleBatchJoin>("shuffle_batch_join"),
    {nullptr, nullptr, 0, nullptr}};

std::any runnerIn(PyObject *object) {
  if (!PyObject_TypeCheck(object, runnerType) || !nb::inst_ready(object))
    return {};
  const auto &runner = nb::inst_ptr<QueueRunnerObject>(object)->runner;
  return runner ? std::any(*runner) : std::any();
}

/// What Python's class makes of a runner that C++ made.
nb::object runnerOf(const std::any &value) {
  const auto *runner = std::any_cast<QueueRunner>(&value);
  if (!runner || !classes().queueRunner.is_valid())
    return {};
  nb::object made = nb::inst_alloc(classes().queueRunner);
  new (nb::inst_ptr<QueueRunnerObject>(made)) QueueRunnerObject{*runner};
  nb::inst_mark_ready(made);
  made.attr("_init_members")();
  return made;
}

} // namespace

void bindInputPipeline(nb::module_ &module) {
  nb::class_<QueueRunnerObject> runner(
      module, "QueueRunner", nb::dynamic_attr(), nb::is_weak_referenceable());
  runner.def(nb::init<>());
  runnerType = reinterpret_cast<PyTypeObject *>(runner.ptr());
  addItemKind({&runnerIn, &runnerOf});
  addFunctions(module, runners);
  addFunctions(module, producers);
}

} // namespace kiln::python::front
