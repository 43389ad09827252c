// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices of what is added: names, which are merged once, and functions, which
// are asked for each node when it is there.
#include "kiln/GraphScopes.h"
#include "lib/Build/BuildState.h"
#include "lib/Build/UnpublishedNodes.h"

#include <utility>

namespace kiln {
namespace {

void leaveDevice(BuildState &state) {
  // Other threads may have taken it off the stack that they share.
  if (DeviceFrames &frames = state.placement().devices; !frames.empty())
    frames.pop_back();
}

} // namespace

DeviceScope::DeviceScope(std::string_view device)
    : graph(GraphBuilder::current()) {
  BuildState &state = graph.internals();
  DeviceFrame frame;
  if (device.empty()) {
    frame.clears = true;
  } else if (auto parsed = DeviceName::parse(device); !parsed.ok()) {
    state.fail(parsed.status());
  } else {
    frame.own = frame.merged = *std::move(parsed);
    if (const DeviceFrames &outside = state.placement().devices;
        !outside.empty()) {
      frame.merged = frame.own.mergedInto(outside.back().merged);
      frame.asksFunctions = outside.back().asksFunctions;
    }
  }
  state.placement().devices.push_back(std::move(frame));
}
DeviceScope::~DeviceScope() { leaveDevice(graph.internals()); }

DeviceFunctionScope::DeviceFunctionScope(DeviceFunction choose)
    : graph(GraphBuilder::current()) {
  DeviceFrame frame;
  frame.function = std::make_shared<const DeviceFunction>(std::move(choose));
  frame.asksFunctions = true;
  graph.internals().placement().devices.push_back(std::move(frame));
}
DeviceFunctionScope::~DeviceFunctionScope() { leaveDevice(graph.internals()); }

std::string namedDevice(const DeviceFrames &frames) {
  return frames.empty() ? std::string() : frames.back().merged.toString();
}

void chooseDevice(BuildState &state, const Node &node) {
  // A function may itself add nodes, in blocks of its own.
  const DeviceFrames frames = state.placement().devices;
  std::string device = node.device();
  for (auto frame = frames.rbegin(); frame != frames.rend() && !frame->clears;
       ++frame) {
    if (frame->function) {
      setDevice(state, node, device);
      device = (*frame->function)(node);
      if (state.failed())
        return;
      continue;
    }
    auto parsed = DeviceName::parse(device);
    if (!parsed.ok()) {
      state.fail(parsed.status().withNode(node.name()));
      return;
    }
    device = parsed->mergedInto(frame->own).toString();
  }
  setDevice(state, node, std::move(device));
}

} // namespace kiln
