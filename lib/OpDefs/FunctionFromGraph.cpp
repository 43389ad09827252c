// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A part of a graph as a function: which names its nodes and tensors get.
#include "kiln/FunctionSpec.h"
#include "lib/Graph/OutputKey.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <unordered_map>

namespace kiln {
namespace {

/// Names of arguments, results and nodes: each once.
class UniqueNames {
public:
  /// The name, with a number where it is taken.
  std::string take(const std::string &name) {
    if (counts.emplace(name, 0).second)
      return name;
    for (;;) {
      std::string candidate = strCat(name, "_", counts[name]++);
      if (counts.emplace(candidate, 0).second)
        return candidate;
    }
  }
  /// False where the name is taken.
  bool takeExactly(const std::string &name) {
    return counts.emplace(name, 0).second;
  }

private:
  std::unordered_map<std::string, int64_t> counts;
};

/// The form that names of arguments have: lower case, beginning with a letter.
std::string normalized(std::string name) {
  for (char &c : name) {
    const auto byte = static_cast<unsigned char>(c);
    c = std::isalnum(byte) ? static_cast<char>(std::tolower(byte)) : '_';
  }
  auto letter = std::ranges::find_if(
      name, [](char c) { return std::isalpha(static_cast<unsigned char>(c)); });
  return letter == name.end() ? "unknown" : std::string(letter, name.end());
}

class FunctionMaker {
public:
  FunctionMaker(const Graph &graph, const std::string &name,
                const GraphPart &part)
      : graph(graph), name(name), part(part) {}

  StatusOr<FunctionSpec> make() {
    KILN_RETURN_IF_ERROR(checkInputs());
    KILN_RETURN_IF_ERROR(checkOutputs());
    KILN_RETURN_IF_ERROR(chooseBody());
    // Results first: the names that a caller gave them collide with no other.
    KILN_RETURN_IF_ERROR(addResults());
    for (const Output &input : part.inputs)
      addArgument(input);
    for (const Node *node : body)
      nameOutputs(*node);
    for (const Node *node : body)
      KILN_RETURN_IF_ERROR(addNode(*node));
    KILN_RETURN_IF_ERROR(addReturns());
    spec.signature.name = name;
    KILN_RETURN_IF_ERROR(addControlReturns());
    return std::move(spec);
  }

private:
  Status checkTensor(const Output &tensor, const std::string &context) const {
    const Node *node = tensor.node;
    if (!node)
      return invalidArgumentError("Node is null" + context);
    if (!graph.contains(node))
      return invalidArgumentError(
          strCat("Node with id ", node->id(),
                 " is different from the passed in node. Does it belong to a "
                 "different graph?",
                 context));
    const int count = std::max(node->numOutputs(), 0);
    if (tensor.index < 0 || tensor.index >= count)
      return outOfRangeError(strCat("Node '", node->name(), "' (type: '",
                                    node->op(), "', num of outputs: ", count,
                                    ") does not have output ", tensor.index,
                                    context));
    return okStatus();
  }

  static Status checkNoReference(const Output &tensor,
                                 const std::string &context) {
    if (!tensor.node->output(tensor.index).isRef)
      return okStatus();
    return invalidArgumentError(strCat(
        "Output ", tensor.index, " of node '", tensor.node->name(),
        "' has a reference type ", dtypeName(tensor.dtype()), "_ref", context));
  }

  Status checkInputs() {
    std::set<OutputKey> seen;
    for (size_t i = 0; i < part.inputs.size(); ++i) {
      const Output &input = part.inputs[i];
      const std::string context =
          strCat("\n\tEncountered while processing input ", i,
                 " into function '", name, "'");
      KILN_RETURN_IF_ERROR(checkTensor(input, context));
      KILN_RETURN_IF_ERROR(checkNoReference(input, context));
      if (!seen.insert(input).second)
        return invalidArgumentError(
            strCat("TF_Output ", input.name(),
                   " appears more than once in the input list"));
    }
    return okStatus();
  }

  Status checkOutputs() {
    for (size_t i = 0; i < part.outputs.size(); ++i) {
      KILN_RETURN_IF_ERROR(checkTensor(
          part.outputs[i], strCat("\n\tEncountered while processing output ", i,
                                  " from function '", name, "'")));
      KILN_RETURN_IF_ERROR(checkNoReference(
          part.outputs[i],
          strCat("\n\tEncountered while creating function '", name, "'")));
    }
    if (!part.outputNames.empty() &&
        part.outputNames.size() != part.outputs.size())
      return invalidArgumentError(strCat("expected ", part.outputs.size(),
                                         " output names, got ",
                                         part.outputNames.size()));
    return okStatus();
  }

  Status chooseBody() {
    if (part.body) {
      for (const Node *node : *part.body)
        if (!graph.contains(node))
          return invalidArgumentError("expected operations of the graph in the "
                                      "body of a function");
      body = *part.body;
      return okStatus();
    }
    std::set<const Node *> arguments;
    for (const Output &input : part.inputs)
      arguments.insert(input.node);
    for (int id = 0; id < graph.numNodes(); ++id) {
      const Node *node = graph.node(id);
      if (!arguments.contains(node))
        body.push_back(node);
      else if (node->numOutputs() != 1)
        return invalidArgumentError(strCat(
            "When `num_opers` is set to -1, nodes referenced in "
            "`inputs` must have a single output. Node ",
            node->name(), " has ", node->numOutputs(),
            " outputs. Encountered while creating function '", name, "'"));
    }
    return okStatus();
  }

  Status addResults() {
    for (size_t i = 0; i < part.outputs.size(); ++i) {
      const Output &output = part.outputs[i];
      std::string result;
      if (part.outputNames.empty())
        result = names.take(normalized(output.node->name()));
      else if (result = part.outputNames[i]; !names.takeExactly(result))
        return invalidArgumentError(
            strCat("Cannot have duplicate output names. Name '", result,
                   "' appears more than once in 'output_names' array."));
      spec.signature.outputs.push_back(
          {.name = std::move(result), .dtype = output.dtype()});
    }
    return okStatus();
  }

  void addArgument(const Output &input) {
    std::string argument = names.take(normalized(input.node->name()));
    nodeNames[input.node] = argument;
    AttrMap attrs;
    for (const auto &[attr, value] : input.node->attrs()) {
      const Shape *shape = value.getIf<Shape>();
      const TensorConstant *constant = value.getIf<TensorConstant>();
      if (attr.starts_with("_"))
        attrs.set(attr, value);
      else if (attr == "shape" && shape && input.dtype() != DType::Resource)
        attrs.set("_output_shapes", std::vector<Shape>{*shape});
      else if (attr == "value" && constant && input.node->op() == "Const")
        attrs.set("_output_shapes", std::vector<Shape>{constant->shape});
    }
    spec.argAttrs.push_back(std::move(attrs));
    tensorNames[input] = argument;
    spec.signature.inputs.push_back(
        {.name = std::move(argument), .dtype = input.dtype()});
  }

  /// The schema of the node's op, or of the function that it calls.
  std::optional<OpSchema> schemaOf(const Node &node) const {
    if (const OpSchema *op = findOpSchema(node.op()))
      return *op;
    return functionSchema(graph, node.op());
  }

  /// A tensor in a body is "node:argument:number".
  void nameOutputs(const Node &node) {
    const std::string nodeName = names.take(node.name());
    nodeNames[&node] = nodeName;
    int index = 0;
    if (auto schema = schemaOf(node))
      for (const OpArgument &output : schema->outputs)
        for (int i = 0, end = numTensors(output, node); i < end; ++i)
          tensorNames.emplace(OutputKey(&node, index++),
                              strCat(nodeName, ":", output.name, ":", i));
  }

  Status addNode(const Node &node) {
    NodeSpec made{.name = nodeNames[&node],
                  .op = node.op(),
                  .attrs = node.attrs(),
                  .device = node.device()};
    for (int i = 0; i < node.numInputs(); ++i) {
      auto tensor = tensorNames.find(node.input(i));
      if (tensor == tensorNames.end())
        return invalidArgumentError(strCat(
            "Input ", i, ", '", node.input(i).name(), "', of node '",
            node.name(), "' in function '", name,
            "' is not available. You might need to include it in inputs or "
            "include its source node in the body"));
      made.inputs.emplace_back(tensor->second);
    }
    std::vector<const Node *> controls(node.controlInputs().begin(),
                                       node.controlInputs().end());
    std::ranges::sort(controls, {}, &Node::name);
    for (const Node *control : controls) {
      auto found = nodeNames.find(control);
      if (found == nodeNames.end())
        return invalidArgumentError(
            strCat("The source of control edge [id=", edgeId(node, *control),
                   " ", control->name(), ":-1 -> ", node.name(),
                   ":-1] is not in the body. Encountered while creating "
                   "function '",
                   name, "'"));
      made.inputs.emplace_back("^" + found->second);
    }
    const std::optional<OpSchema> schema = schemaOf(node);
    spec.signature.isStateful |= schema && schema->isStateful;
    KILN_RETURN_IF_ERROR(addPlaceholders(node, schema));
    spec.nodes.push_back(std::move(made));
    return okStatus();
  }

  /// The number of an edge where edges are counted as nodes are added: data
  /// before control, behind the one that every graph of TensorFlow begins with.
  int64_t edgeId(const Node &node, const Node &control) const {
    int64_t id = 1;
    for (int before = 0; before < node.id(); ++before)
      id += graph.node(before)->numInputs() +
            static_cast<int64_t>(graph.node(before)->controlInputs().size());
    id += node.numInputs();
    return id + (std::ranges::find(node.controlInputs(), &control) -
                 node.controlInputs().begin());
  }

  Status addPlaceholders(const Node &node,
                         const std::optional<OpSchema> &schema) {
    for (const auto &[attr, value] : node.attrs()) {
      const auto *placeholder = value.getIf<AttrPlaceholder>();
      if (!placeholder || placeholder->name.empty() ||
          spec.signature.findAttr(placeholder->name))
        continue;
      const OpAttribute *known = schema ? schema->findAttr(attr) : nullptr;
      if (!known)
        return unimplementedError(
            strCat("Placeholder value is not supported for attributes not in "
                   "OpDef. Attribute: ",
                   attr, ", op: ", node.op()));
      spec.signature.attrs.push_back(
          {.name = placeholder->name, .type = known->type});
    }
    return okStatus();
  }

  Status addReturns() {
    for (size_t i = 0; i < part.outputs.size(); ++i) {
      auto tensor = tensorNames.find(part.outputs[i]);
      if (tensor == tensorNames.end())
        return invalidArgumentError(
            strCat("TF_Output ", part.outputs[i].name(),
                   " is neither in the function body nor among function "
                   "inputs. Encountered while creating function '",
                   name, "'"));
      spec.returns[spec.signature.outputs[i].name] = tensor->second;
    }
    return okStatus();
  }

  Status addControlReturns() {
    const auto &given = part.controlOutputNames;
    if (!given.empty() && given.size() != part.controlOutputs.size())
      return invalidArgumentError(strCat(
          "Expected number of control outputs (", part.controlOutputs.size(),
          ") and the number of control output names (", given.size(),
          ") to match but they do not."));
    for (size_t i = 0; i < part.controlOutputs.size(); ++i) {
      const Node *node = part.controlOutputs[i];
      if (!graph.contains(node))
        return invalidArgumentError("expected operations of the graph as "
                                    "control outputs");
      const std::string &output = given.empty() ? node->name() : given[i];
      if (output.empty())
        return invalidArgumentError("Control output name must be not empty");
      auto inBody = nodeNames.find(node);
      if (spec.controlReturns.contains(output))
        return invalidArgumentError(
            strCat("Repeated control output name: ", output));
      if (inBody == nodeNames.end())
        return invalidArgumentError(
            "Control output node name must be not empty");
      spec.controlReturns[output] = inBody->second;
    }
    return okStatus();
  }

  const Graph &graph;
  const std::string &name;
  const GraphPart &part;
  std::vector<const Node *> body;
  UniqueNames names;
  std::map<const Node *, std::string> nodeNames; ///< of body and arguments
  std::map<OutputKey, std::string> tensorNames;  ///< where inputs say them
  FunctionSpec spec;
};

} // namespace

StatusOr<FunctionSpec> functionFromGraph(const Graph &graph,
                                         const std::string &name,
                                         const GraphPart &part) {
  return FunctionMaker(graph, name, part).make();
}

} // namespace kiln
