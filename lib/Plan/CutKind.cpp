// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants, variables, their views and shape arithmetic are copied; effects
// are told by their schemas.
#include "lib/Plan/CutKind.h"

#include "lib/Ops/Inference.h"
#include "lib/Ops/OpDef.h"
#include "lib/Ops/User/Foreign.h"

#include <algorithm>
#include <utility>

namespace kiln {
namespace {

bool isSmallInteger(const OutputInfo &info) {
  if (info.dtype != DType::Int32 && info.dtype != DType::Int64 &&
      info.dtype != DType::Bool)
    return false;
  auto count = info.shape.numElements();
  return count.ok() && *count <= static_cast<int64_t>(maxContents);
}

/// True where all that goes in and comes out is small: what shapes are made of.
bool isShapeArithmetic(const Node &node, const OpDef &def) {
  if (def.has(readsShapes))
    return true;
  bool isSmall = !def.has(stateful) && node.numInputs() > 0;
  for (int i = 0; i < node.numOutputs(); ++i)
    isSmall &= isSmallInteger(node.output(i));
  for (const Output &input : node.inputs())
    isSmall &= isSmallInteger(input.node->output(input.index));
  return isSmall && node.numOutputs() > 0;
}

/// Variables, queues: no inputs, and a handle or reference as output.
bool declaresState(const Node &node, const OpDef &def) {
  return node.numInputs() == 0 && def.outputs.size() == 1 &&
         (def.outputs[0].isRef || def.outputs[0].dtype == DType::Resource);
}

/// The depth of a node whose sources are so deep.
FlowDepth depthOf(const Node &node, FlowDepth depth) {
  const std::string &op = node.op();
  auto comesFrom = [&](std::string_view other) {
    return std::any_of(
        node.inputs().begin(), node.inputs().end(),
        [&](const Output &input) { return input.node->op() == other; });
  };
  if (op == "Enter" || op == "RefEnter")
    ++depth.loops;
  else if (op == "Exit" || op == "RefExit")
    depth.loops = std::max(0, depth.loops - 1);
  else if ((op == "Switch" || op == "RefSwitch") && !comesFrom("LoopCond"))
    ++depth.branches;
  else if ((op == "Merge" || op == "RefMerge") && !comesFrom("NextIteration") &&
           !comesFrom("RefNextIteration"))
    depth.branches = std::max(0, depth.branches - 1);
  return depth;
}

} // namespace

FlowDepths findInner(const PrunedGraph &graph) {
  FlowDepths inner;
  for (const Node *node : graph.nodes) {
    FlowDepth before;
    auto follow = [&](const Node *source) {
      if (auto found = inner.find(source); found != inner.end()) {
        before.loops = std::max(before.loops, found->second.loops);
        before.branches = std::max(before.branches, found->second.branches);
      }
    };
    for (const Output &input : node->inputs())
      follow(input.node);
    for (const Node *control : node->controlInputs())
      follow(control);
    FlowDepth depth = depthOf(*node, before);
    if (depth != FlowDepth() || before != FlowDepth())
      inner[node] = depth;
  }
  return inner;
}

bool isCut(const PrunedGraph &graph) {
  auto anyCuts = [&](const FlowDepths &inner) {
    return std::any_of(graph.nodes.begin(), graph.nodes.end(),
                       [&](const Node *node) {
                         return cutsHere(*node, inner.contains(node));
                       });
  };
  return anyCuts({}) && anyCuts(findInner(graph));
}

bool cutsHere(const Node &node, bool isInner) {
  const OpDef *def = lookupOp(node.op());
  return def && (def->has(cutsRun) || (!isInner && cutsAtForeign(node, *def)));
}

CutKind cutKind(const Node &node, const OpDef *known, const Call &call,
                bool isInner, const Node *&root) {
  const Node *used = std::exchange(root, nullptr);
  if (cutsHere(node, isInner))
    return CutKind::Cut;
  if (call.kind != Call::Kind::None)
    return call.hasEffect() ? CutKind::Effect : CutKind::Pure;
  const OpDef &def = *known;
  if (declaresState(node, def)) {
    root = &node;
    return CutKind::Copied;
  }
  if (used && def.has(forwardsRef)) {
    root = used; // a view
    return CutKind::Copied;
  }
  if (def.has(constant))
    return isInner ? CutKind::Pure : CutKind::Copied;
  bool writes = def.writesVariable();
  if (writes && def.givesRef())
    root = used;
  // Whoever takes a handle or reference without writing reads.
  if (writes || (def.has(stateful) && !def.has(draws) && !used))
    return CutKind::Effect;
  return !used && !isInner && isShapeArithmetic(node, def) ? CutKind::Copied
                                                           : CutKind::Pure;
}

} // namespace kiln
