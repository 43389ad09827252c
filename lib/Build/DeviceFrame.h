// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The devices that scopes ask for.
#ifndef KILN_LIB_BUILD_DEVICEFRAME_H
#define KILN_LIB_BUILD_DEVICEFRAME_H

#include "kiln/GraphScopes.h"
#include "lib/Graph/DeviceName.h"

#include <memory>
#include <string>
#include <vector>

namespace kiln {

struct BuildState;

/// A block of a graph's construction with a device of its own.
struct DeviceFrame {
  /// Its name, with those outside merged in; empty where `function` chooses.
  DeviceName merged;
  /// Its name alone.
  DeviceName own;
  /// Whether what is outside does not count.
  bool clears = false;
  std::shared_ptr<const DeviceFunction> function;
  /// Whether it has a function, or one outside that counts has.
  bool asksFunctions = false;
};

/// The innermost last.
using DeviceFrames = std::vector<DeviceFrame>;

/// The name that blocks without functions give; empty for no wish.
std::string namedDevice(const DeviceFrames &frames);

/// Whether a function has to be asked for a node's device.
inline bool asksFunctions(const DeviceFrames &frames) {
  return !frames.empty() && frames.back().asksFunctions;
}

/// Gives a held node the device that functions choose. **Errors** of the state.
void chooseDevice(BuildState &state, const Node &node);

} // namespace kiln

#endif // KILN_LIB_BUILD_DEVICEFRAME_H
