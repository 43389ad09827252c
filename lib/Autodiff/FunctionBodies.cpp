// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the bodies that a node calls; makes graphs of those that were read.
#include "lib/Autodiff/FunctionBodies.h"

#include "kiln/GraphScopes.h"
#include "lib/Graph/Function.h"
#include "lib/OpDefs/Callees.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln {
namespace {

/// Copies a function of the library. `inputs` are what its caller passes.
std::shared_ptr<BuildState> copyOf(BuildState &graph, const FunctionBody &from,
                                   std::string name,
                                   std::span<const Output> inputs) {
  auto body = beginFunction(graph, std::move(name));
  std::vector<NodeSpec> specs;
  for (int id = 0; id < from.graph.numNodes(); ++id) {
    const Node &node = *from.graph.node(id);
    NodeSpec spec{node.name(), node.op(), {}, node.attrs(), node.device()};
    for (const Output &input : node.inputs())
      spec.inputs.emplace_back(input.name());
    for (const Node *control : node.controlInputs())
      spec.inputs.emplace_back("^" + control->name());
    auto argument = indexIn(from.args, {&node, 0});
    if (argument && *argument < inputs.size()) {
      const Output &given = inputs[*argument];
      if (!node.outputShape(0).hasRank())
        spec.attrs.set("shape", given.shape());
      if (auto variable = variableOfHandle(given)) {
        spec.attrs.set("_handle_dtypes", std::vector<DType>{variable->first});
        spec.attrs.set("_handle_shapes", std::vector<Shape>{variable->second});
      }
    }
    specs.push_back(std::move(spec));
  }
  if (Status added = body->graph->addNodes(std::move(specs)); !added.ok()) {
    graph.fail(std::move(added));
    return nullptr;
  }
  auto find = [&](const Output &output) {
    return Output{body->graph->lookup(output.node->name()), output.index};
  };
  for (const Output &arg : from.args)
    body->function->inputs.push_back(find(arg));
  for (const Output &result : from.results)
    body->function->outputs.push_back(find(result));
  return body;
}

/// The names of the functions that attributes of the node name, in the order
/// of findCall().
std::vector<std::string> calleesOf(const Node &node) {
  std::vector<std::string> names;
  for (std::string_view attr :
       {"then_branch", "else_branch", "branches", "cond", "body", "f"}) {
    const AttrValue *value = node.findAttr(attr);
    if (const auto *one = value ? value->getIf<NameAttrList>() : nullptr)
      names.push_back(one->name);
    if (const auto *several =
            value ? value->getIf<std::vector<NameAttrList>>() : nullptr)
      for (const NameAttrList &each : *several)
        names.push_back(each.name);
  }
  return names;
}

} // namespace

Bodies bodiesOf(BuildState &graph, const Node &node) {
  if (auto found = graph.bodies.find(&node); found != graph.bodies.end())
    return found->second;
  SharedFunctions library = rootOf(graph).graph->functionLibrary();
  auto call = findCall(library.get(), node);
  if (!call.ok()) {
    graph.fail(call.status());
    return {};
  }
  std::vector<std::string> names = calleesOf(node);
  bool hasChoice =
      call->kind == Call::Kind::If || call->kind == Call::Kind::Case;
  Bodies bodies;
  for (size_t i = 0; i < call->bodies.size() && i < names.size(); ++i) {
    bodies.push_back(copyOf(graph, *call->bodies[i], names[i],
                            node.inputs().subspan(hasChoice ? 1 : 0)));
    if (!bodies.back())
      return {};
  }
  return graph.bodies[&node] = bodies;
}

std::shared_ptr<BuildState> copyOfCallee(BuildState &graph, const Node &node,
                                         std::string name) {
  SharedFunctions library = rootOf(graph).graph->functionLibrary();
  auto call = findCall(library.get(), node);
  if (!call.ok()) {
    graph.fail(call.status());
    return nullptr;
  }
  return copyOf(graph, *call->bodies[0], std::move(name), node.inputs());
}

void learnOutputs(BuildState &state, const Node &node) {
  SharedFunctions library = rootOf(state).graph->functionLibrary();
  if (!library || node.numOutputs() >= 0 || !library->find(node.op()))
    return;
  auto call = findCall(library.get(), node);
  auto graph = stateOf(node);
  if (!call.ok() || !graph)
    return state.fail(call.status());
  NodeExtension extension;
  for (const Output &result : call->bodies[0]->results)
    extension.outputs.push_back({result.dtype(), Shape::unknownRank()});
  if (Status status = graph->graph->extendNode(node, std::move(extension));
      !status.ok())
    state.fail(std::move(status));
}

std::optional<size_t> indexIn(const std::vector<Output> &list,
                              const Output &output) {
  auto found = std::ranges::find(list, output);
  return found == list.end()
             ? std::nullopt
             : std::optional<size_t>(static_cast<size_t>(found - list.begin()));
}

std::optional<size_t> argumentOfHandle(const BuildState &body, Output handle) {
  while (true) {
    if (auto index = indexIn(body.function->inputs, handle))
      return index;
    const std::string &op = handle.node->op();
    bool passesOn = op == "Identity" || op == "While" || op == "StatelessWhile";
    if (!passesOn || handle.index >= handle.node->numInputs())
      return std::nullopt;
    handle = handle.node->input(handle.index);
  }
}

Output copyOfConst(BuildState &state, const Node &constant) {
  auto value = constant.attr<TensorConstant>("value");
  if (value.ok())
    return addConst(state, *std::move(value), "Const");
  state.fail(value.status());
  return {};
}

void defineRewritten(BuildState &body) {
  std::string before = body.function->name;
  body.function->name = before + "_rewritten";
  defineFunction(body, before);
}

} // namespace kiln
