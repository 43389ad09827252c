// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an op is to the cutting of a run.
#ifndef KILN_LIB_PLAN_CUTKIND_H
#define KILN_LIB_PLAN_CUTKIND_H

#include "lib/Plan/Functions.h"
#include "lib/Plan/Prune.h"

#include <cstdint>
#include <unordered_map>

namespace kiln {

enum class CutKind : uint8_t {
  Pure,   ///< computed once, in the latest part that will do
  Effect, ///< done once, in the earliest part
  Copied, ///< in every part that uses it
  Cut,    ///< between parts (cutsHere)
};

/// How many loops and branches of version 1 are around a node.
struct FlowDepth {
  int loops = 0, branches = 0;
  bool operator==(const FlowDepth &) const = default;
};
using FlowDepths = std::unordered_map<const Node *, FlowDepth>;

/// The nodes of the branches and loops of version 1, with those that leave
/// them: what is in one stays in one part.
FlowDepths findInner(const PrunedGraph &graph);

/// Whether a run is cut at the node: an op that may wait, or one of another
/// library (cutsAtForeign) around which there is no branch or loop.
bool cutsHere(const Node &node, bool isInner);

/// True when an op of the graph cuts the run.
bool isCut(const PrunedGraph &graph);

/// Tells a node's kind. `root` is the node that declares the variable or queue
/// that it takes by reference, view or handle, null for none; on return, the
/// one that its own output 0 stands for. `def` is null for a call by name;
/// `isInner` is findInner()'s.
CutKind cutKind(const Node &node, const OpDef *def, const Call &call,
                bool isInner, const Node *&root);

} // namespace kiln

#endif // KILN_LIB_PLAN_CUTKIND_H
