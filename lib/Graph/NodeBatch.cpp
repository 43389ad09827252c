// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks of new nodes: names, inputs, cycles, then op schemas in topological
// order.
#include "lib/Graph/NodeBatch.h"

#include "kiln/NodeNames.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <charconv>

namespace kiln {

static thread_local int anyNameScopes = 0;

AnyNodeNames::AnyNodeNames() noexcept { ++anyNameScopes; }
AnyNodeNames::~AnyNodeNames() { --anyNameScopes; }

bool isLoopEdge(const Node &from, const Node &to) {
  auto is = [](const Node &node, std::string_view op) {
    return node.op() == op || (node.op().starts_with("Ref") &&
                               std::string_view(node.op()).substr(3) == op);
  };
  return is(from, "NextIteration") && is(to, "Merge");
}

void NodeBatch::replaceOutputs(const Node &node,
                               std::vector<OutputInfo> outputs,
                               const AttrMap &attrs) {
  auto parts = std::make_unique<Node::Parts>(node.parts());
  parts->outputs = std::move(outputs);
  for (const NamedAttr &attr : attrs)
    parts->attributes.set(attr.name, attr.value);
  // One thread adds; readers see the old parts or the new ones.
  auto &changed = const_cast<Node &>(node);
  changed.current.store(parts.get(), std::memory_order_release);
  changed.extensions.push_back(std::move(parts));
}

Status NodeBatch::build(std::vector<NodeSpec> specs) {
  KILN_RETURN_IF_ERROR(createNodes(specs));
  for (size_t i = 0; i < specs.size(); ++i)
    KILN_RETURN_IF_ERROR(resolveInputs(*nodes[i], specs[i].inputs));
  KILN_ASSIGN_OR_RETURN(std::vector<Node *> order, topologicalOrder());
  for (Node *node : order) {
    KILN_RETURN_IF_ERROR(checkInputIndices(*node));
    KILN_RETURN_IF_ERROR(check(*node));
  }
  // Loop edges point to nodes that were checked after their user.
  for (Node *node : order)
    KILN_RETURN_IF_ERROR(checkInputIndices(*node));
  return okStatus();
}

Status NodeBatch::createNodes(std::vector<NodeSpec> &specs) {
  int64_t total = static_cast<int64_t>(graph.numAdded()) +
                  static_cast<int64_t>(specs.size());
  if (total > limits.maxNodes)
    return resourceExhaustedError(strCat("the graph would have ", total,
                                         " nodes, the limit is ",
                                         limits.maxNodes));
  nodes.reserve(specs.size());
  byName.reserve(specs.size());
  for (NodeSpec &spec : specs) {
    if (spec.name.size() > limits.maxNameBytes)
      return resourceExhaustedError(strCat("the node name ", quote(spec.name),
                                           " has ", spec.name.size(),
                                           " bytes, the limit is ",
                                           limits.maxNameBytes))
          .withNode(spec.name);
    if (!isValidNodeName(spec.name) &&
        (anyNameScopes == 0 || spec.name.empty()))
      return invalidArgumentError(
                 strCat(quote(spec.name),
                        " is not a valid node name. Accepted names conform to "
                        "Regex ^[A-Za-z0-9.][A-Za-z0-9_.\\\\/>-]*$"))
          .withNode(spec.name);
    if (spec.op.empty())
      return invalidArgumentError(
                 strCat("node ", quote(spec.name), " has no op type"))
          .withNode(spec.name);
    if (findByName(spec.name))
      return alreadyExistsError(strCat("a node with the name ",
                                       quote(spec.name),
                                       " is in the graph already"))
          .withNode(spec.name);
    std::unique_ptr<Node> node(new Node);
    node->nodeId = graph.numAdded() + static_cast<int>(nodes.size());
    node->nodeName = std::move(spec.name);
    node->opType = std::move(spec.op);
    node->deviceName = std::move(spec.device);
    node->own.attributes = std::move(spec.attrs);
    byName.emplace(node->nodeName, node.get());
    nodes.push_back(std::move(node));
  }
  return okStatus();
}

Status NodeBatch::resolveInputs(Node &node,
                                const std::vector<NodeInput> &inputs) {
  node.own.inputs.reserve(inputs.size());
  for (const NodeInput &input : inputs)
    KILN_RETURN_IF_ERROR(resolveInput(node, input).withNode(node.name()));
  return okStatus();
}

Status NodeBatch::resolveInput(Node &node, const NodeInput &input) {
  if (const Output *handle = std::get_if<Output>(&input)) {
    if (!handle->node || handle->index < 0)
      return invalidArgumentError(
          strCat("node ", quote(node.name()), " has an empty input"));
    if (graph.addedNode(handle->node->id()) != handle->node)
      return invalidArgumentError(strCat("input ", quote(handle->name()),
                                         " of node ", quote(node.name()),
                                         " is not an element of this graph"));
    node.own.inputs.push_back(*handle);
    return okStatus();
  }
  const std::string &text = std::get<std::string>(input);
  std::string_view name = text;
  bool isControl = name.starts_with('^');
  if (isControl)
    name.remove_prefix(1);
  int index = 0;
  size_t colon = name.rfind(':');
  if (!isControl && colon != std::string_view::npos) {
    std::string_view digits = name.substr(colon + 1);
    auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), index);
    if (error != std::errc() || end != digits.data() + digits.size() ||
        index < 0)
      return invalidArgumentError(
          strCat("input ", quote(text), " of node ", quote(node.name()),
                 " is not of the form <op_name>, <op_name>:<output_index> or "
                 "^<op_name>"));
    name = name.substr(0, colon);
  }
  const Node *source = findByName(name);
  if (!source)
    return invalidArgumentError(strCat(
        "input ", quote(text), " of node ", quote(node.name()),
        ": the operation ", quote(name), " does not exist in the graph"));
  if (isControl)
    node.controls.push_back(source);
  else
    node.own.inputs.push_back({source, index});
  return okStatus();
}

StatusOr<std::vector<Node *>> NodeBatch::topologicalOrder() const {
  // Edges inside the batch, as lists of users one behind the other.
  std::vector<int> waitingFor(nodes.size(), 0);
  std::vector<std::vector<uint32_t>> users(nodes.size());
  auto addEdge = [&](const Node *from, size_t to) {
    if (auto index = batchIndex(from)) {
      users[*index].push_back(static_cast<uint32_t>(to));
      ++waitingFor[to];
    }
  };
  for (size_t i = 0; i < nodes.size(); ++i) {
    for (const Output &input : nodes[i]->own.inputs)
      if (!isLoopEdge(*input.node, *nodes[i]))
        addEdge(input.node, i);
    for (const Node *control : nodes[i]->controls)
      addEdge(control, i);
  }
  std::vector<Node *> order;
  order.reserve(nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i)
    if (waitingFor[i] == 0)
      order.push_back(nodes[i].get());
  for (size_t next = 0; next < order.size(); ++next)
    for (uint32_t user : users[*batchIndex(order[next])])
      if (--waitingFor[user] == 0)
        order.push_back(nodes[user].get());
  if (order.size() < nodes.size())
    return cycleError(waitingFor);
  return order;
}

Status NodeBatch::check(Node &node) const {
  Status status = checker ? checker(node) : okStatus();
  const bool isTaken = taken == NodesTaken::Typed && node.numOutputs() >= 0;
  return status.ok() || isTaken ? okStatus() : status.withNode(node.name());
}

Status NodeBatch::cycleError(const std::vector<int> &waitingFor) const {
  // Every waiting node has an input that waits: walking back must meet a node
  // again, and that one is on a cycle.
  auto waitingInput = [&](const Node &node) -> const Node * {
    auto waits = [&](const Node *source) {
      auto index = batchIndex(source);
      return index && waitingFor[*index] > 0;
    };
    for (const Output &input : node.own.inputs)
      if (!isLoopEdge(*input.node, node) && waits(input.node))
        return input.node;
    auto control = std::ranges::find_if(node.controls, waits);
    return control == node.controls.end() ? nullptr : *control;
  };
  size_t start = 0;
  while (waitingFor[start] == 0)
    ++start;
  std::vector<bool> visited(nodes.size(), false);
  const Node *current = nodes[start].get();
  while (!visited[*batchIndex(current)]) {
    visited[*batchIndex(current)] = true;
    current = waitingInput(*current);
  }
  const Node *before = waitingInput(*current);
  return invalidArgumentError(strCat("the graph has a cycle through node ",
                                     quote(current->name()),
                                     ", which waits for ",
                                     quote(before->name()),
                                     "; only an edge from a NextIteration to a "
                                     "Merge may close one"))
      .withNode(current->name());
}

Status NodeBatch::checkInputIndices(const Node &node) const {
  for (const Output &input : node.own.inputs) {
    int outputs = input.node->numOutputs();
    if (outputs >= 0 && input.index >= outputs)
      return invalidArgumentError(
                 strCat("Connecting to invalid output ", input.index,
                        " of source node ", input.node->name(), " which has ",
                        outputs,
                        " outputs. Try using tf.compat.v1.experimental."
                        "output_all_intermediates(True)."))
          .withNode(node.name());
  }
  return okStatus();
}

const Node *NodeBatch::findByName(std::string_view name) const {
  auto found = byName.find(name);
  return found != byName.end() ? found->second : graph.lookupAdded(name);
}

std::optional<size_t> NodeBatch::batchIndex(const Node *node) const {
  int index = node->id() - graph.numAdded();
  return index >= 0 ? std::optional<size_t>(static_cast<size_t>(index))
                    : std::nullopt;
}

} // namespace kiln
