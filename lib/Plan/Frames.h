// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recovers branches and loops from Switch, Merge, Enter, Exit and
// NextIteration.
#ifndef KILN_LIB_PLAN_FRAMES_H
#define KILN_LIB_PLAN_FRAMES_H

#include "lib/Plan/Block.h"

#include <functional>

namespace kiln {

/// True when some of the nodes are control flow of version 1.
bool hasFrames(const PrunedGraph &graph);

/// Puts the nodes of a graph with control flow of version 1 into `block`, whose
/// arguments and results are set.
///
/// Each node runs if a set of predicates has certain values: those of the
/// Switches on the ways to it, less those that a Merge takes together. Nodes of
/// one set are in one block; a Merge is a result of the If whose predicate it
/// takes away; one of which only one input can be alive passes that on, and so
/// does one that has a constant beside what a branch gives, which comes later.
/// A frame is a While: what does not depend on its LoopCond runs before the
/// condition, the rest is the body; one that turns nothing, or lets nothing out
/// behind its first turn, is part of what is around it.
/// Switch, Enter, Exit, NextIteration and LoopCond stay as nodes that pass
/// their input on. A run that does not take the branch of a fetch fails.
/// `add` appends a node to a block. **Errors**, with the node:
/// INVALID_ARGUMENT for a Merge of which both inputs may be alive and for
/// inputs of different frames; UNIMPLEMENTED for what is no structured program
/// otherwise, and for a fetched tensor of a loop.
Status addStructured(const PrunedGraph &graph, Block &block,
                     const std::function<Status(const Node &, Block &)> &add);

} // namespace kiln

#endif // KILN_LIB_PLAN_FRAMES_H
