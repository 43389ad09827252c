// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts items by level and position, and wraps levels of other paths.
#include "lib/Plan/cut/CutPart.h"

#include <algorithm>
#include <tuple>

namespace kiln {

void CutPart::addAlias(int level, size_t position, const CallPath &path,
                       const Output &name, const Node &root) {
  entries.push_back({level, position, /*isAlias=*/true,
                     makeAlias(name, Output{&root, 0}, path)});
}

std::shared_ptr<const Block> CutPart::take(const std::vector<CallPath> &paths,
                                           Block root) {
  auto made = std::make_shared<Block>(std::move(root));
  made->path = paths.front();
  std::sort(entries.begin(), entries.end(), [](const Entry &a, const Entry &b) {
    return std::tie(a.level, a.position, a.isAlias) <
           std::tie(b.level, b.position, b.isAlias);
  });
  Block *block = made.get();
  for (Entry &entry : entries) {
    const CallPath &path = paths[static_cast<size_t>(entry.level)];
    if (path != block->path) {
      Item call = makeItem(Item::Kind::Call, entry.item.node, path);
      for (const PlanValue &result : made->results)
        call.results.push_back(result.output());
      call.first->results = made->results;
      Block *inner = call.first.get();
      block->items.push_back(std::move(call));
      block = inner;
    }
    block->items.push_back(std::move(entry.item));
  }
  entries.clear();
  return made;
}

} // namespace kiln
