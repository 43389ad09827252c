// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the ops that are done here by their types.
#include "lib/IO/CheckpointOps.h"

#include <utility>

namespace kiln {

HostOpFn findIoOp(std::string_view opType) {
  static constexpr std::pair<std::string_view, HostOpFn> ops[] = {
      {"MergeV2Checkpoints", io::mergeV2Checkpoints},
      {"RestoreV2", io::restoreV2},
      {"SaveV2", io::saveV2},
  };
  for (const auto &[name, op] : ops)
    if (name == opType)
      return op;
  return nullptr;
}

} // namespace kiln
