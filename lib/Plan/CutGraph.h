// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cuts a run into parts at the ops that may wait, and at those of another
// library that native code cannot hold (CutKind.h).
#ifndef KILN_LIB_PLAN_CUTGRAPH_H
#define KILN_LIB_PLAN_CUTGRAPH_H

#include "lib/Plan/Prune.h"

namespace kiln {

/// A tensor that a cut run holds between its units.
struct CutValue {
  Output output;
  /// The feed that it is; -1 for none.
  int feed = -1;
  /// True for the output of a Const, which no unit makes.
  bool isConstant = false;
  /// True where the shapes of what uses it depend on its elements.
  bool isAsked = false;
  /// How often units and fetches use it.
  int numUses = 0;
};

/// A part, which is a graph of its own that is run under its locks, an op that
/// cuts the run, or, of a run in steps, the arrival of a feed.
struct CutUnit {
  /// The op; null for others.
  const Node *node = nullptr;
  /// The feed that arrives; -1 for others.
  int feed = -1;
  PrunedGraph graph;
  /// Numbers of values: of graph.feeds; of the op's inputs, -1 for its handle.
  std::vector<int> inputs;
  /// Numbers of values: of graph.fetches; of the op's outputs.
  std::vector<int> outputs;
  /// Units that must have ended before this one begins.
  int numBefore = 0;
  /// Units that wait for this one.
  std::vector<int> users;

  bool isPart() const { return !node && feed < 0; }
};

/// A run that is cut: units in an order in which they could run, the values
/// between them, and for each fetch its value. **Ownership**: points into the
/// graph.
struct CutGraph {
  std::vector<CutUnit> units;
  std::vector<CutValue> values;
  std::vector<int> fetches;
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
/// Constants, variables, their views and arithmetic on small integers are in
/// every part that uses them: shapes stay known there. A variable never crosses
/// from part to part as a value; an assignment's own output does as a `done`
/// node. **Cost**: n log n in the nodes.
CutGraph cutGraph(const PrunedGraph &graph);

/// Cuts a run behind a tensor that a node of the graph computes, on whose
/// elements a rank, an axis or a permutation depends: what needs it comes in a
/// part of its own, which is fed the tensor. Otherwise as above. None where a
/// loop would have to be cut, or where the tensor is a variable.
std::optional<CutGraph> cutBehind(const PrunedGraph &graph,
                                  const Output &tensor);

/// Cuts a run whose feeds come one after the other and whose fetches are asked
/// for in between: as above, with a unit for each feed that is waited for, and
/// every op in the earliest part: it is done as soon as all that it needs is
/// there.
CutGraph cutIntoSteps(const PrunedGraph &graph);

} // namespace kiln

#endif // KILN_LIB_PLAN_CUTGRAPH_H
