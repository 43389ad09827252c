// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds out which ops on TensorLists may change a list in place: those behind
// which no op uses the list as it was.
#ifndef KILN_LIB_PLAN_IR_LISTUSES_H
#define KILN_LIB_PLAN_IR_LISTUSES_H

#include "lib/Plan/ir/Block.h"

#include <set>
#include <utility>

namespace kiln {

/// TensorLists are values: an op that changes one gives another list. Where the
/// old one is not needed any more the new one is the old one, changed; else it
/// is a copy. Ownership: points into the tree.
struct ListUses {
  /// Nodes that may change the list that is their input 0.
  std::set<std::pair<const Block *, const Node *>> inPlace;
  /// Operands of loops that the loop may change.
  std::set<std::pair<const Item *, size_t>> taken;
};

/// **Cost**: linear in nodes times the depth of blocks.
ListUses findListUses(const Block &root);

} // namespace kiln

#endif // KILN_LIB_PLAN_IR_LISTUSES_H
