// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A graph a node, so that it may have the name of the one that it stands for.
#include "lib/Plan/MadeNodes.h"

#include "kiln/Ops.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln {

StatusOr<const Node *> addApart(Graph &graph, NodeSpec spec,
                                std::span<const DType> inputs) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    std::string arg = strCat("input_", i);
    arg += arg == spec.name ? "_" : "";
    KILN_RETURN_IF_ERROR(
        graph
            .addNode({.name = arg,
                      .op = "Placeholder",
                      .attrs = {{"dtype", inputs[i]},
                                {"shape", Shape::unknownRank()}}})
            .status());
    spec.inputs.push_back(strCat(arg, ":0"));
  }
  return graph.addNode(std::move(spec));
}

Graph &MadeNodes::newGraph() {
  return *root.made.emplace_back(
      std::make_unique<Graph>(makeNodeChecker(), GraphLimits()));
}

StatusOr<Output> MadeNodes::name(const Node &node, DType dtype) {
  KILN_ASSIGN_OR_RETURN(
      const Node *made,
      newGraph().addNode(
          {.name = node.name(),
           .op = "Placeholder",
           .attrs = {{"dtype", dtype}, {"shape", Shape::unknownRank()}}}));
  return Output{made, 0};
}

Status MadeNodes::call(const Node &node, std::string op, AttrMap attrs,
                       std::vector<Output> operands,
                       std::span<const DType> types,
                       std::vector<Output> results, Block &block) {
  Graph &graph = newGraph();
  Item item;
  item.kind = Item::Kind::Call;
  item.node = &node;
  item.first = std::make_unique<Block>();
  item.first->path = block.path;
  NodeSpec spec{.name = node.name(), .op = std::move(op)};
  spec.attrs = std::move(attrs);
  KILN_ASSIGN_OR_RETURN(const Node *made,
                        addApart(graph, std::move(spec), types));
  for (const Output &input : made->inputs())
    item.first->args.push_back(input);
  Item inner;
  inner.node = made;
  item.first->items.push_back(std::move(inner));
  for (size_t i = 0; i < results.size(); ++i)
    item.first->results.push_back({made, static_cast<int>(i)});
  item.operands = std::move(operands);
  item.results = std::move(results);
  block.items.push_back(std::move(item));
  return okStatus();
}

StatusOr<Output> MadeNodes::number(const Node &node, int32_t value,
                                   Block &block) {
  KILN_ASSIGN_OR_RETURN(Output result, name(node, DType::Int32));
  KILN_RETURN_IF_ERROR(
      call(node, "Const",
           {{"dtype", DType::Int32}, {"value", Tensor::scalar<int32_t>(value)}},
           {}, {}, {result}, block));
  return result;
}

} // namespace kiln
