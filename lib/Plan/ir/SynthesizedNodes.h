// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes that a plan has beside those of the graph.
#ifndef KILN_LIB_PLAN_IR_SYNTHESIZEDNODES_H
#define KILN_LIB_PLAN_IR_SYNTHESIZEDNODES_H

#include "lib/Plan/ir/Block.h"

#include <string>
#include <unordered_map>

namespace kiln {

/// For nodes with names of a graph, whose own limits have let them in.
GraphLimits noLimits();

/// Adds a node to a graph, where its inputs are placeholders of these types.
/// **Errors**: those of building the node.
StatusOr<const Node *> addApart(Graph &graph, NodeSpec spec,
                                std::span<const DType> inputs);

/// Makes names of tensors, and ops, that stand for a node of the graph: they
/// have its name, which errors tell. **Ownership**: of the graphs in which they
/// are, until a root takes them. A name is once in a graph: there are as many
/// graphs as one node has synthesized ones.
class SynthesizedNodes {
public:
  using Graphs = std::vector<std::shared_ptr<Graph>>;

  SynthesizedNodes() = default;
  /// Goes on with the graphs of a root.
  explicit SynthesizedNodes(Graphs graphs) : graphs(std::move(graphs)) {}

  /// A name for a tensor that an item gives, or a block takes.
  StatusOr<Output> name(const Node &node, DType dtype);
  /// Calls one op in `block`; `types` are those of the operands, `results` what
  /// its outputs are there. **Errors**: those of building the node.
  Status call(const Node &node, std::string op, AttrMap attrs,
              std::vector<PlanValue> operands, std::span<const DType> types,
              std::vector<Output> results, Block &block);
  /// Gives an int32 in `block`.
  StatusOr<PlanValue> number(const Node &node, int32_t value, Block &block);

  Graphs take() { return std::move(graphs); }

private:
  Graph &graphWithout(const std::string &name);

  Graphs graphs;
  /// By name, the first graph that may not have one.
  std::unordered_map<std::string, size_t> next;
};

} // namespace kiln

#endif // KILN_LIB_PLAN_IR_SYNTHESIZEDNODES_H
