// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of the tensors of one block, and what stands for them while it
// is written.
#ifndef KILN_LIB_IMPORT_SCOPE_H
#define KILN_LIB_IMPORT_SCOPE_H

#include "lib/Graph/OutputKey.h"
#include "lib/OpDefs/Inference.h"
#include "lib/Plan/ir/Block.h"

#include "mlir/IR/Value.h"

#include <map>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <unordered_set>

namespace kiln {

/// What stands for a tensor of the graph: a value, a view of a variable, or a
/// variable's handle.
struct Lowered {
  mlir::Value value;
  /// The variable that a view or handle means; -1 for plain values.
  int variable = -1;
  /// The first node that a view went through and that takes a value, not a
  /// reference: TensorFlow blames it when the variable has none. Null before.
  const Node *viewer = nullptr;
  /// Whether one of those nodes is reached in every run.
  bool isAlwaysViewed = false;
};

/// Symbols that are elements of a tensor, which the run computes.
struct NumbersRead {
  Output tensor;
  std::vector<int64_t> elements;
  std::vector<int64_t> symbols; ///< one an element
};

/// What the inference of one item adds that the run gives a value or checks.
struct RunSizes {
  std::vector<NumbersRead> reads;
  size_t numSymbols = 0, numGuards = 0; ///< of the table, so far
  size_t numEqualities = 0;             ///< of the region, so far
  /// Whether the node demands something where not every run comes to.
  bool checks = false;
  /// What the node finds out itself, in the order in which outputs name it; of
  /// branches and loops, the dimensions that differ from path to path.
  std::vector<int64_t> binds;
  /// Its inputs as it sees them, where sizes of the run are equal as it
  /// demands.
  std::map<int, SymShape> inputs;
};

/// Where every run of a block ends, and the error: at an item that can only
/// fail, which a guard reports; or, without one, behind an item with blocks
/// that end every run.
struct BlockFailure {
  const Item *end; ///< what has no run behind it
  Status error;
  std::optional<size_t> guard;
};

/// What a node would have had to know of an input: its elements, or, for a
/// rank, which of its extents are 1.
struct MissingInput {
  int input;
  bool isExtents;
};

/// A block of the tree. A tensor is looked for in its own scope, then in those
/// around it: a node has one meaning in one scope, but a function that is
/// called twice has two scopes. Ownership: borrows block and parent. Thread
/// safety: none.
struct Scope {
  using Key = OutputKey;
  static Key key(const Output &output) { return output; }

  Scope(const Block &block, Scope *parent, int number, int region)
      : block(block), parent(parent), number(number), region(region) {}

  const Block &block;
  Scope *parent;
  int number; ///< among the scopes
  int region; ///< the number of the scope that it is inlined into
  /// Arguments, and results of the items that have blocks.
  std::map<Key, ValueInfo> tensors;
  /// Outputs of nodes.
  std::unordered_map<const Node *, std::vector<ValueInfo>> infos;
  /// The shapes of variables without a static one, as inputs of nodes, and the
  /// nodes in branches and loops that decide them (DynamicVariables::writer()).
  std::map<std::pair<const Node *, int>, std::pair<SymShape, const Node *>>
      dynamicInputs;
  /// The input of which a node's shapes depend on what is not known.
  std::unordered_map<const Node *, MissingInput> missing;
  /// Tensors that are others: arguments of calls and branches, results of
  /// calls, what a node gives that an earlier one gives.
  std::map<Key, std::pair<Scope *, Output>> aliases;
  /// Nodes that find out sizes, each other ones.
  std::vector<const Node *> finders;
  std::unordered_map<const Item *, RunSizes> runSizes;
  /// The elements of tensors that shapes depend on, as runSizes reads them.
  std::map<Key, Dims> readNumbers;
  /// Symbols of the run that have values in it and in what comes behind.
  std::set<int32_t> bound;
  /// In a While's first block, the arguments that are the same in every
  /// iteration.
  std::vector<bool> isInvariant;
  /// Whether it is a branch or a loop's body, which a run may not come to, or
  /// is inlined into one.
  bool mayNotRun = false;
  std::optional<BlockFailure> failure;

  std::set<Key> live;
  std::unordered_set<const Node *> liveNodes;
  std::unordered_set<const Item *> liveItems; ///< with blocks
  std::map<Key, Lowered> lowered;

  /// The items that a run may end.
  std::span<const Item> completedItems() const {
    const std::vector<Item> &items = block.items;
    return failure ? std::span(items.data(), failure->end) : std::span(items);
  }
  /// The number of blocks around it.
  int depth() const { return parent ? 1 + parent->depth() : 0; }
  /// The scope that a tensor is of; null where none has it.
  Scope *ownerOf(const Output &output) {
    for (Scope *scope = this; scope; scope = scope->parent)
      if (scope->tensors.contains(key(output)) ||
          scope->infos.contains(output.node))
        return scope;
    return nullptr;
  }
  /// What stands for a tensor here; null where nothing does yet.
  const Lowered *findLowered(const Output &output) const {
    for (const Scope *scope = this; scope; scope = scope->parent)
      if (auto found = scope->lowered.find(key(output));
          found != scope->lowered.end())
        return &found->second;
    return nullptr;
  }
};

} // namespace kiln

#endif // KILN_LIB_IMPORT_SCOPE_H
