// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorArrays, stacks and lists that would go from part to part of a cut run.
#ifndef KILN_LIB_PLAN_CUT_CROSSINGSLOTS_H
#define KILN_LIB_PLAN_CUT_CROSSINGSLOTS_H

#include "lib/Plan/ir/Block.h"

#include <map>
#include <set>
#include <span>
#include <vector>

namespace kiln {

/// Those that a session keeps for a run, so that each op on one cuts it. What
/// goes from unit to unit is a number by which the run finds the slot.
///
/// What crosses depends on where the run is cut, and an op on a slot that is
/// kept cuts it: cutting goes on until all that crosses is kept. With a slot,
/// all tensors that may be the same one are kept, and those that may hold it or
/// be held by it; but not what is known to an op that no kernel of slots is
/// for.
/// **Ownership**: borrows the tree. **Thread safety**: none.
class CrossingSlots {
public:
  explicit CrossingSlots(const Block &root) : root(root) {}

  /// Whether a tensor is a handle or a list that is kept.
  bool holds(const Output &tensor) const;
  /// Whether the node takes or gives one.
  bool isUsedBy(const Node &node) const;
  /// Whether an item's own operands or results are some.
  bool isUsedBy(const Item &item) const;

  /// Keeps handles and lists that would go from part to part. False where none
  /// of them can be kept that is not kept yet.
  bool keep(std::span<const Output> crossing);

private:
  /// The number of the set that a tensor is in; -1 for none.
  int setOf(const Output &output) const;
  int findOrAdd(const Output &output);
  int rootOf(int number) const;
  void unite(const PlanValue &a, const PlanValue &b);
  template <class A, class B>
  void uniteAll(const std::vector<A> &a, const std::vector<B> &b) {
    for (size_t i = 0; i < a.size() && i < b.size(); ++i)
      unite(PlanValue(a[i]), PlanValue(b[i]));
  }
  /// Notes that the tensor is known to something else.
  void open(const Output &output);
  void follow(const Node &node);
  void follow(const Item &item);

  const Block &root;
  /// Sets of tensors that may be one slot, or hold one another.
  std::map<OutputKey, int> numbers;
  std::vector<int> parents;
  std::set<int> openSets, kept; ///< by their roots
};

} // namespace kiln

#endif // KILN_LIB_PLAN_CUT_CROSSINGSLOTS_H
