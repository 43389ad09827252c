// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a run executes as a tree of blocks: nodes, branches and loops in the
// order of their effects, with calls of functions in place.
#ifndef KILN_LIB_PLAN_IR_BLOCK_H
#define KILN_LIB_PLAN_IR_BLOCK_H

#include "lib/Graph/CallPath.h"
#include "lib/Plan/Prune.h"
#include "lib/Plan/ir/PlanValue.h"

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

struct Block;

/// Why a run ends at an item.
struct Failure {
  enum class Reason : uint8_t {
    DeadFetch,     ///< the run has no value for `fetch`
    EmptyOptional, ///< an optional has no value
    EndlessFor,    ///< a For cannot run from the first of the item's operands
                   ///< to the second by the third
  };
  Reason reason = Reason::DeadFetch;
  /// What TensorFlow's error calls the fetch.
  int fetch = -1;
};

/// A step of a block. It defines its node's outputs, or its results; what it
/// uses is defined before it, in its block or in one around.
struct Item {
  enum class Kind : uint8_t {
    Node,  ///< runs the node
    Call,  ///< runs `first`
    If,    ///< runs `first` or `second`
    While, ///< runs `first`, and `second` while the condition of `first` holds
    Fail,  ///< ends the run
  };
  Kind kind = Kind::Node;
  /// The node, or the one that stands for the construct: errors name it.
  const Node *node = nullptr;
  /// An If takes `first` where this is true, or, with `number`, where it is
  /// that number.
  PlanValue condition;
  std::optional<int64_t> number;
  /// What the arguments of the blocks stand for; in a While, what the arguments
  /// of `first` stand for in the first iteration.
  std::vector<PlanValue> operands;
  /// Names, in the block that the item stands in, of the results of its blocks;
  /// a While gives those of `first` at the end.
  std::vector<Output> results;
  std::shared_ptr<Block> first;
  std::shared_ptr<Block> second;
  Failure failure; ///< of a Fail
};

/// **Ownership**: points into the graph and its function library; the root owns
/// what was made, and holds the library. Blocks of items may be shared by
/// roots.
/// **Thread safety**: constant.
struct Block {
  CallPath path;
  /// Names of the arguments.
  std::vector<Output> args;
  std::vector<Item> items;
  /// Whether the second block of a While follows: in its first block alone.
  PlanValue condition;
  /// What the block gives. The first block of a While gives what the arguments
  /// of the second stand for; the second gives what those of the first stand
  /// for in the next iteration. Only a branch or a call may give a constant, or
  /// nothing where no op uses the result behind it.
  std::vector<PlanValue> results;
  /// In a root: the graphs of nodes that transformations made.
  std::vector<std::shared_ptr<Graph>> synthesized;
  /// In a root: what its nodes may call.
  std::shared_ptr<const FunctionLibrary> functions;
  /// In a root: nodes whose effect an earlier part of the run has had (see
  /// CutGraph.h). Each stands for the variable that it wrote, its input 0.
  std::vector<const Node *> done;
};

/// A tensor of which code generation has to know more: its elements; or its
/// rank, where branches or iterations of a loop give it with several.
struct AskedTensor {
  Output tensor;
  bool isRank = false;
};

/// A call that gives `of`, which is defined in a block around it, another name.
Item makeAlias(const Output &name, const PlanValue &of, const CallPath &path);
/// An item of a kind that has blocks, with blocks of the path of the block that
/// it is for.
Item makeItem(Item::Kind kind, const Node *node, const CallPath &path);

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

/// Whether a node of the block, or of those inside of it, writes a variable.
bool writesVariable(const Block &block);

/// The nodes that a run of the block may come to; those of a function as often
/// as it is called.
int64_t countNodes(const Block &block);

} // namespace kiln

#endif // KILN_LIB_PLAN_IR_BLOCK_H
