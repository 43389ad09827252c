// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cuts a run into parts at the ops that may wait, and at those of another
// library that native code cannot hold (CutKind.h).
#ifndef KILN_LIB_PLAN_CUT_CUTGRAPH_H
#define KILN_LIB_PLAN_CUT_CUTGRAPH_H

#include "lib/Plan/ir/Block.h"

#include <optional>

namespace kiln {

/// A tensor that a cut run holds between its units.
struct CutValue {
  /// Never none.
  PlanValue tensor;
  /// The feed that it is; -1 for none.
  int feed = -1;
  /// True for a constant or the output of a Const, which no unit makes.
  bool isConstant = false;
  /// True where the shapes of what uses it depend on its elements.
  bool isAsked = false;
  /// True where a region gives it, which may hold it itself.
  bool isShared = false;
  /// True for a TensorArray, a stack or a list that the run keeps: an int64
  /// scalar by which it finds it (CrossingSlots.h).
  bool isSlot = false;
  /// How often units and fetches use it.
  int numUses = 0;

  /// What errors about it name; empty for a constant without a node.
  std::string nodeName() const {
    return tensor.isTensor() ? tensor.output().node->name() : "";
  }
};

struct CutRegion;

/// A part, which is a tree of its own that is run under its locks, an op that
/// cuts the run, a branch, loop or call with such an op inside, or, of a run in
/// steps, the arrival of a feed.
struct CutUnit {
  /// The op, or the one that a region stands for; null for others.
  const Node *node = nullptr;
  /// Its name, behind those of the calls around it.
  std::string name;
  /// The handles among the inputs of an op on resources.
  std::vector<Output> handles;
  /// Whether it is an op on slots that the run keeps.
  bool usesSlots = false;
  /// What a region does; null for others.
  std::shared_ptr<const CutRegion> region;
  /// The feed that arrives; -1 for others.
  int feed = -1;
  /// What a part does; null for others.
  std::shared_ptr<const Block> part;
  /// Numbers of values: a part's arguments; an op's inputs, -1 for handles; a
  /// region's as CutRegion says.
  std::vector<int> inputs;
  /// Numbers of values: a part's results; an op's outputs and a region's
  /// results, -1 for handles and for results that are not used.
  std::vector<int> outputs;
  /// Units that must have ended before this one begins.
  int numBefore = 0;
  /// Units that wait for this one.
  std::vector<int> users;
};

/// A run that is cut: units in an order in which they could run, the values
/// between them, and for each fetch its value. **Ownership**: points into the
/// graph; holds what it shares with the tree that it was cut from.
struct CutGraph {
  std::vector<CutUnit> units;
  std::vector<CutValue> values;
  /// A run's feeds. A block inside of a region has its `numArgs` arguments
  /// here, handles among them, which are never given, and then what it takes
  /// from around the region.
  std::vector<Output> feeds;
  size_t numArgs = 0;
  /// In a loop's first block the condition comes first. -1 for handles and for
  /// what is not used.
  std::vector<int> fetches;
  /// In the run's: what holds the nodes of units.
  std::vector<std::shared_ptr<Graph>> synthesized;
  std::shared_ptr<const FunctionLibrary> functions;
};

/// A branch, loop or call that is driven, block by block, iteration by
/// iteration. The inputs of its unit are, in this order: the condition of an
/// If; its operands, -1 for handles; what `first` takes from around it; what
/// `second` does.
struct CutRegion {
  Item::Kind kind = Item::Kind::Call;
  /// The number of an If, as in Item.
  std::optional<int64_t> number;
  size_t numOperands = 0;
  CutGraph first;
  CutGraph second; ///< for an If and a While
};

/// Cuts a run into as few parts as its order allows.
///
/// An op that cuts has no part of its own locks: whatever must come before it
/// is in parts that end before it begins, whatever needs it is in parts that
/// begin after it. What an op that cuts does not wait for, and what does not
/// wait for it, goes
/// - for an effect (an assignment) into the earliest part, since another run
///   may wait for it;
/// - for a pure op into the latest part that its users allow: a training step
///   behind a dequeue reads all variables in one snapshot. But reads of a
///   variable that an earlier part writes come before that write, if no edge
///   says otherwise.
/// A branch, loop or call without an op that cuts is one such op; one with such
/// an op inside cuts itself, and its blocks are cut too. Constants,
/// variables, their views and arithmetic on small integers are in every part
/// that uses them: shapes stay known there. A variable never crosses from part
/// to part as a value; an assignment's own output does as a `done` node. A
/// TensorArray, a stack or a list that would cross is kept by the run, and each
/// op on it cuts (CrossingSlots.h).
/// Nothing where nothing cuts. What is cut for an op of another library inside
/// of it (isCutInside) is so if that can be.
/// **Errors**: UNIMPLEMENTED, with the node, for a handle that changes between
/// iterations of a loop that is cut, and for what would cross and CrossingSlots
/// does not follow. **Cost**: n log n in the nodes, times the depth of what is
/// cut; again where a slot is to be kept.
StatusOr<std::optional<CutGraph>> cutGraph(const Block &root);

/// Cuts a run behind a tensor that a node of the tree computes or a loop
/// carries, on whose elements or extents a rank, an axis or a permutation
/// depends: what needs it comes in a part of its own, which is fed the tensor.
/// A branch or loop that gives it with several ranks is driven. Otherwise as
/// above. UNIMPLEMENTED where the tensor is a variable.
StatusOr<CutGraph> cutBehind(const Block &root, const AskedTensor &asked);

/// Cuts a run whose feeds come one after the other and whose fetches are asked
/// for in between: as above, with a unit for each feed that is waited for, and
/// every op in the earliest part: it is done as soon as all that it needs is
/// there.
StatusOr<CutGraph> cutIntoSteps(const Block &root);

} // namespace kiln

#endif // KILN_LIB_PLAN_CUT_CUTGRAPH_H
