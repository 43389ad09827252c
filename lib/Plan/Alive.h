// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When the nodes of a graph with control flow of version 1 run: in which frame,
// and for which values of predicates.
#ifndef KILN_LIB_PLAN_ALIVE_H
#define KILN_LIB_PLAN_ALIVE_H

#include "lib/Plan/Prune.h"

#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace kiln {

/// A predicate's number and value.
using Literal = std::pair<int, bool>;
/// All of them hold. Sorted by number.
using Literals = std::set<Literal>;

/// A loop; the root is frame 0 and none. What was no loop is empty and has no
/// parent.
struct LoopFrame {
  int parent = -1;
  std::string name;
  /// Of its parent's literals, those that all of its Enters run under.
  Literals literals;
  const Node *loopCond = nullptr;
  std::vector<const Node *> nodes; ///< in the order of the graph
  std::vector<const Node *> enters;
  std::vector<const Node *> exits;
};

/// **Ownership**: points into the graph.
class Alive {
public:
  /// **Errors**: those of addStructured().
  static StatusOr<Alive> analyze(const PrunedGraph &graph);

  const std::vector<LoopFrame> &frames() const { return list; }
  /// What a node is here: an Enter or an Exit of a frame without a loop only
  /// passes its input on.
  OpRole kindOf(const Node &node) const {
    return unlooped.contains(&node) ? OpRole::None : roleOf(node);
  }
  /// The frame that the node runs in; of an Exit its loop's parent.
  int frameOf(const Node *node) const { return frameOfNode.at(node); }
  /// The loop that an Enter begins or an Exit ends.
  int loopOf(const Node *node) const { return loopOfNode.at(node); }
  /// What must hold in its frame for the node to run.
  const Literals &of(const Node *node) const { return literals.at(node); }
  /// What must hold for the output to have a value.
  Literals of(const Output &output) const;
  /// The tensor that decides a predicate.
  const Output &predicate(int number) const {
    return predicates[static_cast<size_t>(number)];
  }
  /// The number of a loop's condition; -1 where nothing depends on it.
  int conditionOf(const LoopFrame &frame) const;
  bool isFed(const Output &output) const {
    return fed.contains({output.node, output.index});
  }
  bool isReached(const Node *node) const { return frameOfNode.contains(node); }
  /// True where the values of predicates exclude each other.
  static bool isDead(const Literals &literals);
  /// The one input of a branch's Merge that can be alive, or the one that
  /// firstWay() says; -1 for several.
  int onlyWay(const Node &merge) const;
  /// The input of a Merge that is always there before all others: of a frame
  /// whose second turn passes no Switch the Enter; a constant without control
  /// inputs beside what a branch gives, as gradients make them of shapes. -1
  /// for none.
  int firstWay(const Node &merge) const;
  /// True for a Merge that begins the turns of a loop.
  bool isLoopMerge(const Node &node) const;

private:
  Status findFrames(const PrunedGraph &graph);
  /// What is in a frame that turns once moves into the frame around it.
  Status dissolve(int frame, const PrunedGraph &graph);
  /// Whether all that looks at a Merge of the frame are Switches by an Enter
  /// that is there in the first turn alone.
  bool endsInSecondTurn(const Node &merge, int frame,
                        const PrunedGraph &graph) const;
  Status findLiterals(const PrunedGraph &graph, bool &changed);
  StatusOr<Literals> mergeLiterals(const Node &merge) const;
  /// The literals of a node's inputs together.
  Literals inputLiterals(const Node &node) const;
  /// The tensor that is the same as this one in all that reads it.
  Output canonical(Output output) const;
  /// What a predicate's number is found by.
  std::pair<const Node *, int> keyOf(const Output &root) const;
  /// The tensor that decides a Switch, and the value of it that is true to the
  /// Switch.
  std::pair<Output, bool> deciderOf(const Output &predicate) const;

  std::vector<LoopFrame> list;
  std::set<std::pair<const Node *, int>> fed;
  std::unordered_map<const Node *, int> frameOfNode, loopOfNode;
  std::unordered_set<const Node *> unlooped;
  std::unordered_set<const Node *> mergesOfOneTurn;
  std::unordered_map<const Node *, Literals> literals;
  std::vector<Output> predicates;
  std::map<std::pair<const Node *, int>, int> numberOfPredicate;
};

} // namespace kiln

#endif // KILN_LIB_PLAN_ALIVE_H
