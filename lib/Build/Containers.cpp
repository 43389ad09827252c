// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Containers that resources stand in: an attachment of the root graph.
#include "kiln/Containers.h"

#include "lib/Build/FunctionGraph.h"

#include <utility>

namespace kiln {
namespace {

constexpr std::string_view key = "container";

/// The root's, for the bodies of its functions too; null until one is entered.
std::shared_ptr<std::string> containerOf(const GraphBuilder &graph) {
  auto &attachments = rootOf(graph.internals()).attachments;
  auto found = attachments.find(key);
  return found == attachments.end()
             ? nullptr
             : std::static_pointer_cast<std::string>(found->second);
}

} // namespace

ContainerScope::ContainerScope(std::string_view name, const GraphBuilder &graph)
    : graph(rootOf(graph.internals()).builder()) {
  auto &held = this->graph.attachment(key);
  if (!held)
    held = std::make_shared<std::string>();
  outer = std::exchange(*containerOf(this->graph), std::string(name));
}
ContainerScope::~ContainerScope() { *containerOf(graph) = std::move(outer); }

std::string currentContainer(const GraphBuilder &graph) {
  std::shared_ptr<std::string> name = containerOf(graph);
  return name ? *name : std::string();
}

} // namespace kiln
