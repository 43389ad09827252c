// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks the blocks backwards, loops until nothing more is live.
#include "lib/Import/Liveness.h"

#include "lib/OpDefs/HostOps.h"
#include "lib/OpDefs/OpDef.h"

#include "llvm/ADT/STLExtras.h"

namespace kiln {
namespace {

class LivenessAnalysis {
public:
  explicit LivenessAnalysis(SymbolicInference &inference)
      : inference(inference) {}

  /// Walks the block whose scope is entered. True where it has effects.
  bool walk() {
    Scope &scope = inference.scope();
    bool hasEffect = scope.failure.has_value();
    if (hasEffect && scope.failure->guard)
      markReads(*scope.failure->end);
    for (const Item &item : llvm::reverse(scope.completedItems()))
      hasEffect |= item.kind == Item::Kind::Node    ? walkNode(item)
                   : item.kind == Item::Kind::While ? walkLoop(item)
                   : item.kind == Item::Kind::Fail  ? walkFail(item)
                                                    : walkBranches(item);
    return hasEffect;
  }

  /// A value as the scope that is entered sees it.
  void mark(const PlanValue &value) {
    if (value.isTensor())
      mark(value.output());
  }
  void mark(const Output &output) {
    if (inference.feedOf(output) >= 0 || inference.contents(output))
      return;
    if (Scope *owner = inference.scope().ownerOf(output);
        owner && owner->live.insert(Scope::key(output)).second) {
      owner->liveNodes.insert(output.node);
      ++numLive;
    }
  }

private:
  /// What an item reads of the sizes that the run finds out; true where it
  /// does.
  bool markReads(const Item &item) {
    const RunSizes *sizes = inference.runSizes(item);
    if (!sizes)
      return false;
    for (const NumbersRead &read : sizes->reads)
      mark(read.tensor);
    return !sizes->reads.empty();
  }
  /// Calls `use` inside of a block.
  template <class Use> void inside(const Block &block, Use use) {
    Scope &outer = inference.scope();
    inference.enter(inference.scopeOf(block));
    use(inference.scope());
    inference.enter(outer);
  }
  bool isLive(const Scope &scope, const Output &output) const {
    return scope.live.contains(Scope::key(output));
  }

  /// Tensors whose dimensions an item with blocks may bind: others use those
  /// without the values.
  void markSized(const Item &item) {
    if (!inference.runSizes(item))
      return;
    auto markAll = [&](const Scope &scope, const std::vector<Output> &tensors) {
      for (const Output &tensor : tensors) {
        auto known = scope.tensors.find(Scope::key(tensor));
        if (known != scope.tensors.end() &&
            llvm::any_of(known->second.shape.dims, [&](Dim dim) {
              return inference.dims().symbols().isInRun(dim);
            }))
          mark(tensor);
      }
    };
    markAll(inference.scope(), item.results);
    if (item.kind == Item::Kind::While)
      inside(*item.first,
             [&](Scope &scope) { markAll(scope, item.first->args); });
  }

  /// Whether an item with blocks is; notes it.
  bool isLive(const Item &item, bool acts) {
    Scope &scope = inference.scope();
    for (const Output &result : item.results)
      acts |= isLive(scope, result);
    if (acts)
      scope.liveItems.insert(&item);
    return acts;
  }

  bool walkNode(const Item &item) {
    const Node &node = *item.node;
    Scope &scope = inference.scope();
    if (inference.isDone(node)) {
      scope.liveNodes.insert(&node);
      mark(node.input(0));
      return false;
    }
    // A random node takes from its stream in every run, whether or not its
    // numbers are used.
    bool acts = lookupOp(node.op())->hasEffect(), finds = markReads(item);
    // Others use what it finds out without its values.
    if (const RunSizes *sizes = inference.runSizes(item)) {
      acts |= !sizes->binds.empty();
      finds |= sizes->checks;
    }
    if (acts)
      scope.liveNodes.insert(&node);
    if (const Node *leader = inference.leaderOf(node)) {
      for (int i = 0; i < leader->numOutputs(); ++i)
        if (isLive(scope, {&node, i}))
          mark(Output{leader, i});
    } else if (scope.liveNodes.contains(&node)) {
      const OpDef &def = *lookupOp(node.op());
      // A host kernel has found what handles stand for.
      for (int i = def.has(hostBody) ? numHandlesOf(def) : 0;
           i < node.numInputs(); ++i)
        mark(node.input(i));
    }
    for (int i : referencesByValue(inference, node))
      mark(node.input(i));
    return acts || finds;
  }

  bool walkFail(const Item &item) {
    for (const PlanValue &operand : item.operands)
      mark(operand);
    return isLive(item, true);
  }

  bool walkBranches(const Item &item) {
    Scope &scope = inference.scope();
    int taken = item.kind == Item::Kind::If ? inference.takenBranch(item) : 0;
    markSized(item);
    bool acts = false;
    std::vector<bool> isArgLive(item.operands.size());
    for (int i = 0; i < 2; ++i) {
      const Block *block = i == 0 ? item.first.get() : item.second.get();
      if (!block || (taken >= 0 && i != taken))
        continue;
      inside(*block, [&](Scope &inner) {
        for (size_t k = 0; k < item.results.size(); ++k)
          if (isLive(scope, item.results[k]))
            mark(block->results[k]);
        acts |= walk();
        for (size_t k = 0; k < block->args.size(); ++k)
          if (isLive(inner, block->args[k]))
            isArgLive[k] = true;
      });
    }
    if (!isLive(item, acts))
      return false;
    for (size_t k = 0; k < isArgLive.size(); ++k)
      if (isArgLive[k])
        mark(item.operands[k]);
    if (taken < 0)
      mark(item.condition);
    return acts;
  }

  bool walkLoop(const Item &item) {
    Scope &scope = inference.scope();
    const Block &before = *item.first, &body = *item.second;
    markSized(item);
    bool acts = false;
    // First what its effects need, which says whether it is live at all.
    inside(before, [&](Scope &) { acts |= walk(); });
    inside(body, [&](Scope &) { acts |= walk(); });
    if (!isLive(item, acts))
      return false;
    for (int64_t known = -1; known != numLive;) {
      known = numLive;
      inside(before, [&](Scope &) {
        mark(before.condition);
        for (size_t k = 0; k < item.results.size(); ++k)
          if (isLive(scope, item.results[k]) ||
              isLive(inference.scopeOf(body), body.args[k]))
            mark(before.results[k]);
        walk();
      });
      inside(body, [&](Scope &) {
        for (size_t k = 0; k < before.args.size(); ++k)
          if (isLive(inference.scopeOf(before), before.args[k]) &&
              !inference.scopeOf(before).isInvariant[k])
            mark(body.results[k]);
        walk();
      });
    }
    for (size_t k = 0; k < before.args.size(); ++k)
      if (isLive(inference.scopeOf(before), before.args[k]))
        mark(item.operands[k]);
    return acts;
  }

  SymbolicInference &inference;
  int64_t numLive = 0;
};

} // namespace

/// Whether an op looks at the variable that a handle names, without writing it.
static bool looksAtVariable(const OpDef &def) {
  return !def.takesHandles() && !def.has(forwardsRef) && !def.has(keepsRef) &&
         !def.has(allowsUninitializedInput) && !def.has(cutsRun) &&
         !def.hasEffect();
}

std::vector<int> referencesByValue(const SymbolicInference &inference,
                                   const Node &node) {
  std::vector<int> found;
  if (inference.isRun(node) && looksAtVariable(*lookupOp(node.op())))
    for (int i = 0; i < node.numInputs(); ++i)
      if (const ValueInfo &info = inference.info(node.input(i));
          info.dtype == DType::Resource && info.handle && info.handle->slot < 0)
        found.push_back(i);
  if (!found.empty())
    return found;
  for (int i = 0; i < node.numInputs(); ++i) {
    const ValueInfo &info = inference.info(node.input(i));
    if (info.isRef && !info.handle && isSupported(info.dtype) &&
        inference.feedOf(node.input(i)) < 0)
      found.push_back(i);
  }
  if (found.empty())
    return found;
  const OpDef &def = *lookupOp(node.op());
  auto types = expandArgs(def.inputs, node, def);
  std::erase_if(found, [&](int i) {
    return !types.ok() || (*types)[static_cast<size_t>(i)].isRef;
  });
  return found;
}

/// The nodes of the graph, not of functions, that TensorFlow runs: it computes
/// what nothing looks at if an operation is asked for that takes it. But it
/// leaves out what only gives the shape, which it knows, of its output.
static std::unordered_set<const Node *> nodesThatRun(const Block &root) {
  std::vector<const Node *> nodes;
  std::unordered_set<const Node *> used, run;
  auto use = [&](const Output &output) { used.insert(output.node); };
  forEachItem(root, [&](const Item &item, const Block &block) {
    if (item.kind == Item::Kind::Node && block.path == root.path)
      nodes.push_back(item.node);
    if (item.kind == Item::Kind::Node)
      llvm::for_each(item.node->inputs(), use);
    for (const PlanValue &operand : item.operands)
      use(operand.output());
    if (item.kind == Item::Kind::If)
      use(item.condition.output());
  });
  std::erase_if(nodes, [&](const Node *node) { return used.contains(node); });
  while (!nodes.empty()) {
    const Node *node = nodes.back();
    nodes.pop_back();
    if (!run.insert(node).second)
      continue;
    const OpDef *def = lookupOp(node->op());
    for (const Output &input : node->inputs())
      if (!def || !def->has(readsShapes) || !input.shape().isFullyDefined())
        nodes.push_back(input.node);
    nodes.insert(nodes.end(), node->controlInputs().begin(),
                 node->controlInputs().end());
  }
  return run;
}

void findLive(SymbolicInference &inference) {
  inference.setRun(nodesThatRun(inference.scope().block));
  LivenessAnalysis analysis(inference);
  for (const PlanValue &fetch : inference.scope().block.results)
    analysis.mark(fetch);
  analysis.walk();
}

} // namespace kiln
