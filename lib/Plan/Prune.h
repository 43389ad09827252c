// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cuts out the part of a graph that a run needs and puts it in the order of
// effects.
#ifndef KILN_LIB_PLAN_PRUNE_H
#define KILN_LIB_PLAN_PRUNE_H

#include "lib/Graph/CallPath.h"
#include "lib/OpDefs/Callees.h"
#include "lib/Plan/Request.h"

#include <vector>

namespace kiln {

/// The part of a graph that one run executes. **Ownership**: points into the
/// graph.
///
/// Reads that no edge orders come before the writes of a variable. TensorFlow
/// has no such order: its executor takes a kernel for a long one, and hands it
/// to another thread, until that has run about 90 times, and from then on does
/// what is ready in the order in which it became ready. So one graph begins
/// with one order and goes on with the opposite one. Measured in TensorFlow
/// 1.15 and 2.21, which agree (19 graphs, 300 runs in each of eight sessions,
/// one thread or two, 27 November 2026), in the first 75 runs, and from the
/// 110th on:
///
/// - A read beside an assignment of what is computed, `v.assign(v + 1)`, sees
///   the new value in 77 to 100 % of the first runs, later the old one.
/// - Beside one of what is there at once, `v.assign(1)`, it sees the old value
///   in 89 to 100 % of the first runs, later the new one.
/// - Of x and y in `x.assign(x + 0.1 * y)` and `y.assign(y - 0.1 * x)` one sees
///   the other's new value in the first runs, later none does.
///
/// Of two writes of a variable that no edge orders the one with the shorter
/// way to it comes first, as in TensorFlow, where it is ready sooner: a
/// `w.assign(clip(w))` beside an optimizer's step does not undo the step.
struct PrunedGraph {
  /// Each node after its inputs and control inputs; among nodes that could come
  /// next those that write no variable come first, then writes with fewer nodes
  /// in a row before them, then the one with the lowest id. A node all of whose
  /// needed outputs are fed is not among them.
  std::vector<const Node *> nodes;
  std::vector<Output> feeds;
  std::vector<Output> fetches;
  std::vector<const Node *> targets;
  /// What nodes may call.
  std::shared_ptr<const FunctionLibrary> functions = nullptr;
  /// Of the body of a function that is run by itself.
  CallPath path = {};
};

/// Walks back from the fetches and targets of a valid request and stops at
/// feeds. **Errors**: INVALID_ARGUMENT for a placeholder that is reached and
/// not fed, and a cycle; NOT_FOUND for an op type that Kiln does not know. All
/// name the node.
/// **Edges**: control edges from a fed placeholder are cut as its data edges
/// are; a fed node of another type still runs where a control edge needs it, as
/// in TensorFlow.
/// **Cost**: n log n in the nodes reached; no recursion.
StatusOr<PrunedGraph> prune(const Graph &graph, RunRequest request);
/// The same for the body of a function, with the library that it is of.
StatusOr<PrunedGraph> prune(RunRequest request,
                            std::shared_ptr<const FunctionLibrary> functions);

/// Whether an error is prune()'s about a placeholder that is not fed.
bool isMissingFeed(const Status &error, const Graph &graph);

} // namespace kiln

#endif // KILN_LIB_PLAN_PRUNE_H
