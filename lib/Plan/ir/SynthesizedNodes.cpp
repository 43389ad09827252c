// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds nodes to the first graph that has none of the name.
#include "lib/Plan/ir/SynthesizedNodes.h"

#include "kiln/Ops.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <limits>

namespace kiln {

static NodeSpec placeholderOf(std::string name, DType dtype) {
  return {.name = std::move(name),
          .op = "Placeholder",
          .attrs = {{"dtype", dtype}, {"shape", Shape::unknownRank()}}};
}

StatusOr<const Node *> addApart(Graph &graph, NodeSpec spec,
                                std::span<const DType> inputs) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    std::string arg = strCat("input_", graph.numNodes());
    while (arg == spec.name || graph.lookup(arg))
      arg += "_";
    KILN_RETURN_IF_ERROR(graph.addNode(placeholderOf(arg, inputs[i])).status());
    spec.inputs.push_back(strCat(arg, ":0"));
  }
  return graph.addNode(std::move(spec));
}

GraphLimits noLimits() {
  return {.maxNodes = std::numeric_limits<int64_t>::max(),
          .maxNameBytes = std::numeric_limits<size_t>::max()};
}

Graph &SynthesizedNodes::graphWithout(const std::string &name) {
  size_t &at = next[name];
  while (at < graphs.size() && graphs[at]->lookup(name))
    ++at;
  if (at == graphs.size())
    graphs.push_back(std::make_shared<Graph>(makeNodeChecker(), noLimits()));
  return *graphs[at];
}

StatusOr<Output> SynthesizedNodes::name(const Node &node, DType dtype) {
  KILN_ASSIGN_OR_RETURN(
      const Node *made,
      graphWithout(node.name()).addNode(placeholderOf(node.name(), dtype)));
  return Output{made, 0};
}

Status SynthesizedNodes::call(const Node &node, std::string op, AttrMap attrs,
                              std::vector<PlanValue> operands,
                              std::span<const DType> types,
                              std::vector<Output> results, Block &block) {
  Item item = makeItem(Item::Kind::Call, &node, block.path);
  NodeSpec spec{.name = node.name(), .op = std::move(op)};
  spec.attrs = std::move(attrs);
  KILN_ASSIGN_OR_RETURN(const Node *made, addApart(graphWithout(node.name()),
                                                   std::move(spec), types));
  item.first->args.assign(made->inputs().begin(), made->inputs().end());
  item.first->items.emplace_back().node = made;
  for (size_t i = 0; i < results.size(); ++i)
    item.first->results.push_back(Output{made, static_cast<int>(i)});
  item.operands = std::move(operands);
  item.results = std::move(results);
  block.items.push_back(std::move(item));
  return okStatus();
}

StatusOr<PlanValue> SynthesizedNodes::number(const Node &node, int32_t value,
                                             Block &block) {
  KILN_ASSIGN_OR_RETURN(Output result, name(node, DType::Int32));
  KILN_RETURN_IF_ERROR(
      call(node, "Const",
           {{"dtype", DType::Int32}, {"value", Tensor::scalar<int32_t>(value)}},
           {}, {}, {result}, block));
  return PlanValue::result(result);
}

} // namespace kiln
