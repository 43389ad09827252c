// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Savers, MetaGraphs and checkpoints.
#include "kiln/CheckpointReader.h"
#include "kiln/SavedModel.h"
#include "kiln/Saver.h"
#include "kiln/WarmStart.h"
#include "python/bind/Arrays.h"
#include "python/bind/Errors.h"
#include "python/bind/Gil.h"
#include "python/bind/front/Call.h"
#include "python/bind/front/Callbacks.h"
#include "python/bind/front/Collections.h"
#include "python/bind/front/Modules.h"

#include <nanobind/stl/string.h>

namespace kiln::python::front {
namespace nb = nanobind;
namespace {

/// The base of Python's class.
struct SaverObject {
  std::optional<Saver> saver;
};
PyTypeObject *saverType;

nb::object bytesOf(const std::string &bytes) {
  return nb::bytes(bytes.data(), bytes.size());
}

/// The value, or what an error of graph construction is in Python.
template <class T> T checkBuilt(StatusOr<T> result) {
  front::checkBuilt(result.status());
  return *std::move(result);
}

} // namespace

template <> struct From<Saver *> {
  static Saver *convert(PyObject *value) {
    auto &saver = nb::cast<SaverObject &>(nb::handle(value)).saver;
    if (!saver)
      throw nb::type_error("the saver is not built");
    return &*saver;
  }
};

template <> struct From<SaveSpec> {
  static SaveSpec convert(PyObject *value) {
    nb::object spec = nb::borrow(value);
    return {.tensor =
                [=] {
                  return calledBack([&] {
                    return from<Output>(nb::object(spec.attr("tensor")).ptr());
                  });
                },
            .slice = textFrom(nb::object(spec.attr("slice_spec")).ptr()),
            .name = textFrom(nb::object(spec.attr("name")).ptr()),
            .dtype = dtypeFrom(nb::object(spec.attr("dtype")).ptr())};
  }
};

/// A variable, all parts of one, or an object of the class SaveableObject.
template <> struct From<Saveable> {
  static Saveable convert(PyObject *value) {
    if (VariableObject *variable = variableFrom(value))
      return variable->variable;
    nb::object object = nb::borrow(value);
    if (!nb::hasattr(object, "specs"))
      return PartitionedVariable(
          nb::hasattr(object, "name")
              ? textFrom(nb::object(object.attr("name")).ptr())
              : std::string(),
          {}, from<std::vector<Variable>>(value), 0);
    nb::object device = object.attr("device");
    return SaveableObject{
        .name = textFrom(nb::object(object.attr("name")).ptr()),
        .specs =
            from<std::vector<SaveSpec>>(nb::object(object.attr("specs")).ptr()),
        .restore =
            [=](const std::vector<Output> &restored,
                const std::vector<Input> &shapes) {
              return calledBack([&]() -> const Node * {
                nb::object given = nb::none();
                if (!shapes.empty()) {
                  nb::list list;
                  for (const Input &shape : shapes)
                    if (const auto *known = std::get_if<Shape>(&shape.value()))
                      list.append(objectOf(*known));
                    else
                      list.append(objectOf(*shape.output()));
                  given = std::move(list);
                }
                nb::object made =
                    object.attr("restore")(toPython(restored), given);
                return from<const Node *>(made.ptr());
              });
            },
        .device = device.is_none() ? std::string() : textFrom(device.ptr())};
  }
};

/// The fields in their order.
template <> struct From<SaverDef> {
  static SaverDef convert(PyObject *value) {
    std::vector<nb::object> fields = elementsOf(value);
    return {.filenameTensorName = textFrom(fields.at(0).ptr()),
            .saveTensorName = textFrom(fields.at(1).ptr()),
            .restoreOpName = textFrom(fields.at(2).ptr()),
            .maxToKeep = from<int>(fields.at(3).ptr()),
            .sharded = from<bool>(fields.at(4).ptr()),
            .keepCheckpointEveryNHours = from<float>(fields.at(5).ptr()),
            .version = from<int>(fields.at(6).ptr())};
  }
};
/// Python reads the step itself.
template <> struct From<GlobalStep> {
  static GlobalStep convert(PyObject *value) { return integerFrom(value); }
};
template <> struct To<SaverDef> {
  static nb::object convert(const SaverDef &def) {
    return nb::make_tuple(
        toPython(def.filenameTensorName), toPython(def.saveTensorName),
        toPython(def.restoreOpName), toPython(def.maxToKeep),
        toPython(def.sharded), toPython(def.keepCheckpointEveryNHours),
        toPython(def.version));
  }
};

namespace {

void setSaver(const nb::object &self, Saver saver) {
  nb::cast<SaverObject &>(self).saver.emplace(std::move(saver));
}

PyMethodDef savers[] = {
    function_<[](const nb::object &self, const nb::object &variables,
                 const SaverOptions &options) {
      if (!PyDict_Check(variables.ptr()))
        return setSaver(
            self, Saver(from<std::vector<Saveable>>(variables.ptr()), options));
      std::map<std::string, Saveable> named;
      for (auto [name, each] : nb::borrow<nb::dict>(variables))
        named.insert_or_assign(textFrom(name.ptr()),
                               from<Saveable>(each.ptr()));
      setSaver(self, Saver(named, options));
    }>("make_saver"),
    function_<[](const nb::object &self, const SaverDef &def,
                 const SaverOptions &options) {
      setSaver(self, Saver::fromDef(def, GraphBuilder::current(), options));
    }>("saver_from_def"),
    function_<[](Saver *self) { return self->def(); }>("saver_def"),
    function_<[](Saver *self) { return self->isEmpty(); }>("saver_is_empty"),
    function_<[](Saver *self, const std::string &path,
                 std::optional<int64_t> step, const SaveOptions &options) {
      return checkBuilt(self->prefixFor(path, step, options));
    }>("saver_prefix"),
    function_<[](Saver *self, const std::string &path,
                 const std::string &prefix, const std::string &written,
                 const SaveOptions &options) {
      // With the GIL: collections hold Python's objects.
      check(self->finishSave(path, prefix, written, options));
    }>("saver_finish"),
    function_<[](Saver *self) { return self->lastCheckpointsWithTimes(); }>(
        "saver_last_checkpoints"),
    function_<[](Saver *self, const std::vector<std::string> &paths,
                 const std::vector<double> &times) {
      std::vector<std::pair<std::string, double>> all;
      for (size_t i = 0; i < paths.size(); ++i)
        all.emplace_back(paths[i], times.at(i));
      self->setLastCheckpointsWithTimes(all);
    }>("saver_set_last_checkpoints"),
    function_<[](Saver *self, const std::vector<std::string> &paths) {
      self->recoverLastCheckpoints(paths);
    }>("saver_recover_last_checkpoints"),
    {nullptr, nullptr, 0, nullptr}};

PyMethodDef metaGraphs[] = {
    function_<[](const ExportMetaGraphOptions &options, bool asText) {
      MetaGraph metaGraph =
          checkBuilt(exportMetaGraph(GraphBuilder::current(), options));
      return bytesOf(check(toMetaGraphDef(
          metaGraph, asText ? GraphDefFormat::Text : GraphDefFormat::Binary)));
    }>("export_meta_graph"),
    function_<[](const nb::object &bytes,
                 const std::optional<std::string> &scope, bool clearDevices,
                 const nb::object &inputMap) {
      ImportMetaGraphOptions options{.importScope = scope.value_or(""),
                                     .clearDevices = clearDevices};
      for (auto [key, value] : nb::borrow<nb::dict>(inputMap)) {
        std::string name = textFrom(key.ptr());
        // Of what is waited for the operation counts.
        Output tensor = name.starts_with('^')
                            ? Output{from<const Node *>(value.ptr()), 0}
                            : from<Output>(value.ptr());
        options.inputMap.emplace(std::move(name), tensor);
      }
      MetaGraph metaGraph = checkBuilt(loadMetaGraph(textFrom(bytes.ptr())));
      return checkBuilt(
          importMetaGraph(metaGraph, GraphBuilder::current(), options));
    }>("import_meta_graph"),
    function_<[](const nb::object &bytes, const std::string &scope) {
      return checkBuilt(variableFromDef(textFrom(bytes.ptr()),
                                        GraphBuilder::current(), scope));
    }>("variable_from_def"),
    {nullptr, nullptr, 0, nullptr}};

std::shared_ptr<Graph> graphOf(const nb::object &graphDef) {
  return check(loadGraphDef(textFrom(graphDef.ptr())));
}

PyMethodDef freezing[] = {
    function_<[](const nb::object &graphDef,
                 const std::vector<std::string> &outputs) {
      return check(variablesToFreeze(*graphOf(graphDef), outputs));
    }>("variables_to_freeze"),
    function_<[](const nb::object &graphDef,
                 const std::vector<std::string> &outputs,
                 const nb::object &values) {
      std::map<std::string, Tensor> byName;
      for (auto [name, value] : nb::borrow<nb::dict>(values))
        byName.emplace(textFrom(name.ptr()),
                       tensorFromPython(value.ptr(), DType::Invalid));
      return bytesOf(check(toGraphDef(
          *check(freezeVariables(*graphOf(graphDef), outputs, byName)))));
    }>("freeze_variables"),
    {nullptr, nullptr, 0, nullptr}};

PyMethodDef checkpoints[] = {
    function_<[](const std::string &folder,
                 const CheckpointStateOptions &options) {
      return checkBuilt(getCheckpointState(folder, options));
    }>("checkpoint_state"),
    function_<[](const std::string &folder,
                 const CheckpointStateOptions &options) {
      return checkBuilt(latestCheckpoint(folder, options));
    }>("latest_checkpoint"),
    function_<[](const std::string &folder, const CheckpointState &state,
                 const CheckpointStateOptions &options) {
      check(updateCheckpointState(folder, state, options));
    }>("update_checkpoint_state"),
    function_<&checkpointExists>("checkpoint_exists"),
    function_<&initializeFromCheckpoint>("initialize_from_checkpoint"),
    function_<[](const std::string &prefix, const std::string &suffix) {
      check(removeCheckpoint(prefix, suffix));
    }>("remove_checkpoint"),
    {nullptr, nullptr, 0, nullptr}};

nb::dict variablesOf(CheckpointReader &reader) {
  nb::dict all;
  for (const auto &[name, variable] : check(reader.variables()))
    all[text(name)] =
        nb::make_tuple(objectOf(variable.dtype), objectOf(variable.shape));
  return all;
}

nb::object tensorOf(CheckpointReader &reader, const std::string &name) {
  StatusOr<Tensor> tensor = [&] {
    ReleasedGil released;
    return reader.tensor(name);
  }();
  return owned(arrayFromTensor(check(std::move(tensor))));
}

std::any saverIn(PyObject *object) {
  if (!PyObject_TypeCheck(object, saverType) || !nb::inst_ready(object))
    return {};
  const auto &saver = nb::inst_ptr<SaverObject>(object)->saver;
  return saver ? std::any(*saver) : std::any();
}

/// What Python's class makes of a saver that C++ made.
nb::object saverOf(const std::any &value) {
  const auto *saver = std::any_cast<Saver>(&value);
  if (!saver || !classes().saver.is_valid())
    return {};
  nb::object made = nb::inst_alloc(classes().saver);
  new (nb::inst_ptr<SaverObject>(made)) SaverObject{*saver};
  nb::inst_mark_ready(made);
  made.attr("_init_members")();
  return made;
}

} // namespace

void bindSaving(nb::module_ &module) {
  nb::class_<SaverObject> saver(module, "Saver", nb::dynamic_attr(),
                                nb::is_weak_referenceable());
  saver.def(nb::init<>());
  saverType = reinterpret_cast<PyTypeObject *>(saver.ptr());
  addItemKind({&saverIn, &saverOf});
  nb::class_<CheckpointReader>(module, "CheckpointReader")
      .def("variables", &variablesOf)
      .def("tensor", &tensorOf);
  module.def("open_checkpoint", [](const std::string &prefix) {
    return check(CheckpointReader::open(prefix));
  });
  for (PyMethodDef *table : {savers, metaGraphs, freezing, checkpoints})
    addFunctions(module, table);
}

} // namespace kiln::python::front
