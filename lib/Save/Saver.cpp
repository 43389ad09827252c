// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a saver's nodes and keeps the list of its last checkpoints.
#include "kiln/Saver.h"

#include "lib/Save/SaverNodes.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <limits>

namespace kiln {

struct Saver::Data {
  Data(GraphBuilder graph, SaverOptions options)
      : graph(std::move(graph)), options(std::move(options)) {
    nextKept = now() + hours();
  }

  double now() const {
    if (options.clock)
      return options.clock();
    return std::chrono::duration<double>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
  }
  double hours() const {
    return 3600.0 * static_cast<double>(options.keepCheckpointEveryNHours);
  }

  void record(const std::string &prefix);
  std::vector<std::string> paths() const;
  void removeOld(const std::string &metaGraphSuffix);

  GraphBuilder graph;
  SaverOptions options;
  SaverDef def;
  bool isEmpty = false;

  struct Checkpoint {
    std::string path;
    double time;
  };
  std::vector<Checkpoint> last; ///< oldest first
  std::vector<Checkpoint> old;  ///< to be removed, but for those that are kept
  double nextKept = 0;          ///< the time from which one is
};

void Saver::Data::record(const std::string &prefix) {
  if (def.maxToKeep <= 0)
    return;
  std::erase_if(last,
                [&](const Checkpoint &known) { return known.path == prefix; });
  last.push_back({prefix, now()});
  if (last.size() > static_cast<size_t>(def.maxToKeep)) {
    old.push_back(std::move(last.front()));
    last.erase(last.begin());
  }
}

std::vector<std::string> Saver::Data::paths() const {
  std::vector<std::string> all;
  for (const Checkpoint &checkpoint : last)
    all.push_back(checkpoint.path);
  return all;
}

/// What cannot be removed does no harm, and stays.
void Saver::Data::removeOld(const std::string &metaGraphSuffix) {
  if (old.empty())
    return;
  Checkpoint checkpoint = std::move(old.front());
  old.erase(old.begin());
  if (checkpoint.time > nextKept) {
    nextKept += hours();
    return;
  }
  (void)removeCheckpoint(checkpoint.path, metaGraphSuffix);
}

namespace {

/// The graph that the first of them is in.
GraphBuilder graphOf(const SaveablesByName &variables) {
  for (const auto &[name, saved] : variables)
    for (const Variable &part : saved.parts)
      return part.graph();
  return GraphBuilder::current();
}

template <class List> std::vector<Saveable> toSaveables(const List &list) {
  return {list.begin(), list.end()};
}

StatusOr<int64_t> stepOf(const Tensor &value) {
  if (value.numElements() == 1 && value.dtype() == DType::Int64)
    return value.data<int64_t>()[0];
  if (value.numElements() == 1 && value.dtype() == DType::Int32)
    return value.data<int32_t>()[0];
  return invalidArgumentError(
      strCat("expected a global step that is one integer, got ",
             dtypeName(value.dtype()), " ", value.shape().toString()));
}

/// Nothing for no step.
StatusOr<std::optional<int64_t>> stepOf(Session &session,
                                        const GlobalStep &step) {
  if (const auto *number = std::get_if<int64_t>(&step))
    return std::optional(*number);
  Output tensor;
  if (const auto *variable = std::get_if<Variable>(&step))
    tensor = variable->graphElement();
  else if (const auto *output = std::get_if<Output>(&step))
    tensor = *output;
  else
    return std::optional<int64_t>();
  KILN_ASSIGN_OR_RETURN(std::vector<Tensor> values, session.run({}, {tensor}));
  KILN_ASSIGN_OR_RETURN(int64_t number, stepOf(values[0]));
  return std::optional(number);
}

std::string withStep(const std::string &path, std::optional<int64_t> step,
                     bool isPadded) {
  if (!step)
    return path;
  char digits[32];
  std::snprintf(digits, sizeof digits, isPadded ? "%08lld" : "%lld",
                static_cast<long long>(*step));
  return strCat(path, "-", digits);
}

/// An error of a restore with TensorFlow's explanation.
Status explained(const Status &error, std::string_view what) {
  return Status(
      error.code(),
      strCat("Restoring from checkpoint failed. This is most likely due to ",
             what,
             " from the checkpoint. Please ensure that you have not altered "
             "the graph expected based on the checkpoint. Original error:\n\n",
             error.message()),
      std::string(error.node()));
}

} // namespace

Saver::Saver(const SaverOptions &options) : Saver(globalVariables(), options) {}

Saver::Saver(const std::vector<Variable> &variables,
             const SaverOptions &options)
    : Saver(toSaveables(variables), options) {}

static std::optional<SaverDef>
addNodes(const StatusOr<SaveablesByName> &variables,
         const SaverOptions &options, const GraphBuilder &graph) {
  if (!graph.status().ok())
    return SaverDef();
  if (!variables.ok()) {
    graph.fail(variables.status());
    return SaverDef();
  }
  if (!variables->empty())
    return addSaverNodes(*variables, options, graph);
  if (options.allowEmpty)
    return std::nullopt;
  graph.fail(invalidArgumentError("No variables to save"));
  return SaverDef();
}

Saver::Saver(const std::vector<Saveable> &variables,
             const SaverOptions &options) {
  auto named = byOwnNames(variables);
  GraphBuilder graph = named.ok() ? graphOf(*named) : GraphBuilder::current();
  data = std::make_shared<Data>(graph, options);
  auto def = addNodes(named, options, graph);
  data->isEmpty = !def;
  data->def = def.value_or(SaverDef());
}

Saver::Saver(const std::map<std::string, Saveable> &variables,
             const SaverOptions &options) {
  auto named = byGivenNames(variables);
  GraphBuilder graph = named.ok() ? graphOf(*named) : GraphBuilder::current();
  data = std::make_shared<Data>(graph, options);
  auto def = addNodes(named, options, graph);
  data->isEmpty = !def;
  data->def = def.value_or(SaverDef());
}

Saver Saver::fromDef(SaverDef def, const GraphBuilder &graph,
                     const SaverOptions &options) {
  SaverOptions known = options;
  known.maxToKeep = def.maxToKeep;
  known.keepCheckpointEveryNHours = def.keepCheckpointEveryNHours;
  known.sharded = def.sharded;
  auto data = std::make_shared<Data>(graph, std::move(known));
  data->def = std::move(def);
  return Saver(std::move(data));
}

std::optional<Saver> Saver::imported(const MetaGraph &metaGraph,
                                     std::string_view scope,
                                     const GraphBuilder &graph) {
  if (metaGraph.saver) {
    SaverDef def = *metaGraph.saver;
    for (std::string *name :
         {&def.filenameTensorName, &def.saveTensorName, &def.restoreOpName})
      *name = strCat(scope, *name);
    return fromDef(std::move(def), graph);
  }
  GraphScope current(graph);
  std::vector<Variable> variables = globalVariables(scope);
  if (variables.empty())
    return std::nullopt;
  return Saver(variables);
}

const SaverDef &Saver::def() const { return data->def; }
bool Saver::isEmpty() const { return data->isEmpty; }

std::vector<std::string> Saver::lastCheckpoints() const {
  return data->paths();
}

std::vector<std::pair<std::string, double>>
Saver::lastCheckpointsWithTimes() const {
  std::vector<std::pair<std::string, double>> all;
  for (const Data::Checkpoint &checkpoint : data->last)
    all.emplace_back(checkpoint.path, checkpoint.time);
  return all;
}

void Saver::setLastCheckpointsWithTimes(
    const std::vector<std::pair<std::string, double>> &checkpoints) {
  data->last.clear();
  for (const auto &[path, time] : checkpoints)
    data->last.push_back({path, time});
}

void Saver::setLastCheckpoints(const std::vector<std::string> &paths) {
  data->last.clear();
  for (const std::string &path : paths)
    data->last.push_back({path, std::numeric_limits<double>::infinity()});
}

void Saver::recoverLastCheckpoints(const std::vector<std::string> &paths) {
  namespace fs = std::filesystem;
  data->last.clear();
  for (const std::string &path : paths) {
    std::error_code error;
    auto written = fs::last_write_time(path + ".index", error);
    if (error)
      continue;
    auto time = std::chrono::file_clock::to_sys(written).time_since_epoch();
    data->last.push_back({path, std::chrono::duration<double>(time).count()});
  }
}

StatusOr<MetaGraph>
Saver::exportMetaGraph(const ExportMetaGraphOptions &options) const {
  ExportMetaGraphOptions known = options;
  if (!known.saver && !data->isEmpty)
    known.saver = data->def;
  return kiln::exportMetaGraph(data->graph, known);
}

StatusOr<std::string> Saver::prefixFor(const std::string &path,
                                       std::optional<int64_t> step,
                                       const SaveOptions &options) const {
  namespace fs = std::filesystem;
  const std::string &latest = options.latestFilename;
  if (latest.find('/') != latest.npos)
    return invalidArgumentError(
        "'latest_filename' must not contain path components");
  if (!step && fs::path(path).filename() == latest && !data->def.sharded)
    return invalidArgumentError(
        strCat("'latest_filename' collides with 'save_path': '", latest,
               "' and '", path, "'"));
  return withStep(path, step, data->options.padStepNumber);
}

StatusOr<std::string> Saver::save(Session &session, const std::string &path,
                                  const SaveOptions &options) {
  KILN_RETURN_IF_ERROR(data->graph.status());
  KILN_ASSIGN_OR_RETURN(std::optional<int64_t> step,
                        stepOf(session, options.globalStep));
  KILN_ASSIGN_OR_RETURN(std::string prefix, prefixFor(path, step, options));
  if (data->isEmpty)
    return std::string();
  KILN_ASSIGN_OR_RETURN(std::vector<Tensor> saved,
                        session.run({{TensorId(data->def.filenameTensorName),
                                      Tensor::scalar(prefix)}},
                                    {Fetch(data->def.saveTensorName)}));
  if (saved[0].dtype() != DType::String || saved[0].numElements() != 1)
    return invalidArgumentError(strCat("expected the name of a checkpoint of ",
                                       data->def.saveTensorName));
  std::string written(saved[0].data<String>()[0].view());
  KILN_RETURN_IF_ERROR(finishSave(path, prefix, written, options));
  return written;
}

Status Saver::finishSave(const std::string &path, const std::string &prefix,
                         const std::string &written,
                         const SaveOptions &options) {
  namespace fs = std::filesystem;
  // The graph before the file that names the checkpoint: a reader that finds
  // the name finds all of it.
  if (options.writeMetaGraph) {
    KILN_ASSIGN_OR_RETURN(
        MetaGraph metaGraph,
        exportMetaGraph({.stripDefaultAttrs = options.stripDefaultAttrs}));
    KILN_RETURN_IF_ERROR(saveMetaGraphFile(
        metaGraph, strCat(prefix, ".", options.metaGraphSuffix)));
  }
  if (options.writeState) {
    data->record(written);
    CheckpointState state{.modelCheckpointPath = written,
                          .allModelCheckpointPaths = data->paths()};
    KILN_RETURN_IF_ERROR(updateCheckpointState(
        std::string(fs::path(path).parent_path()), std::move(state),
        {.latestFilename = options.latestFilename,
         .saveRelativePaths = data->options.saveRelativePaths}));
    data->removeOld(options.metaGraphSuffix);
  }
  return okStatus();
}

Status Saver::restore(Session &session, const std::string &path) {
  KILN_RETURN_IF_ERROR(data->graph.status());
  if (data->isEmpty)
    return okStatus();
  if (!checkpointExists(path))
    return invalidArgumentError(
        strCat("The passed save_path is not a valid checkpoint: ", path));
  Status status =
      session
          .run({{TensorId(data->def.filenameTensorName), Tensor::scalar(path)}},
               {}, {OperationId(data->def.restoreOpName)})
          .status();
  if (status.code() == StatusCode::NotFound)
    return explained(status,
                     "a Variable name or other graph key that is missing");
  if (status.code() == StatusCode::InvalidArgument)
    return explained(status,
                     "a mismatch between the current graph and the graph");
  return status;
}

} // namespace kiln
