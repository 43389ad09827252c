// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cuts out the part of a graph that a run needs and puts it in the order of
// effects.
#ifndef KILN_LIB_PLAN_PRUNE_H
#define KILN_LIB_PLAN_PRUNE_H

#include "lib/Plan/Functions.h"
#include "lib/Plan/Request.h"

#include <vector>

namespace kiln {

/// The part of a graph that one run executes. **Ownership**: points into the
/// graph.
struct PrunedGraph {
  /// Each node after its inputs and control inputs; among nodes that could come
  /// next those that write no variable come first, then the one with the lowest
  /// id. A node all of whose needed outputs are fed is not among them.
  std::vector<const Node *> nodes;
  std::vector<Output> feeds;
  std::vector<Output> fetches;
  std::vector<const Node *> targets;
  /// Those of `nodes` whose effect an earlier part of the run has had (see
  /// CutGraph.h): each stands for the variable that it wrote, its input 0.
  std::vector<const Node *> done = {};
  /// What nodes may call.
  std::shared_ptr<const FunctionLibrary> functions = nullptr;
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

/// Whether an error is prune()'s about a placeholder that nobody feeds.
bool isMissingFeed(const Status &error, const Graph &graph);

} // namespace kiln

#endif // KILN_LIB_PLAN_PRUNE_H
