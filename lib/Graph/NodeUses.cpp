// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collects who takes what from the inputs of nodes.
#include "kiln/NodeUses.h"

#include <mutex>
#include <unordered_map>
#include <utility>

namespace kiln {

namespace {

struct Uses {
  std::vector<std::pair<int, InputPort>> byOutput;
  std::vector<const Node *> controls;
};

/// Whether Graph::extendNode() may append inputs to the node: it calls
/// functions.
bool mayGrow(const Node &node) {
  for (const NamedAttr &attr : node.attrs())
    if (attr.value.getIf<NameAttrList>() ||
        attr.value.getIf<std::vector<NameAttrList>>())
      return true;
  return false;
}

} // namespace

/// Invariant: `uses` has the inputs of the nodes below `numSeen`; of those that
/// may grow, as many as `growing` says. The mutex guards all but the graph.
struct NodeUses::Impl {
  explicit Impl(std::shared_ptr<const Graph> shared)
      : graph(std::move(shared)) {}

  void addInputs(const Node &user, int from, int to) {
    for (int i = from; i < to; ++i) {
      const Output input = user.input(i);
      uses[input.node].byOutput.push_back({input.index, {&user, i}});
    }
  }

  /// The uses of a node as of now; null for none.
  const Uses *find(const Node &node) {
    for (auto &[user, count] : growing)
      if (const int now = user->numInputs(); now > count)
        addInputs(*user, std::exchange(count, now), now);
    for (const int end = graph->numNodes(); numSeen < end; ++numSeen) {
      const Node &user = *graph->node(numSeen);
      const int inputs = user.numInputs();
      addInputs(user, 0, inputs);
      for (const Node *control : user.controlInputs())
        uses[control].controls.push_back(&user);
      if (mayGrow(user))
        growing.emplace_back(&user, inputs);
    }
    auto found = uses.find(&node);
    return found == uses.end() ? nullptr : &found->second;
  }

  const std::shared_ptr<const Graph> graph;
  std::mutex mutex;
  std::unordered_map<const Node *, Uses> uses;
  std::vector<std::pair<const Node *, int>> growing;
  int numSeen = 0;
};

NodeUses::NodeUses(std::shared_ptr<const Graph> graph)
    : impl(std::make_unique<Impl>(std::move(graph))) {}
NodeUses::~NodeUses() = default;

std::vector<InputPort> NodeUses::consumers(const Output &output) const {
  std::vector<InputPort> ports;
  if (!output.node)
    return ports;
  std::lock_guard lock(impl->mutex);
  if (const Uses *uses = impl->find(*output.node))
    for (const auto &[index, port] : uses->byOutput)
      if (index == output.index)
        ports.push_back(port);
  return ports;
}

std::vector<const Node *> NodeUses::controlOutputs(const Node &node) const {
  std::lock_guard lock(impl->mutex);
  const Uses *uses = impl->find(node);
  return uses ? uses->controls : std::vector<const Node *>();
}

} // namespace kiln
