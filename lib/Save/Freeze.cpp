// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes constants of variables.
#include "kiln/SavedModel.h"
#include "lib/Graph/ProgramShapes.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <map>
#include <unordered_set>

namespace kiln {
namespace {

bool isReference(const Node &node) {
  return node.op() == "VariableV2" || node.op() == "Variable";
}
bool isHandle(const Node &node) { return node.op() == "VarHandleOp"; }
bool isRead(const Node &node) { return node.op() == "ReadVariableOp"; }
bool isGather(const Node &node) { return node.op() == "ResourceGather"; }

/// What the nodes need, in the order of the graph.
std::vector<const Node *> neededBy(std::vector<const Node *> open,
                                   const Graph &graph) {
  std::unordered_set<const Node *> seen(open.begin(), open.end());
  while (!open.empty()) {
    const Node *node = open.back();
    open.pop_back();
    auto visit = [&](const Node *other) {
      if (seen.insert(other).second)
        open.push_back(other);
    };
    for (const Output &input : node->inputs())
      visit(input.node);
    for (const Node *control : node->controlInputs())
      visit(control);
  }
  std::vector<const Node *> needed;
  for (int id = 0; id < graph.numNodes(); ++id)
    if (seen.contains(graph.node(id)))
      needed.push_back(graph.node(id));
  return needed;
}

/// **Errors**: UNIMPLEMENTED where a variable goes to what does more than read
/// it.
Status checkUses(const Node &node,
                 const std::map<const Node *, Tensor> &frozen) {
  for (int i = 0; i < node.numInputs(); ++i) {
    const Node &source = *node.input(i).node;
    if (!frozen.contains(&source))
      continue;
    const bool isFine =
        isHandle(source) ? i == 0 && (isRead(node) || isGather(node)) : true;
    const bool isChanged =
        isReference(source) && i == 0 &&
        (node.op().starts_with("Assign") || node.op().starts_with("Scatter") ||
         node.op().starts_with("Apply") || node.op().starts_with("RefSwitch") ||
         node.op().starts_with("RefEnter") ||
         node.op().starts_with("SparseApply") || node.op() == "CountUpTo");
    if (!isFine || isChanged)
      return unimplementedError(
                 strCat("a variable that is an input of ", node.op(),
                        " cannot become a constant: ", source.name()))
          .withNode(node.name());
  }
  return okStatus();
}

AttrMap withPlaces(const Node &from, AttrMap attrs) {
  if (const AttrValue *places = from.findAttr("_class"))
    attrs.set("_class", *places);
  return attrs;
}

NodeSpec constantSpec(const Node &from, const std::string &name,
                      const Tensor &value) {
  return {.name = name,
          .op = "Const",
          .attrs = withPlaces(
              from, {{"dtype", value.dtype()}, {"value", AttrValue(value)}}),
          .device = from.device()};
}

/// The node in the new graph; variables by their values.
void addSpecs(const Node &node, const std::map<const Node *, Tensor> &values,
              std::vector<NodeSpec> &specs) {
  if (auto value = values.find(&node); value != values.end()) {
    specs.push_back(constantSpec(node, node.name(), value->second));
    return;
  }
  NodeSpec spec{.name = node.name(),
                .op = node.op(),
                .attrs = node.attrs(),
                .device = node.device()};
  // What an exported graph said of the shapes is found again.
  spec.attrs.erase("_output_shapes");
  spec.attrs.erase(programShapesAttr);
  for (const Output &input : node.inputs())
    spec.inputs.emplace_back(input.name());
  const bool ofHandle = isRead(node) || isGather(node);
  const Node *variable = ofHandle ? node.input(0).node : nullptr;
  if (variable && values.contains(variable)) {
    const DType dtype = values.at(variable).dtype();
    if (isRead(node)) {
      spec.op = "Identity";
      spec.attrs = withPlaces(node, {{"T", dtype}});
    } else {
      // As TensorFlow: an axis beside it, named after the node.
      std::string axis = node.name() + "/axis";
      const auto batchDims = node.attrOr<int64_t>("batch_dims", 0);
      specs.push_back(constantSpec(
          node, axis, Tensor::scalar(static_cast<int32_t>(batchDims))));
      spec.op = "GatherV2";
      spec.inputs.emplace_back(axis);
      spec.attrs = withPlaces(
          node, {{"Tparams", dtype},
                 {"Tindices", node.attrOr<DType>("Tindices", DType::Int32)},
                 {"Taxis", DType::Int32},
                 {"batch_dims", batchDims}});
    }
  }
  for (const Node *control : node.controlInputs())
    spec.inputs.emplace_back(strCat("^", control->name()));
  specs.push_back(std::move(spec));
}

} // namespace

namespace {

StatusOr<std::vector<const Node *>>
neededBy(const std::vector<std::string> &outputNodes, const Graph &graph) {
  std::vector<const Node *> outputs;
  for (const std::string &name : outputNodes) {
    KILN_ASSIGN_OR_RETURN(outputs.emplace_back(), graph.findNode(name));
  }
  return neededBy(std::move(outputs), graph);
}

} // namespace

StatusOr<std::vector<FrozenVariable>>
variablesToFreeze(const Graph &graph,
                  const std::vector<std::string> &outputNodes) {
  KILN_ASSIGN_OR_RETURN(const std::vector<const Node *> needed,
                        neededBy(outputNodes, graph));
  // A handle has its value from any read in the whole graph.
  std::map<const Node *, const Node *> reads;
  for (int id = 0; id < graph.numNodes(); ++id)
    if (const Node *node = graph.node(id); isRead(*node))
      reads.emplace(node->input(0).node, node);
  std::vector<FrozenVariable> variables;
  for (const Node *node : needed) {
    if (isHandle(*node) && !reads.contains(node))
      return unimplementedError(
          strCat("no read of the variable ", node->name(), " is in the graph"));
    if (isReference(*node) || isHandle(*node))
      variables.push_back(
          {node->name(),
           strCat((isHandle(*node) ? reads.at(node) : node)->name(), ":0")});
  }
  return variables;
}

StatusOr<std::shared_ptr<Graph>>
freezeVariables(const Graph &graph, const std::vector<std::string> &outputNodes,
                const std::map<std::string, Tensor> &values) {
  KILN_ASSIGN_OR_RETURN(const std::vector<const Node *> needed,
                        neededBy(outputNodes, graph));
  std::map<const Node *, Tensor> byVariable;
  for (const Node *node : needed)
    if (auto value = values.find(node->name());
        value != values.end() && (isReference(*node) || isHandle(*node)))
      byVariable.emplace(node, value->second);
  std::vector<NodeSpec> specs;
  for (const Node *node : needed) {
    KILN_RETURN_IF_ERROR(checkUses(*node, byVariable));
    addSpecs(*node, byVariable, specs);
  }
  auto frozen = std::make_shared<Graph>(makeNodeChecker());
  frozen->setVersions(graph.versions());
  if (auto library = graph.functionLibrary())
    frozen->setFunctionLibrary(std::move(library));
  KILN_RETURN_IF_ERROR(frozen->addNodes(std::move(specs)));
  return frozen;
}

StatusOr<std::shared_ptr<Graph>>
convertVariablesToConstants(Session &session,
                            const std::vector<std::string> &outputNodes) {
  const Graph &graph = *session.graph();
  KILN_ASSIGN_OR_RETURN(std::vector<FrozenVariable> variables,
                        variablesToFreeze(graph, outputNodes));
  std::vector<Fetch> fetches;
  for (const FrozenVariable &variable : variables)
    fetches.emplace_back(variable.tensor);
  std::vector<Tensor> values;
  if (!fetches.empty()) {
    KILN_ASSIGN_OR_RETURN(values, session.run({}, fetches));
  }
  std::map<std::string, Tensor> byName;
  for (size_t i = 0; i < variables.size(); ++i)
    byName.emplace(variables[i].name, values[i]);
  return freezeVariables(graph, outputNodes, byName);
}

} // namespace kiln
