// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What may still be changed of nodes while their graph holds them back
// (Graph::hold).
#ifndef KILN_LIB_BUILD_UNPUBLISHEDNODES_H
#define KILN_LIB_BUILD_UNPUBLISHEDNODES_H

#include "lib/Build/BuildState.h"

namespace kiln {

/// What is added is seen by others when the last of these ends.
class HoldScope {
public:
  explicit HoldScope(BuildState &state) : graph(state.graph) { graph->hold(); }
  ~HoldScope() { graph->publish(); }
  HoldScope(const HoldScope &) = delete;
  HoldScope &operator=(const HoldScope &) = delete;

private:
  std::shared_ptr<Graph> graph;
};

/// Whether nothing else sees the node yet.
bool isHeld(const BuildState &state, const Node &node);
/// Makes a held node wait for another one.
void addControl(BuildState &state, const Node *node, const Node *control);
/// Moves a held node to another device.
void setDevice(BuildState &state, const Node &node, std::string device);
/// Says what is known of the shape of a held node's output.
void setShape(BuildState &state, const Output &output, const Shape &shape);

} // namespace kiln

#endif // KILN_LIB_BUILD_UNPUBLISHEDNODES_H
