// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a run executes as a tree of blocks: nodes, branches and loops in the
// order of their effects, with calls of functions in place.
#ifndef KILN_LIB_PLAN_BLOCK_H
#define KILN_LIB_PLAN_BLOCK_H

#include "lib/Graph/CallPath.h"
#include "lib/Plan/Prune.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// Branches and loops of version 1 may be nested this deep in one graph.
inline constexpr int maxBlockDepth = 100;
/// A Case may have so many branches.
inline constexpr size_t maxCaseBranches = 1000;

/// Results of items that the graph has no outputs for are numbered from here.
inline constexpr int firstExtraResult = 1 << 24;

struct Block;

/// A step of a block. Tensors are outputs of nodes; those of blocks around are
/// used as they are.
struct Item {
  enum class Kind : uint8_t {
    Node,  ///< runs the node
    Call,  ///< runs `first`
    If,    ///< runs `first` or `second`
    While, ///< runs `first`, and `second` while the condition of `first` holds
    Fail,  ///< ends the run: it has no value for fetch `number`; without a
           ///< number, for an optional, or a For cannot run from the first of
           ///< `operands` to the second by the third
  };
  Kind kind = Kind::Node;
  /// The node, or the one that stands for the construct: errors name it.
  const Node *node = nullptr;
  /// Of an If: decides for `first` where it is true, or, with `number`, where
  /// it is that number. Of a Fail the fetch.
  Output condition;
  std::optional<int64_t> number;
  /// What the arguments of the blocks stand for; of a While what the arguments
  /// of `first` stand for in the first turn.
  std::vector<Output> operands;
  /// Names, in the block that the item is of, of the results of its blocks; of
  /// a While of those of `first` at the end.
  std::vector<Output> results;
  std::shared_ptr<Block> first;
  std::shared_ptr<Block> second;
};

/// **Ownership**: points into the graph and its function library; the root owns
/// what was made, and holds the library. Blocks of items may be shared by
/// roots.
/// **Thread safety**: constant.
struct Block {
  CallPath path;
  std::vector<Output> args;
  std::vector<Item> items;
  /// Of the first block of a While.
  Output condition;
  /// Of the first block of a While: what the arguments of the second stand for.
  /// Of its second block: what those of the first stand for in the next turn.
  /// Without a node, of a branch: the int32 `index`, or, below 0, nothing,
  /// where nobody looks at the result after this branch.
  std::vector<Output> results;
  bool writesVariable = false;
  /// Of the root: the nodes of the tree that are not of the graph.
  std::vector<std::shared_ptr<Graph>> made;
  /// Of the root: what its nodes may call.
  std::shared_ptr<const FunctionLibrary> functions;
  /// Of the root: nodes whose effect an earlier part of the run has had (see
  /// CutGraph.h). Each stands for the variable that it wrote, its input 0.
  std::vector<const Node *> done;
};

/// A tensor of a tree of which whoever makes code would have to know more: its
/// elements, or its rank, where it is what branches or turns of a loop give
/// with several.
struct AskedTensor {
  Output tensor;
  bool isRank = false;
};

/// Makes the tree of a pruned graph: its feeds are the arguments, its fetches
/// the results of the block. Two calls of a function are two blocks.
/// **Errors**: those of prune() for bodies of functions; those of
/// addStructured(); RESOURCE_EXHAUSTED, with the node, beyond the limits above
/// and GraphLimits::maxNodes with all bodies counted.
StatusOr<std::unique_ptr<Block>> makeBlocks(const PrunedGraph &graph);

/// A call that gives `of`, which is of a block around it, another name.
Item makeAlias(const Output &name, const Output &of, const CallPath &path);

/// Calls `use(item, block)` for the items of a block and of those inside of it.
/// Recursion is as deep as the blocks.
template <class Use> void forEachItem(const Block &block, const Use &use) {
  for (const Item &item : block.items) {
    use(item, block);
    for (const Block *inner : {item.first.get(), item.second.get()})
      if (inner)
        forEachItem(*inner, use);
  }
}

/// The nodes that a run of the block may come to; those of a function as often
/// as it is called.
int64_t countNodes(const Block &block);

} // namespace kiln

#endif // KILN_LIB_PLAN_BLOCK_H
