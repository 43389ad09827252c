// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Saving variables to checkpoints, and restoring them.
#ifndef KILN_SAVER_H
#define KILN_SAVER_H

#include "kiln/Checkpoints.h"
#include "kiln/MetaGraph.h"
#include "kiln/PartitionedVariable.h"
#include "kiln/Session.h"
#include "kiln/Variable.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace kiln {

struct SaverOptions {
  /// The scope of the nodes; "save" where it is empty.
  std::string name = {};
  /// One file of data a device that has variables.
  bool sharded = false;
  /// How many of the last checkpoints that it wrote stay; 0: all.
  int maxToKeep = 5;
  /// Beyond maxToKeep, one every so many hours is kept.
  float keepCheckpointEveryNHours = 10000;
  /// Restored values take the shapes that the variables have.
  bool reshape = false;
  /// "model-00000012".
  bool padStepNumber = false;
  /// The file "checkpoint" names what is in its folder without the folder.
  bool saveRelativePaths = false;
  /// A graph without variables is no error; saving it does nothing.
  bool allowEmpty = false;
  /// The prefix in the graph, where none is fed; "model" where it is empty.
  std::string filename = {};
  /// Seconds since 1970, for tests; the system's clock where it is empty.
  std::function<double()> clock = {};
};

/// One tensor of a checkpoint, or a part of one. **Source**: SaveSpec.
struct SaveSpec {
  /// Gives what is saved; called once, where the nodes that save are added.
  std::function<Output()> tensor;
  /// As VariableSlice::spec(); empty for a whole tensor.
  std::string slice = {};
  std::string name = {};
  DType dtype = DType::Invalid;
  std::string device = {};
};
/// Something else than a variable that is saved, such as a table: tensors, and
/// what restores it from those of a checkpoint. **Source**: SaveableObject.
struct SaveableObject {
  std::string name;
  std::vector<SaveSpec> specs;
  /// Adds what restores. The shapes are the tensors', one each, where restored
  /// values are to take those; otherwise empty.
  std::function<const Node *(const std::vector<Output> &restored,
                             const std::vector<Input> &shapes)>
      restore;
  std::string device = {};
};

/// What a saver saves: a variable, all parts of one, or something else.
using Saveable = std::variant<Variable, PartitionedVariable, SaveableObject>;

/// The step that stands behind a prefix: a number, or a variable or tensor of
/// one.
using GlobalStep = std::variant<std::monostate, int64_t, Output, Variable>;

struct SaveOptions {
  GlobalStep globalStep = {};
  /// The file that names the last checkpoints.
  std::string latestFilename = "checkpoint";
  std::string metaGraphSuffix = "meta";
  bool writeMetaGraph = true;
  /// In the MetaGraph; so that TensorFlows of before an attribute read it.
  bool stripDefaultAttrs = false;
  bool writeState = true;
};

/// Adds the nodes that save and restore variables, runs them, and keeps the
/// last checkpoints. The files are TensorFlow's.
///
/// Invariants: (1) whatever fails while save() writes, and wherever the process
/// or the machine stops, the last checkpoint that was saved can be restored,
/// also where the new one has its prefix; (2) when save() returns, the new one
/// is on the disk; (3) old ones go only after the new one is on the disk and
/// named; (4) restore() changes all variables or none.
/// Ownership: a handle; copies are the same saver. Thread safety: one thread
/// at a time. **Source**: tf.train.Saver.
class KILN_EXPORT Saver {
public:
  /// A saver of all that globalVariables() gives. **Errors** of the graph:
  /// INVALID_ARGUMENT "No variables to save".
  explicit Saver(const SaverOptions &options = {});
  /// A saver of these, under their own names. **Errors** of the graph:
  /// INVALID_ARGUMENT, with TensorFlow's texts, for two of one name.
  explicit Saver(const std::vector<Saveable> &variables,
                 const SaverOptions &options = {});
  explicit Saver(const std::vector<Variable> &variables,
                 const SaverOptions &options = {});
  /// A saver of these, under other names. **Errors** of the graph:
  /// INVALID_ARGUMENT for a variable under two names.
  explicit Saver(const std::map<std::string, Saveable> &variables,
                 const SaverOptions &options = {});
  /// With nodes that are in the graph. **Errors**, of its functions:
  /// INVALID_ARGUMENT for one that does not name them.
  static Saver fromDef(SaverDef def,
                       const GraphBuilder &graph = GraphBuilder::current(),
                       const SaverOptions &options = {});
  /// The one of an imported MetaGraph, whose names have got a scope
  /// (importMetaGraph()); of all variables where it has none; nothing where
  /// there are none, too.
  static std::optional<Saver>
  imported(const MetaGraph &metaGraph, std::string_view scope = {},
           const GraphBuilder &graph = GraphBuilder::current());

  /// Writes a checkpoint "PATH" or "PATH-STEP", "….meta" with the graph, and
  /// names it in the file "checkpoint"; returns its prefix, empty without
  /// variables. **Errors**: INVALID_ARGUMENT with TensorFlow's texts for paths
  /// that collide; NOT_FOUND, PERMISSION_DENIED, RESOURCE_EXHAUSTED and the
  /// like of the system; as Session::run(). **Cost**: waits for the disk.
  StatusOr<std::string> save(Session &session, const std::string &path,
                             const SaveOptions &options = {});
  // The parts of save(), for who runs the nodes otherwise.

  /// The prefix of a checkpoint: "PATH" or "PATH-STEP". **Errors**:
  /// INVALID_ARGUMENT with TensorFlow's texts for paths that collide.
  StatusOr<std::string> prefixFor(const std::string &path,
                                  std::optional<int64_t> step = {},
                                  const SaveOptions &options = {}) const;
  /// What is to be done when a checkpoint is written, `written` being its
  /// prefix as the run gave it: the graph, the file "checkpoint", and what
  /// goes.
  Status finishSave(const std::string &path, const std::string &prefix,
                    const std::string &written,
                    const SaveOptions &options = {});

  /// **Errors**: INVALID_ARGUMENT "The passed save_path is not a valid
  /// checkpoint: …"; NOT_FOUND and INVALID_ARGUMENT with TensorFlow's texts for
  /// a checkpoint that does not fit the graph; DATA_LOSS for damaged files.
  Status restore(Session &session, const std::string &path);

  const SaverDef &def() const;
  /// Whether there is nothing to save (SaverOptions::allowEmpty).
  bool isEmpty() const;
  /// Oldest first.
  std::vector<std::string> lastCheckpoints() const;
  /// The same with the times at which they were written, seconds since 1970.
  std::vector<std::pair<std::string, double>> lastCheckpointsWithTimes() const;
  void setLastCheckpointsWithTimes(
      const std::vector<std::pair<std::string, double>> &checkpoints);
  /// From now on these are the last ones; none of them is kept for its age.
  void setLastCheckpoints(const std::vector<std::string> &paths);
  /// The same with the times at which they were written; those that are not
  /// there are left out.
  void recoverLastCheckpoints(const std::vector<std::string> &paths);
  /// The graph with this saver. **Source**: tf.train.Saver.export_meta_graph.
  StatusOr<MetaGraph>
  exportMetaGraph(const ExportMetaGraphOptions &options = {}) const;

private:
  struct KILN_HIDDEN Data;
  explicit Saver(std::shared_ptr<Data> data) : data(std::move(data)) {}
  std::shared_ptr<Data> data;
};

} // namespace kiln

#endif // KILN_SAVER_H
