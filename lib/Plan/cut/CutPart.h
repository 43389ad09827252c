// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The items of a part, collected in any order, as a tree of blocks.
#ifndef KILN_LIB_PLAN_CUT_CUTPART_H
#define KILN_LIB_PLAN_CUT_CUTPART_H

#include "lib/Plan/ir/Block.h"

#include <vector>

namespace kiln {

/// Items are of the block that is cut or of those around it, which are its
/// levels; 0 is the run's. Names stay as they are: what is of an inner block
/// stands in a call. **Ownership**: shares the blocks of the items.
class CutPart {
public:
  /// Adds an item that stands at `position`, from 1, of the block of `level`.
  void add(int level, size_t position, Item item) {
    entries.push_back({level, position, /*isAlias=*/false, std::move(item)});
  }
  /// Makes `name`, which is of the block of `level`, mean what `root` declares:
  /// behind `position`, where that stands in the block, or before all of it, 0.
  void addAlias(int level, size_t position, const CallPath &path,
                const Output &name, const Node &root);

  bool isEmpty() const { return entries.empty(); }
  /// Puts the items into a root with these arguments and results; `paths` are
  /// those of the levels.
  std::shared_ptr<const Block> take(const std::vector<CallPath> &paths,
                                    Block root);

private:
  struct Entry {
    int level = 0;
    size_t position = 0;
    bool isAlias = false;
    Item item;
  };
  std::vector<Entry> entries;
};

} // namespace kiln

#endif // KILN_LIB_PLAN_CUT_CUTPART_H
