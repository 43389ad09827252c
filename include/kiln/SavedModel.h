// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SavedModels: graphs with the values of their variables, signatures and
// assets, in a folder; and graphs whose variables became constants.
#ifndef KILN_SAVEDMODEL_H
#define KILN_SAVEDMODEL_H

#include "kiln/MetaGraph.h"
#include "kiln/Saver.h"
#include "kiln/Session.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace kiln {

struct SavedGraphOptions {
  /// As "serve".
  std::vector<std::string> tags = {};
  /// By name, as "serving_default".
  std::map<std::string, SignatureDef> signatures = {};
  /// Constants that are names of files, which are copied.
  std::vector<Output> assets = {};
  /// Runs when the model has been loaded.
  const Node *mainOp = nullptr;
  bool clearDevices = false;
  bool stripDefaultAttrs = false;
};

/// Writes a SavedModel. Ownership: a handle; copies are the same one. Thread
/// safety: one thread at a time. **Source**: tf.saved_model.Builder.
class KILN_EXPORT SavedModelBuilder {
public:
  /// **Errors**, of all functions: FAILED_PRECONDITION for a folder that is
  /// there and not empty.
  explicit SavedModelBuilder(std::string folder);

  /// Adds the session's graph with the values of its variables: the first and
  /// no other one. Adds the nodes of a saver to the graph. **Errors**: as
  /// Saver::save(); NOT_FOUND and the like for assets; INVALID_ARGUMENT for
  /// assets that are no constants.
  Status
  addMetaGraphAndVariables(Session &session, const SavedGraphOptions &options,
                           const GraphBuilder &graph = GraphBuilder::current());
  /// Adds another graph, whose variables have the names of the first one's.
  /// **Errors**: FAILED_PRECONDITION before that.
  Status addMetaGraph(const SavedGraphOptions &options,
                      const GraphBuilder &graph = GraphBuilder::current());
  /// Writes saved_model.pb, in one step: without it there is no model.
  Status save();

private:
  struct KILN_HIDDEN Data;
  std::shared_ptr<Data> data;
};

/// Writes a SavedModel of the current graph with the tag "serve" and the
/// signature "serving_default". **Errors**: as SavedModelBuilder. **Source**:
/// tf.saved_model.simple_save.
KILN_EXPORT Status simpleSave(Session &session, const std::string &folder,
                              const std::map<std::string, Output> &inputs,
                              const std::map<std::string, Output> &outputs,
                              const Node *mainOp = nullptr);

struct LoadOptions {
  GraphLoadOptions graph = {};
  /// Where it names no folders for files, they are the model's alone.
  SessionOptions session = {};
  /// What the nodes are added to; null: a graph of their own.
  std::shared_ptr<Graph> into = nullptr;
};

/// A model that can be run.
struct SavedModel {
  GraphBuilder graph;
  std::shared_ptr<Session> session;
  std::map<std::string, SignatureDef> signatures;
  std::string message; ///< as MetaGraph::message
};

/// Loads the graph that has these tags and no others, restores its variables
/// and runs its main op. Nothing outside of the folder is opened: not through
/// names of assets, links, nor ops of the graph. **Errors**: NOT_FOUND for no
/// model, and no graph of these tags; PERMISSION_DENIED for what leads out of
/// the folder; as loadGraphDef(), Saver::restore(), Session::run(). **Source**:
/// tf.saved_model.load (of compat.v1).
KILN_EXPORT StatusOr<SavedModel>
loadSavedModel(const std::string &folder, const std::vector<std::string> &tags,
               const LoadOptions &options = {});
/// All graphs of a SavedModel, as they are in its file. **Errors**: as
/// loadSavedModel().
KILN_EXPORT StatusOr<std::vector<MetaGraph>>
readSavedModel(const std::string &folder, const GraphLoadOptions &options = {});

/// The part of a graph that these nodes need, in which variables are constants
/// of the values that they have in the session. **Errors**: NOT_FOUND for a
/// node that is not there; FAILED_PRECONDITION for variables without a value;
/// UNIMPLEMENTED for variables that the part changes, or passes on other than
/// to reads. **Source**: tf.graph_util.convert_variables_to_constants.
KILN_EXPORT StatusOr<std::shared_ptr<Graph>>
convertVariablesToConstants(Session &session,
                            const std::vector<std::string> &outputNodes);

/// A variable that is to become a constant, and a tensor that gives its value.
struct FrozenVariable {
  std::string name;
  std::string tensor;
  bool operator==(const FrozenVariable &) const = default;
};
/// The variables of the part of a graph that these nodes need, in the order of
/// the graph. **Errors**: as convertVariablesToConstants().
KILN_EXPORT StatusOr<std::vector<FrozenVariable>>
variablesToFreeze(const Graph &graph,
                  const std::vector<std::string> &outputNodes);
/// The part of a graph that these nodes need, in which the variables that have
/// a value here, by their names, are constants; others stay. **Errors**: as
/// convertVariablesToConstants(), for those that have a value.
KILN_EXPORT StatusOr<std::shared_ptr<Graph>>
freezeVariables(const Graph &graph, const std::vector<std::string> &outputNodes,
                const std::map<std::string, Tensor> &values);

} // namespace kiln

#endif // KILN_SAVEDMODEL_H
