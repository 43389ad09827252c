// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an op, a branch, a loop or a call is to the cutting of a run.
#ifndef KILN_LIB_PLAN_CUT_CUTKIND_H
#define KILN_LIB_PLAN_CUT_CUTKIND_H

#include "lib/Plan/cut/CrossingSlots.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace kiln {

enum class CutKind : uint8_t {
  Pure,   ///< computed once, in the latest part that will do
  Effect, ///< done once, in the earliest part
  Copied, ///< in every part that uses it
  Cut,    ///< between parts: an op that may wait, or what holds one
};

/// True when a run of the block is cut: by an op that may wait, wherever it is,
/// or by one of another library (cutsAtForeign) that no branch, loop or call is
/// around.
bool isCut(const Block &root);

/// True when a branch, a loop or a call is better driven, if it can be, for an
/// op of another library inside: one that may call back while the run holds
/// locks, or whose outputs have no known rank.
bool isCutInside(const Block &root);

/// The node that declares the variable or queue that a tensor stands for by
/// reference, view or handle; null for a value.
using RootOf = std::function<const Node *(const Output &)>;

/// What an item does and takes; of one with blocks all that they do, and take
/// from around it.
struct ItemFacts {
  CutKind kind = CutKind::Pure;
  /// What output 0 of a node stands for; all, where it passes them on.
  const Node *root = nullptr;
  std::vector<Output> uses;
  /// Those that it comes after by control edges.
  std::vector<const Node *> controls;
  /// The nodes inside of its blocks.
  std::vector<const Node *> inner;
  /// What declares the variables and queues that it takes.
  std::vector<const Node *> roots;
  /// What each result stands for.
  std::vector<const Node *> resultRoots;
};

/// **Edges**: what holds the node of `asked` in its blocks, or has it as an
/// argument of them, cuts, as what holds an op that waits, and so does the
/// branch or loop whose rank is asked; what holds one of another library that
/// cuts does where it is to be driven (isCutInside), and what is done with a
/// slot that the run keeps; without `slots` it keeps none.
ItemFacts findFacts(const Item &item, const RootOf &rootOf,
                    const AskedTensor *asked = nullptr,
                    bool drivesForeign = false,
                    const CrossingSlots *slots = nullptr);

/// True for what does nothing but end the run where a fetch has no value
/// (checkFetches()), which TensorFlow finds when all else is done.
bool isFetchCheck(const Item &item);

/// True for handles and references, which stand for a variable or queue
/// whatever it holds.
bool isHandle(const Output &output);

/// True for what cannot go from part to part by value: handles of TensorArrays
/// and stacks, lists.
bool isSlot(const Output &output);

/// True for what goes from unit to unit by value though it is a variant or a
/// handle: a dataset, an iterator that a name stands for.
bool isDataset(const Output &output);

/// True for an OptionalGetValue of what an iterator gave, which is a value
/// between units; the optionals that code passes on are known by their nodes.
bool takesRuntimeOptional(const Node &node);

/// The input that an output of a node is: Identity and the like; -1 for none.
int passedInput(const Node &node, int output);

/// True for a node whose outputs stand for what its first input stands for: a
/// handle, a reference, or a view, which has the value that the variable has
/// when an op looks at it.
bool standsForInput(const Node &node);

/// Calls `use` with the tensors that an item itself uses: not those that its
/// blocks use.
template <class Use> void forOperands(const Item &item, Use use) {
  if (item.kind == Item::Kind::Node)
    for (const Output &input : item.node->inputs())
      use(input);
  for (const PlanValue &operand : item.operands)
    use(operand.output());
  if (item.kind == Item::Kind::If)
    use(item.condition.output());
}

} // namespace kiln

#endif // KILN_LIB_PLAN_CUT_CUTKIND_H
