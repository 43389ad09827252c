// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a run is cut at a host kernel.
#include "lib/OpDefs/HostOps.h"

#include "lib/OpDefs/OpDef.h"

namespace kiln {

bool cutsAtBody(const Node &node, const OpDef &def) {
  if (!def.has(hostBody))
    return false;
  for (int i = 0; i < node.numOutputs(); ++i)
    if (!node.outputShape(i).hasRank())
      return true;
  return false;
}

} // namespace kiln
