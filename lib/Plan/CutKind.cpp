// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants, variables, their views and shape arithmetic are copied; effects
// are told by their schemas.
#include "lib/Plan/CutKind.h"

#include "lib/Ops/Inference.h"
#include "lib/Ops/OpDef.h"
#include "lib/Ops/User/Foreign.h"

#include <algorithm>
#include <unordered_map>
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

/// How many branches and loops of version 1 are around a node whose sources are
/// in so many.
int depthOf(const Node &node, int ofSources) {
  const std::string &op = node.op();
  auto comesFrom = [&](std::string_view other) {
    return std::any_of(
        node.inputs().begin(), node.inputs().end(),
        [&](const Output &input) { return input.node->op() == other; });
  };
  if (op == "Enter" || op == "RefEnter")
    return ofSources + 1;
  if (op == "Switch" || op == "RefSwitch")
    return ofSources + (comesFrom("LoopCond") ? 0 : 1);
  bool leaves = op == "Exit" || op == "RefExit" ||
                ((op == "Merge" || op == "RefMerge") &&
                 !comesFrom("NextIteration") && !comesFrom("RefNextIteration"));
  return leaves ? std::max(0, ofSources - 1) : ofSources;
}

} // namespace

std::unordered_set<const Node *> findInner(const PrunedGraph &graph) {
  std::unordered_set<const Node *> inner;
  std::unordered_map<const Node *, int> depths;
  for (const Node *node : graph.nodes) {
    int before = 0;
    auto follow = [&](const Node *source) {
      if (auto found = depths.find(source); found != depths.end())
        before = std::max(before, found->second);
    };
    for (const Output &input : node->inputs())
      follow(input.node);
    for (const Node *control : node->controlInputs())
      follow(control);
    int depth = depthOf(*node, before);
    if (depth > 0)
      depths[node] = depth;
    if (depth > 0 || before > 0)
      inner.insert(node);
  }
  return inner;
}

bool isCut(const PrunedGraph &graph) {
  auto anyCuts = [&](const std::unordered_set<const Node *> &inner) {
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
