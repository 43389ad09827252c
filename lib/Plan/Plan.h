// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the plan of a run: the tree of blocks that import writes and cutting
// cuts.
#ifndef KILN_LIB_PLAN_PLAN_H
#define KILN_LIB_PLAN_PLAN_H

#include "lib/Plan/ir/Block.h"

namespace kiln {

/// Makes the tree of a pruned graph by the transformations of Transforms.def:
/// its feeds are the arguments, its fetches the results of the root. Two calls
/// of a function are two blocks.
/// **Errors**: those of the transformations, and of prune() for bodies of
/// functions; RESOURCE_EXHAUSTED, with the node, beyond the limits of Block.h
/// and `maxNodes` with those of all calls counted.
StatusOr<std::unique_ptr<Block>>
makeBlocks(const PrunedGraph &graph, int64_t maxNodes = GraphLimits().maxNodes);

} // namespace kiln

#endif // KILN_LIB_PLAN_PLAN_H
