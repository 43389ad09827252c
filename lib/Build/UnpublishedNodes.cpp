// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What may still be changed of nodes while their graph holds them back.
#include "lib/Build/UnpublishedNodes.h"

#include "lib/Graph/NodeBatch.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln {
namespace {

/// The node, which is this thread's own; null, and an error of the graph, where
/// others may see it.
Node *changeable(BuildState &state, const Node &node) {
  if (isHeld(state, node))
    return const_cast<Node *>(&node);
  state.fail(failedPreconditionError("a node that is published does not change")
                 .withNode(node.name()));
  return nullptr;
}

} // namespace

bool isHeld(const BuildState &state, const Node &node) {
  return state.graph->contains(&node) && node.id() >= state.graph->numNodes();
}

void addControl(BuildState &state, const Node *node, const Node *control) {
  if (state.failed() || !node || !control ||
      std::ranges::count(node->controlInputs(), control) > 0)
    return;
  if (Node *own = changeable(state, *node))
    NodeBatch::addControl(*own, *control);
}

void setDevice(BuildState &state, const Node &node, std::string device) {
  if (Node *own = changeable(state, node))
    NodeBatch::setDevice(*own, std::move(device));
}

void setShape(BuildState &state, const Output &output, const Shape &shape) {
  if (state.failed() || !output.node)
    return;
  Node *own = changeable(state, *output.node);
  if (!own || own->numOutputs() <= output.index)
    return;
  std::vector<OutputInfo> all;
  for (int i = 0; i < own->numOutputs(); ++i)
    all.push_back(own->output(i));
  all[static_cast<size_t>(output.index)].shape = shape;
  own->setOutputs(std::move(all));
}

} // namespace kiln
