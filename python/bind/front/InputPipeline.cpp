// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What gives a program its input: queues, the runners that fill them, whose
// threads are Python's, and records that are parsed.
#include "kiln/InputPipeline.h"
#include "kiln/ops/ParsingOps.h"
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

/// A feature: its kind, and the fields of TensorFlow's class.
template <> struct From<ops::Feature> {
  static ops::Feature convert(PyObject *value) {
    std::vector<nb::object> fields = elementsOf(value);
    auto field = [&]<class T>(size_t i, T otherwise) {
      return i < fields.size() && !fields[i].is_none()
                 ? from<T>(fields[i].ptr())
                 : otherwise;
    };
    auto kind = field(0, std::string());
    if (kind == "VarLenFeature")
      return ops::VarLenFeature{field(1, DType::Invalid)};
    if (kind == "SparseFeature")
      return ops::SparseFeature{
          field(1, std::vector<std::string>()), field(2, std::string()),
          field(3, DType::Invalid), field(4, std::vector<int64_t>()),
          field(5, false)};
    Shape shape = field(1, Shape::unknownRank());
    DType dtype = field(2, DType::Invalid);
    if (kind == "FixedLenFeature")
      return ops::FixedLenFeature{shape, dtype,
                                  field(3, std::optional<Input>())};
    return ops::FixedLenSequenceFeature{shape, dtype, field(3, false),
                                        field(4, std::optional<Input>())};
  }
};
template <> struct From<ops::Features> {
  static ops::Features convert(PyObject *value) {
    ops::Features features;
    for (auto [key, feature] : nb::cast<nb::dict>(nb::handle(value)))
      features.emplace(textFrom(key.ptr()), from<ops::Feature>(feature.ptr()));
    return features;
  }
};
template <> struct To<TensorOrSparse> {
  static nb::object convert(const TensorOrSparse &value) {
    return value.sparse() ? toPython(*value.sparse())
                          : toPython(value.output());
  }
};
/// Dicts by key.
template <class T> struct To<std::map<std::string, T>> {
  static nb::object convert(const std::map<std::string, T> &all) {
    nb::dict dict;
    for (const auto &[key, value] : all)
      dict[toPython(key)] = toPython(value);
    return dict;
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

PyMethodDef parsers[] = {
    function_<&ops::parseExample>("parse_example"),
    function_<&ops::parseSingleExample>("parse_single_example"),
    function_<&ops::parseSequenceExample>("parse_sequence_example"),
    function_<&ops::parseSingleSequenceExample>(
        "parse_single_sequence_example"),
    function_<&ops::decodeCSV>("decode_csv"),
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
  for (PyMethodDef *table : {runners, producers, parsers})
    addFunctions(module, table);
}

} // namespace kiln::python::front
