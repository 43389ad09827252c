// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices that a function chooses, node by node.
#ifndef KILN_DEVICEFUNCTIONS_H
#define KILN_DEVICEFUNCTIONS_H

#include "kiln/GraphBuilder.h"

#include <functional>
#include <string>

namespace kiln {

/// The name of the device for a node that is being added, whose device() says
/// what scopes inside of the function's have asked for; empty for no wish.
using DeviceFunction = std::function<std::string(const Node &)>;

/// Asks a function for the device of each node that is added. What scopes
/// around it name is merged into what it gives. **Errors** of the graph:
/// INVALID_ARGUMENT where a name to be merged is no device's. **Source**:
/// tf.device of a function.
class [[nodiscard]] KILN_EXPORT DeviceFunctionScope {
public:
  explicit DeviceFunctionScope(DeviceFunction choose);
  ~DeviceFunctionScope();
  DeviceFunctionScope(const DeviceFunctionScope &) = delete;
  DeviceFunctionScope &operator=(const DeviceFunctionScope &) = delete;

private:
  GraphBuilder graph;
};

} // namespace kiln

#endif // KILN_DEVICEFUNCTIONS_H
