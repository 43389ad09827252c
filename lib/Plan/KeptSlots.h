// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorArrays, stacks and lists that would go from part to part of a cut run.
#ifndef KILN_LIB_PLAN_KEPTSLOTS_H
#define KILN_LIB_PLAN_KEPTSLOTS_H

#include "lib/Plan/Block.h"

#include <map>
#include <set>
#include <vector>

namespace kiln {

/// Those that a session keeps for a run, so that each op on one cuts it. What
/// goes from unit to unit is a number by which the run finds the slot.
///
/// A cutting that fails names what crosses; with all that may be the same slot
/// kept, and what it may hold or be held by, the next one may succeed. Not what
/// an op takes or gives that no kernel of slots is known for.
/// **Ownership**: borrows the tree. **Thread safety**: none.
class KeptSlots {
public:
  explicit KeptSlots(const Block &root) : root(root) {}

  /// Whether a tensor is a handle or a list that is kept.
  bool holds(const Output &tensor) const;
  /// Whether the node takes or gives one.
  bool isUsedBy(const Node &node) const;
  /// Whether an item's own operands or results are some.
  bool isUsedBy(const Item &item) const;

  /// Notes a handle, or a list, that would go from part to part.
  void noteCrossing(const Output &handle) { crossing.push_back(handle); }
  /// Keeps what was noted. False where there is nothing more to keep.
  bool keepCrossing();

private:
  using Key = std::pair<const Node *, int>;
  static Key key(const Output &output) { return {output.node, output.index}; }
  /// The number of the set that a tensor is in; -1 for none.
  int setOf(const Output &output) const;
  int findOrAdd(const Output &output);
  int rootOf(int number) const;
  void unite(const Output &a, const Output &b);
  void unite(const std::vector<Output> &a, const std::vector<Output> &b);
  /// Notes that something else knows the tensor.
  void open(const Output &output);
  void follow(const Node &node);
  void follow(const Item &item);

  const Block &root;
  /// Sets of tensors that may be one slot, or hold one another.
  std::map<Key, int> numbers;
  std::vector<int> parents;
  std::set<int> openSets, kept; ///< by their roots
  std::vector<Output> crossing;
};

} // namespace kiln

#endif // KILN_LIB_PLAN_KEPTSLOTS_H
