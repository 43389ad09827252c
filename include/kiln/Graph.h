// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The graph: an append-only store of nodes that sessions share.
#ifndef KILN_GRAPH_H
#define KILN_GRAPH_H

#include "kiln/Node.h"

#include <functional>
#include <memory>
#include <variant>

namespace kiln {

class FunctionLibrary;

/// A graph's functions, shared by copies; null where there are none.
struct SharedFunctions : std::shared_ptr<const FunctionLibrary> {
  SharedFunctions(std::shared_ptr<const FunctionLibrary> library)
      : shared_ptr(std::move(library)) {}
  bool empty() const noexcept { return !*this; }
};

/// Checks a new node against its op's schema and infers its outputs
/// (Node::setOutputs). Its data inputs are checked before it, except the ones
/// of a Merge that come from a NextIteration: their dtype is still Invalid. An
/// op type that it does not know is left alone and OK: only a run that reaches
/// the node fails. Where what it refuses fits its op, so that no more than its
/// shapes, sizes or attributes go together in no way, it sets the outputs, of
/// unknown shapes (see Graph::addNodes()).
using NodeChecker = std::function<Status(Node &)>;

/// What a GraphDef says of its producer.
struct GraphVersions {
  /// What TensorFlow 2.21 writes: what is made for later ones alone is refused.
  static constexpr int newest = 2474;
  int producer = 0;
  int minConsumer = 0;
  std::vector<int> badConsumers;
  bool operator==(const GraphVersions &) const = default;
};

/// How an input is named in a NodeSpec: "a", "a:1", "^control" or a handle.
using NodeInput = std::variant<std::string, Output>;

/// A node to be added.
struct NodeSpec {
  std::string name;
  std::string op;
  /// Control inputs may stand anywhere; a graph keeps them after the data
  /// inputs.
  std::vector<NodeInput> inputs = {};
  AttrMap attrs = {};
  std::string device = {};
};

/// What is appended to a node, and the attributes that change with it.
struct NodeExtension {
  std::vector<Output> inputs = {};
  std::vector<OutputInfo> outputs = {};
  AttrMap attrs = {};
};

/// Bounds on what a graph may hold; beyond one: RESOURCE_EXHAUSTED.
struct GraphLimits {
  int64_t maxNodes = 1'000'000;
  size_t maxNameBytes = 4096;
};

/// An append-only graph.
///
/// Invariants: (1) published nodes never move, change or go, but for what
/// extendNode() appends; (2) names are unique; (3) every cycle passes an edge
/// from a NextIteration to a Merge; (4) a failed addition changes nothing.
/// Ownership: owns its nodes; sessions share it through std::shared_ptr. Thread
/// safety: one thread may add while any number read. Moving needs the graph
/// alone.
///
/// | fact | guarded by |
/// | --- | --- |
/// | name index, versions, functions, error, marks | one shared mutex |
/// | whether there is an error | an atomic |
/// | node by id | published by numNodes(), an atomic |
/// | what is held | the thread that adds |
class KILN_EXPORT Graph {
public:
  /// **Edges**: without a checker (empty function) no output is known and
  /// attributes are taken as they are.
  explicit Graph(NodeChecker checker = {}, GraphLimits limits = {});
  Graph(Graph &&) noexcept;
  Graph &operator=(Graph &&) noexcept;
  ~Graph();

  /// Adds one node whose inputs are in the graph, and returns it. **Errors**:
  /// INVALID_ARGUMENT for a bad name, a missing or foreign input, an output
  /// index that the input does not have; ALREADY_EXISTS for a name in use;
  /// RESOURCE_EXHAUSTED beyond a limit; whatever the checker says. The node's
  /// name is in the Status.
  StatusOr<const Node *> addNode(NodeSpec spec);
  /// Adds all or none; inputs may name nodes that come later in the list.
  /// Unlike addNode(), which is for building a graph, it takes nodes that no
  /// run can compute, if the checker has set their outputs: the error comes
  /// from the runs that reach one, as TensorFlow's kernels give it, and is no
  /// matter for the others.
  /// **Errors**: as addNode(), and INVALID_ARGUMENT for a cycle (names a node
  /// on it) that has no NextIteration -> Merge edge. **Cost**: linear, no
  /// recursion; the name index is locked once.
  Status addNodes(std::vector<NodeSpec> specs);

  /// From now on, until as many calls of publish(), what is added is seen by
  /// the thread that adds alone: a loop is whole before others see it. Names
  /// are taken at once.
  void hold();
  void publish();
  /// Makes a NextIteration the second input of a Merge that is not published
  /// yet. **Errors**: INVALID_ARGUMENT for other nodes.
  Status closeLoop(const Node &merge, const Node &next);
  /// Appends inputs and outputs to a node, published or not, and replaces the
  /// attributes that tell of them: a call of functions gives more than it did,
  /// and what it gave stays as it was. **Errors**: INVALID_ARGUMENT for nodes
  /// that are not in the graph. **Thread safety**: as addNode(); a reader sees
  /// what a function of Node tells before or after it, so a run that is being
  /// prepared meanwhile may fail. **Source**: Operation._add_outputs of
  /// gradients of cond_v2 and while_v2.
  Status extendNode(const Node &node, NodeExtension extension);
  /// Whether the node is in this graph, published or not.
  bool contains(const Node *node) const noexcept;
  /// For the thread that adds: the number of nodes with those not published.
  int numAdded() const noexcept;
  /// For the thread that adds: node by id, 0 <= id < numAdded().
  const Node *addedNode(int id) const noexcept;
  /// For the thread that adds: lookup(), with those not published.
  const Node *lookupAdded(std::string_view name) const;

  /// The number of published nodes; grows only.
  int numNodes() const noexcept;
  /// Node by id, 0 <= id < numNodes(); null outside.
  const Node *node(int id) const noexcept;
  /// Changes whenever nodes are added.
  uint64_t version() const noexcept {
    return static_cast<uint64_t>(numNodes());
  }

  /// Null when there is none.
  const Node *lookup(std::string_view name) const;
  /// Finds an operation by name. **Errors**: NOT_FOUND "The name 'nope' refers
  /// to an Operation not in the graph."; INVALID_ARGUMENT for a tensor name.
  /// **Source**: Graph.as_graph_element.
  StatusOr<const Node *> findNode(std::string_view name) const;
  /// Finds a tensor by "op:index". **Errors**: NOT_FOUND for an unknown op or
  /// index, INVALID_ARGUMENT for another form, with the texts of **Source**:
  /// Graph.as_graph_element. **Edges**: any index is taken while a node's
  /// number of outputs is not known.
  StatusOr<Output> findTensor(std::string_view name) const;

  GraphVersions versions() const;
  void setVersions(GraphVersions versions);
  /// The functions that nodes may call; null for none.
  SharedFunctions functionLibrary() const;
  void setFunctionLibrary(std::shared_ptr<const FunctionLibrary> library);

  /// What went wrong while the graph was being built, the first of it: sessions
  /// end with it, for what was to be added is missing. **Thread safety**: any
  /// thread.
  Status constructionError() const;
  bool hasConstructionError() const noexcept;
  void setConstructionError(Status error);
  /// Returns the error and forgets it.
  Status takeConstructionError();

  /// Marks a node that others were made to wait for: GraphDefs tell of it by
  /// the attribute "_has_manual_control_dependencies", as TensorFlow's do.
  void markControlSource(const Node &node);
  bool isControlSource(const Node &node) const;

  /// True when nodes (ids, names, ops, devices, edges, attributes), versions
  /// and library are the same.
  bool isIdenticalTo(const Graph &other) const;

private:
  struct KILN_HIDDEN Impl;
  std::unique_ptr<Impl> impl;
};

/// True for [A-Za-z0-9.][A-Za-z0-9_.\\/>-]*, TensorFlow's rule for node names.
KILN_EXPORT bool isValidNodeName(std::string_view name) noexcept;

} // namespace kiln

#endif // KILN_GRAPH_H
