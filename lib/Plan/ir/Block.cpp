// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small walks and constructors of a tree.
#include "lib/Plan/ir/Block.h"

#include <algorithm>

namespace kiln {

Item makeAlias(const Output &name, const PlanValue &of, const CallPath &path) {
  Item item = makeItem(Item::Kind::Call, name.node, path);
  item.results = {name};
  item.first->results = {of};
  return item;
}

Item makeItem(Item::Kind kind, const Node *node, const CallPath &path) {
  Item item;
  item.kind = kind;
  item.node = node;
  auto makeBlock = [&] {
    auto block = std::make_shared<Block>();
    block->path = path;
    return block;
  };
  item.first = makeBlock();
  if (kind != Item::Kind::Call)
    item.second = makeBlock();
  return item;
}

bool writesVariable(const Block &block) {
  return std::any_of(block.items.begin(), block.items.end(),
                     [](const Item &item) {
                       if (item.kind == Item::Kind::Node)
                         return lookupOp(item.node->op())->writesVariable();
                       return (item.first && writesVariable(*item.first)) ||
                              (item.second && writesVariable(*item.second));
                     });
}

int64_t countNodes(const Block &block) {
  int64_t count = 0;
  forEachItem(block, [&](const Item &item, const Block &) {
    count += item.kind == Item::Kind::Node;
  });
  return count;
}

} // namespace kiln
