// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a graph under construction keeps beside its nodes.
#ifndef KILN_LIB_BUILD_BUILDSTATE_H
#define KILN_LIB_BUILD_BUILDSTATE_H

#include "kiln/GraphBuilder.h"
#include "lib/Build/ControlFlowContext.h"
#include "lib/Build/DeviceFrame.h"
#include "lib/Support/PerThread.h"

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace kiln {

/// A control_dependencies() block: what it waits for, and what was added in it.
struct ControlFrame {
  std::vector<const Node *> inputs;
  std::unordered_set<const Node *> added;
};

/// What the scopes that a thread has entered say of the nodes that it adds.
struct ThreadScopes {
  std::string nameScope;                       ///< without the slash
  std::vector<ControlFrame> controls;          ///< the innermost last
  std::shared_ptr<ControlFlowContext> context; ///< the innermost one
};

/// The scopes of devices and colocations, the innermost last.
struct PlacementScopes {
  DeviceFrames devices;
  std::vector<const Node *> colocations;
};

struct FunctionGraph;

/// Thread safety: one call at a time. Several threads may build in turn: each
/// has name scopes, control dependencies and branches of its own, and shares
/// the rest. **Source**: Graph._thread_local.
struct BuildState : std::enable_shared_from_this<BuildState> {
  explicit BuildState(std::shared_ptr<Graph> graph);
  ~BuildState();

  std::shared_ptr<Graph> graph;

  // Names: by lower case, how many there have been.
  std::unordered_map<std::string, int64_t> namesInUse;
  int namedNodes = 0; ///< of the graph, how many are in namesInUse

  // Scopes.
  ThreadScopes &scopes() const { return threadScopes.own(); }
  PlacementScopes &placement() const {
    if (!placementPerThread)
      return sharedPlacement;
    return threadPlacement.of([&] { return sharedPlacement; });
  }
  /// From now on each thread has a placement of its own, which begins with the
  /// shared one. **Source**: Graph.switch_to_thread_local.
  bool placementPerThread = false;
  AttrMap attributes;
  std::vector<std::pair<std::string, std::string>> gradientOverrides;
  /// The context that each node was added in, where there was one.
  std::unordered_map<const Node *, std::shared_ptr<ControlFlowContext>>
      contexts;

  /// What the body of a function is built with; null for a graph's root.
  std::unique_ptr<FunctionGraph> function;
  /// The bodies that a node calls, where they were built here.
  std::unordered_map<const Node *, std::vector<std::shared_ptr<BuildState>>>
      bodies;
  int64_t functionsNamed = 0; ///< of the root

  std::optional<int64_t> seed;
  int64_t seedsGiven = 0;
  bool finalized = false;
  std::map<std::string, std::vector<CollectionItem>, std::less<>> collections;
  std::map<std::string, std::shared_ptr<void>, std::less<>> attachments;

  GraphBuilder builder() { return GraphBuilder(shared_from_this()); }
  void fail(Status error) { graph->setConstructionError(std::move(error)); }
  bool failed() const { return graph->hasConstructionError(); }

  std::string uniqueName(std::string_view name, bool markAsUsed);
  /// Takes the names of nodes that others have added.
  void takeNames();

  /// What a new node waits for because of control_dependencies() blocks.
  std::vector<const Node *>
  controlsFor(const std::vector<Output> &inputs) const;

  /// Adds a node of a full name with all that the scopes say. Null after an
  /// error.
  const Node *addNode(std::string op, std::string name,
                      std::vector<Output> inputs, AttrMap attrs,
                      std::vector<const Node *> controls = {});

private:
  mutable PerThread<ThreadScopes> threadScopes;
  mutable PlacementScopes sharedPlacement;
  mutable PerThread<PlacementScopes> threadPlacement;
};

/// The graph that a function with these inputs works in.
GraphBuilder builderOf(std::span<const Input *const> inputs);
GraphBuilder builderOf(const OpSpec &spec);
/// The graph that the input is in; nothing for a value.
std::optional<GraphBuilder> graphOf(const Input &input);

/// What the graph that holds a node is built with; null where nothing is.
std::shared_ptr<BuildState> stateOf(const Node &node);

/// What conversion makes of a value that is no tensor of a graph; nothing where
/// it cannot become the dtype (Invalid: any). **Errors**: INVALID_ARGUMENT with
/// TensorFlow's texts.
StatusOr<Tensor> toConstant(const Input &input, DType dtype);
/// Whether a list has a tensor of a graph in it.
bool holdsOutputs(const Input &input);

/// Adds a Const of a name in the present scope.
Output addConst(BuildState &state, Tensor value, std::string_view name);
/// The same of a value with one element that stands for all.
Output addConst(BuildState &state, TensorConstant value, std::string_view name);

/// **Errors** of the state. An Output without a node after an error.
Output convertInput(BuildState &state, const Input &input,
                    const ConversionOptions &options, bool asRef = false);

/// The name of a scope, or of an op that takes it, without the last slash.
inline std::string withoutSlash(std::string_view name) {
  if (name.ends_with('/'))
    name.remove_suffix(1);
  return std::string(name);
}

} // namespace kiln

#endif // KILN_LIB_BUILD_BUILDSTATE_H
