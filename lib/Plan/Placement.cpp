// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Words TensorFlow's error.
#include "lib/Plan/Placement.h"

#include "lib/Graph/DeviceName.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

namespace kiln {
namespace {

/// In the order of the texts, in which 10 comes before 2.
std::string availableDevices(int cpuDevices) {
  DeviceName device = DeviceName::local();
  std::set<std::string> names;
  for (int i = 0; i < cpuDevices; ++i) {
    device.index = strCat(i);
    names.insert(device.toString());
  }
  std::string list;
  for (const std::string &name : names)
    list += strCat(list.empty() ? "" : ", ", name);
  return list;
}

Status checkDevice(const Node &node, bool isSoft, int cpuDevices) {
  auto device = DeviceName::parse(node.device());
  if (!device.ok())
    return invalidArgumentError(strCat("Malformed device specification '",
                                       node.device(), "' in node: {{node ",
                                       node.name(), "}}"))
        .withNode(node.name());
  if (isSoft ? device->isOfProcess() : device->isLocal(cpuDevices))
    return okStatus();
  std::string text = strCat(
      "Cannot assign a device for operation ", node.name(), ": {{node ",
      node.name(), "}} was explicitly assigned to ", device->toString(),
      " but available devices are [ ", availableDevices(cpuDevices),
      " ]. Make sure the device specification refers to a valid device.");
  if (device->type == "GPU")
    text += " The requested device appears to be a GPU, but CUDA is not "
            "enabled.";
  return invalidArgumentError(std::move(text)).withNode(node.name());
}

/// TensorFlow places a node without inputs that gives one value behind all
/// others, so that it can go where its consumers are.
bool isGenerator(const Node &node) {
  return node.inputs().empty() && node.numOutputs() == 1 &&
         !node.output(0).isRef;
}

} // namespace

Status checkPlacement(const PrunedGraph &graph, bool isSoft, int cpuDevices) {
  std::set<std::string_view> known = {""};
  const Node *first = nullptr;
  auto order = [](const Node &node) {
    return std::pair(isGenerator(node), node.id());
  };
  for (const Node *node : graph.nodes)
    if ((!first || order(*node) < order(*first)) &&
        known.insert(node->device()).second &&
        !checkDevice(*node, isSoft, cpuDevices).ok()) {
      first = node;
      known.erase(node->device());
    }
  return first ? checkDevice(*first, isSoft, cpuDevices) : okStatus();
}

} // namespace kiln
