// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The edges of a graph from their sources on: who takes an output, and who
// waits for an operation.
#ifndef KILN_NODEUSES_H
#define KILN_NODEUSES_H

#include "kiln/Graph.h"

#include <memory>
#include <vector>

namespace kiln {

/// Data input `index` of a node: where an edge ends. A plain value; does not
/// own the node.
struct InputPort {
  const Node *node = nullptr;
  int index = 0;
  bool operator==(const InputPort &) const = default;
};

/// Nodes know what they take; this looks their users up, in the published nodes
/// of a graph that may grow meanwhile. Ownership: shares the graph. Thread
/// safety: any thread. **Cost**: a call walks the nodes that were added since
/// the last one, and memory for their edges stays.
class KILN_EXPORT NodeUses {
public:
  explicit NodeUses(std::shared_ptr<const Graph> graph);
  ~NodeUses();
  NodeUses(const NodeUses &) = delete;
  NodeUses &operator=(const NodeUses &) = delete;

  /// The inputs that take an output, in the order of their nodes. **Edges**:
  /// none for an output that the graph does not have. **Source**:
  /// tf.Tensor.consumers.
  std::vector<InputPort> consumers(const Output &output) const;
  /// The nodes that wait for this one. **Edges**: none for a node of another
  /// graph. **Source**: tf.Operation._control_outputs.
  std::vector<const Node *> controlOutputs(const Node &node) const;

private:
  struct KILN_HIDDEN Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace kiln

#endif // KILN_NODEUSES_H
