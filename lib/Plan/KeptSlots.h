// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorArrays and stacks that would go from part to part of a cut run.
#ifndef KILN_LIB_PLAN_KEPTSLOTS_H
#define KILN_LIB_PLAN_KEPTSLOTS_H

#include "lib/Plan/Block.h"

#include <map>
#include <set>

namespace kiln {

/// Those that a session keeps for a run, so that each op on one cuts it.
///
/// A cutting that fails names handles that cross; with what they mean kept the
/// next one may succeed. Lists, which are values, are not kept, nor what a
/// function makes that may be called twice, nor arrays whose handles lie on
/// stacks.
/// **Ownership**: borrows the tree. **Thread safety**: none.
class KeptSlots {
public:
  explicit KeptSlots(const Block &root) : root(root) {}

  /// The node that makes the slot which a handle means, or whose gradient it
  /// means; null where that is not kept.
  const Node *makerOf(const Output &handle) const;
  /// The slot's number among those that are kept; -1 for others.
  int numberOf(const Output &handle) const;
  /// Whether the node makes such a slot or works on one.
  bool isUsedBy(const Node &node) const;

  /// Notes a handle, or a list, that would go from part to part.
  void noteCrossing(const Output &handle) { crossing.push_back(handle); }
  /// Keeps what was noted. False where there is nothing more to keep.
  bool keepCrossing();

private:
  using Key = std::pair<const Node *, int>;
  /// The node that makes it, and of a gradient its source.
  using Slot = std::pair<const Node *, std::string>;
  static Key key(const Output &output) { return {output.node, output.index}; }
  void findSlots(const Block &block);
  void findSlots(const Item &item, const Block &block);
  /// Two calls of one function may disagree; then nothing is known.
  void define(const Output &output, const Output &from);
  void define(const Output &output, Slot slot);

  const Block &root;
  std::map<Key, Slot> slots; ///< what handles mean; no node: nobody knows
  std::map<Slot, int> numbers;
  std::set<const Node *> kept;
  std::set<const Node *> onStacks; ///< makers of arrays and of their stacks
  std::vector<Output> crossing;
};

} // namespace kiln

#endif // KILN_LIB_PLAN_KEPTSLOTS_H
