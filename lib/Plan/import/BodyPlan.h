// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A graph, or the body of a function, on its way from nodes to a block.
#ifndef KILN_LIB_PLAN_IMPORT_BODYPLAN_H
#define KILN_LIB_PLAN_IMPORT_BODYPLAN_H

#include "lib/Plan/import/CheckFetches.h"
#include "lib/Plan/ir/SynthesizedNodes.h"

#include <optional>

namespace kiln {

/// What the bodies of one plan share.
struct PlanState {
  explicit PlanState(int64_t maxNodes) : maxNodes(maxNodes) {}

  /// Counts a node, those of all calls included. **Errors**:
  /// RESOURCE_EXHAUSTED with the node.
  Status count(const Node &node);

  SynthesizedNodes synthesized;

private:
  int64_t maxNodes;
  int64_t numNodes = 0;
};

/// What the transformations of a body work on: first all nodes in their order,
/// then a tree.
struct BodyPlan {
  const PrunedGraph &graph;
  /// Has its path, arguments and results.
  Block &block;
  PlanState &plan;
  /// When the nodes of a graph with control flow of version 1 run.
  std::optional<ControlFlowAnalysis> flow = {};
  /// The fetches that a run may leave without a value.
  std::vector<BranchFetch> branchFetches = {};
};

/// Takes a body through the transformations of bodies (Transforms.def), which
/// come here again for each call. Its feeds are the arguments, its fetches the
/// results. **Errors**: those of the transformations.
StatusOr<std::unique_ptr<Block>> importBody(const PrunedGraph &graph,
                                            CallPath path, PlanState &plan);

/// Whether some of the nodes are control flow of version 1.
bool hasControlFlowV1(const PrunedGraph &graph);
/// Puts the nodes into the block: in their order where none is control flow of
/// version 1; otherwise into branches and loops.
///
/// Each node runs if a set of predicates has certain values: those of the
/// Switches on the ways to it, less those that a Merge takes together. Nodes of
/// one set are in one block; a Merge is a result of the If whose predicate it
/// takes away; one of which only one input can be alive passes that on, and so
/// does one that has a constant beside what a branch gives, which comes later.
/// A loop is a While: what does not depend on its LoopCond runs before the
/// condition, the rest is the body; one that never iterates, or lets nothing
/// out behind its first iteration, is part of what is around it.
/// Switch, Enter, Exit, NextIteration and LoopCond stay as nodes that pass
/// their input on.
/// **Errors**, with the node: INVALID_ARGUMENT for a Merge of which both inputs
/// may be alive and for inputs of different loops; UNIMPLEMENTED for what is no
/// structured program otherwise, and for a fetched tensor of a loop;
/// RESOURCE_EXHAUSTED beyond maxBlockDepth.
Status structureControlFlow(BodyPlan &body);
/// Appends what ends a run that leaves a fetch without a value.
Status checkFetches(BodyPlan &body);
/// Replaces nodes that call functions by items with the functions' blocks: a
/// PartitionedCall, or a call by name, by a Call, an If by an If, a Case by a
/// chain of them, a While by a While, a For by a check and a While. Says which
/// blocks write variables. **Errors**: those of findCall() and of the bodies;
/// RESOURCE_EXHAUSTED, with the node, for a Case of more than maxCaseBranches.
Status inlineCalls(BodyPlan &body);

} // namespace kiln

#endif // KILN_LIB_PLAN_IMPORT_BODYPLAN_H
