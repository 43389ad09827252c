// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes that a tree of blocks has beside those of the graph.
#ifndef KILN_LIB_PLAN_MADENODES_H
#define KILN_LIB_PLAN_MADENODES_H

#include "lib/Plan/Block.h"

namespace kiln {

/// Adds a node to a graph of its own, where its inputs are placeholders of
/// these types. **Errors**: those of building the node.
StatusOr<const Node *> addApart(Graph &graph, NodeSpec spec,
                                std::span<const DType> inputs);

/// Writes ops that stand for a node of the graph: errors name that.
/// **Ownership**: the tree owns what is made.
class MadeNodes {
public:
  explicit MadeNodes(Block &root) : root(root) {}

  /// A name for a tensor that an item gives.
  StatusOr<Output> name(const Node &node, DType dtype);
  /// Calls one op in `block`; `types` are those of the operands, `results` what
  /// its outputs are there. **Errors**: those of building the node.
  Status call(const Node &node, std::string op, AttrMap attrs,
              std::vector<Output> operands, std::span<const DType> types,
              std::vector<Output> results, Block &block);
  /// Gives an int32 in `block`.
  StatusOr<Output> number(const Node &node, int32_t value, Block &block);

private:
  Graph &newGraph();

  Block &root;
};

} // namespace kiln

#endif // KILN_LIB_PLAN_MADENODES_H
