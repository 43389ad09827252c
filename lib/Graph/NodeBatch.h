// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns a list of node descriptions into checked nodes, before any of them is
// seen by others.
#ifndef KILN_LIB_GRAPH_NODEBATCH_H
#define KILN_LIB_GRAPH_NODEBATCH_H

#include "kiln/Graph.h"

#include <unordered_map>

namespace kiln {

/// Which nodes a graph takes of those that its checker refuses.
enum class NodesTaken : uint8_t {
  /// None.
  Right,
  /// Those that fit their ops, so that their outputs are known, but that no run
  /// can compute, because their shapes, sizes or attributes go together in no
  /// way. A run that reaches one finds the error again, as TensorFlow's kernels
  /// do: it is no matter for the other runs of the graph.
  Typed,
};

/// The nodes of one Graph::addNodes call on their way in.
///
/// Invariant: nothing outside of the batch changes; dropping it undoes
/// everything. Ownership: owns its nodes until takeNodes(). Thread safety:
/// none, one thread builds.
class NodeBatch {
public:
  NodeBatch(const Graph &existing, const NodeChecker &nodeChecker,
            const GraphLimits &graphLimits, NodesTaken nodesTaken)
      : graph(existing), checker(nodeChecker), limits(graphLimits),
        taken(nodesTaken) {}

  /// Names, inputs, cycles and the checker, in this order. **Errors**: as
  /// Graph::addNodes.
  Status build(std::vector<NodeSpec> specs);
  std::vector<std::unique_ptr<Node>> takeNodes() { return std::move(nodes); }

  /// For a node that is not published yet.
  static void addControl(Node &node, const Node &control) {
    node.controls.push_back(&control);
  }

  /// For a node that is not published yet.
  static void setDevice(Node &node, std::string device) {
    node.deviceName = std::move(device);
  }

  /// For the thread that adds, of a node that may be published: what is known
  /// of its outputs, and attributes that tell of it.
  static void replaceOutputs(const Node &node, std::vector<OutputInfo> outputs,
                             const AttrMap &attrs);

private:
  Status createNodes(std::vector<NodeSpec> &specs);
  Status resolveInputs(Node &node, const std::vector<NodeInput> &inputs);
  Status resolveInput(Node &node, const NodeInput &input);
  /// Orders the new nodes so that each comes after its inputs.
  StatusOr<std::vector<Node *>> topologicalOrder() const;
  /// **Errors**: the checker's, of a node that is not taken.
  Status check(Node &node) const;
  Status cycleError(const std::vector<int> &waitingFor) const;
  Status checkInputIndices(const Node &node) const;

  const Node *findByName(std::string_view name) const;
  /// The position of a node in the batch; nothing for a published node.
  std::optional<size_t> batchIndex(const Node *node) const;

  const Graph &graph;
  const NodeChecker &checker;
  const GraphLimits &limits;
  const NodesTaken taken;
  std::vector<std::unique_ptr<Node>> nodes;
  std::unordered_map<std::string_view, const Node *> byName;
};

/// True for the edge that makes a cycle legal: TensorFlow's while loops close
/// only so.
bool isLoopEdge(const Node &from, const Node &to);

} // namespace kiln

#endif // KILN_LIB_GRAPH_NODEBATCH_H
