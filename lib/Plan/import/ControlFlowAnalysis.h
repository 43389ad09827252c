// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When the nodes of a graph with control flow of version 1 run: in which loop,
// and for which values of predicates.
#ifndef KILN_LIB_PLAN_IMPORT_CONTROLFLOWANALYSIS_H
#define KILN_LIB_PLAN_IMPORT_CONTROLFLOWANALYSIS_H

#include "lib/Graph/OutputKey.h"
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

/// A loop of a graph: what TensorFlow calls a frame. Number 0 is the graph
/// itself; a frame that turned out to be no loop is empty and has no parent.
struct Loop {
  int parent = -1;
  std::string name;
  /// Those of its parent's literals under which all of its Enters run.
  Literals literals;
  std::vector<int> nesting; ///< of their predicates, as nesting() is
  const Node *loopCond = nullptr;
  std::vector<const Node *> nodes; ///< in the order of the graph
  std::vector<const Node *> enters;
  std::vector<const Node *> exits;
};

/// **Ownership**: points into the graph.
class ControlFlowAnalysis {
public:
  /// **Errors**: those of structureControlFlow().
  static StatusOr<ControlFlowAnalysis> analyze(const PrunedGraph &graph);

  const std::vector<Loop> &loops() const { return list; }
  /// What a node is here: an Enter or an Exit of no loop only passes its input
  /// on.
  OpRole kindOf(const Node &node) const {
    return unlooped.contains(&node) ? OpRole::None : roleOf(node);
  }
  /// The loop that the node runs in; an Exit runs in its loop's parent.
  int loopAround(const Node *node) const { return loopAroundNode.at(node); }
  /// The loop that an Enter begins or an Exit ends.
  int loopOfBoundary(const Node *node) const {
    return loopOfBoundaryNode.at(node);
  }
  /// What must hold in its loop for the node to run.
  const Literals &of(const Node *node) const { return literals.at(node); }
  /// The predicates of what must hold for the node to run, the outermost of
  /// the branches around it first.
  const std::vector<int> &nesting(const Node *node) const {
    return nestings.at(node);
  }
  /// What must hold for the output to have a value.
  Literals of(const Output &output) const;
  /// The tensor that decides a predicate.
  const Output &predicate(int number) const {
    return predicates[static_cast<size_t>(number)];
  }
  /// The number of a loop's condition; -1 where nothing depends on it.
  int conditionOf(const Loop &loop) const;
  bool isFed(const Output &output) const { return fed.contains(output); }
  bool isReached(const Node *node) const {
    return loopAroundNode.contains(node);
  }
  /// True where the values of predicates exclude each other.
  static bool isDead(const Literals &literals);
  /// The one input of a branch's Merge that can be alive, or the one that
  /// firstWay() says; -1 for several.
  int onlyWay(const Node &merge) const;
  /// The input of a Merge that is always there before all others: the Enter
  /// where the second iteration passes no Switch; beside what a branch gives, a
  /// constant without control inputs, as gradients make them of shapes, or a
  /// Merge that has one. -1 for none.
  int firstWay(const Node &merge) const;
  /// True for a Merge that begins the iterations of a loop.
  bool isLoopMerge(const Node &node) const;

private:
  Status findLoops(const PrunedGraph &graph);
  /// Reads of a variable that wait for the same nodes are one predicate: a run
  /// that does them together is one of those that may be.
  void findEqualReads(const PrunedGraph &graph);
  /// What is in a frame that iterates once moves into the loop around it.
  Status dissolve(int loop, const PrunedGraph &graph);
  /// Whether all that uses a Merge of the loop are Switches by an Enter that is
  /// there in the first iteration alone.
  bool endsInSecondIteration(const Node &merge, int loop,
                             const PrunedGraph &graph) const;
  Status findLiterals(const PrunedGraph &graph, bool &changed);
  void findNestings(const PrunedGraph &graph);
  StatusOr<Literals> mergeLiterals(const Node &merge) const;
  /// The literals of a node's inputs together.
  Literals inputLiterals(const Node &node) const;
  /// The tensor that is the same as this one in all that reads it.
  Output canonical(Output output) const;
  /// What a predicate's number is found by.
  OutputKey keyOf(const Output &root) const;
  /// The tensor that decides a Switch, and the value of it that is true to the
  /// Switch.
  std::pair<Output, bool> deciderOf(const Output &predicate) const;

  std::vector<Loop> list;
  std::set<OutputKey> fed;
  std::unordered_map<const Node *, int> loopAroundNode, loopOfBoundaryNode;
  std::unordered_set<const Node *> unlooped;
  std::unordered_set<const Node *> mergesOfOneIteration;
  std::unordered_map<const Node *, Literals> literals;
  std::unordered_map<const Node *, std::vector<int>> nestings;
  /// Those with a firstWay().
  std::unordered_set<const Node *> earlyMerges;
  std::unordered_map<const Node *, const Node *> firstEqualRead;
  std::vector<Output> predicates;
  std::map<OutputKey, int> numberOfPredicate;
};

} // namespace kiln

#endif // KILN_LIB_PLAN_IMPORT_CONTROLFLOWANALYSIS_H
