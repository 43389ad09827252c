// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether the devices that nodes name are there.
#ifndef KILN_LIB_PLAN_PLACEMENT_H
#define KILN_LIB_PLAN_PLACEMENT_H

#include "lib/Plan/Prune.h"

namespace kiln {

/// Demands that the device of each node is one of `cpuDevices` CPUs of this
/// process; with `isSoft`, that it is of this process. Bodies of functions are
/// not checked, as in TensorFlow.
/// **Errors**: INVALID_ARGUMENT, with the first node and TensorFlow's text; for
/// a name that is none, too.
/// **Cost**: linear; nothing for nodes without a device.
Status checkPlacement(const PrunedGraph &graph, bool isSoft, int cpuDevices);

} // namespace kiln

#endif // KILN_LIB_PLAN_PLACEMENT_H
