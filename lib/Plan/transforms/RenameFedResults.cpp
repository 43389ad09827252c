// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks the items that have results of their own.
#include "lib/Plan/transforms/RenameFedResults.h"

#include "lib/Plan/ir/SynthesizedNodes.h"
#include "lib/Support/StatusMacros.h"

#include <set>
#include <utility>

namespace kiln {

static Status rename(Block &block, const std::set<OutputKey> &fed,
                     SynthesizedNodes &names) {
  for (Item &item : block.items) {
    for (Output &result : item.results)
      if (fed.contains(result)) {
        KILN_ASSIGN_OR_RETURN(result, names.name(*item.node, result.dtype()));
      }
    for (Block *inner : {item.first.get(), item.second.get()})
      if (inner)
        KILN_RETURN_IF_ERROR(rename(*inner, fed, names));
  }
  return okStatus();
}

Status renameFedResults(Block &root) {
  SynthesizedNodes names(std::move(root.synthesized));
  std::set<OutputKey> fed(root.args.begin(), root.args.end());
  Status status = rename(root, fed, names);
  root.synthesized = names.take();
  return status;
}

} // namespace kiln
