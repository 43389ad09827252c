// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants, variables, their views and shape arithmetic are copied; effects
// are told by their schemas.
#include "lib/Plan/cut/CutKind.h"

#include "lib/OpDefs/Callees.h"
#include "lib/OpDefs/Foreign.h"
#include "lib/OpDefs/HostOps.h"
#include "lib/OpDefs/Inference.h"
#include "lib/OpDefs/OpDef.h"
#include "lib/OpDefs/SlotCalls.h"

#include <algorithm>
#include <map>
#include <set>
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

bool isSmallInteger(const Output &output) {
  return output.index < output.node->numOutputs() &&
         isSmallInteger(output.node->output(output.index));
}

/// True where all that goes in and comes out is small: what shapes are made of.
bool isShapeArithmetic(const Node &node, const OpDef &def) {
  if (def.has(readsShapes))
    return true;
  bool isSmall = !def.has(stateful) && node.numInputs() > 0;
  for (int i = 0; i < node.numOutputs(); ++i)
    isSmall &= isSmallInteger(node.output(i));
  for (const Output &input : node.inputs())
    isSmall &= isSmallInteger(input);
  return isSmall && node.numOutputs() > 0;
}

/// Variables, queues: no inputs, and a handle or reference as output.
bool declaresState(const Node &node, const OpDef &def) {
  return (node.numInputs() == 0 || def.has(declares)) &&
         def.outputs.size() == 1 &&
         (def.outputs[0].isRef || def.outputs[0].dtype == DType::Resource);
}

/// Whether a run is cut at the node, which may stand in a loop that the run
/// would not be cut at otherwise.
bool cutsHere(const Node &node, const OpDef &def, bool isInLoop) {
  return def.has(cutsRun) || cutsAtBody(node, def, isInLoop) ||
         (def.has(passesOn) && isDataset({&node, 0}));
}

/// A node's kind. `root` is what it takes by reference, view or handle; on
/// return, what its own output 0 stands for.
CutKind kindOf(const Node &node, const Node *&root,
               const CrossingSlots *slots) {
  const OpDef &def = *lookupOp(node.op());
  const Node *used = std::exchange(root, nullptr);
  if ((slots && slots->isUsedBy(node)) || cutsHere(node, def, false) ||
      cutsAtForeign(node, def))
    return CutKind::Cut;
  // A TensorArray or a stack is made, of a size at most, where it is used.
  if (def.has(usesSlot))
    return makesSlot(node) ? CutKind::Pure : CutKind::Effect;
  if (declaresState(node, def)) {
    root = &node;
    return CutKind::Copied;
  }
  if (used && standsForInput(node)) {
    root = used; // a view
    return CutKind::Copied;
  }
  if (def.has(constant))
    return CutKind::Copied;
  bool writes = def.writesVariable();
  if (writes && def.givesRef())
    root = used;
  // An op that takes a handle or reference without writing reads.
  if (writes || (def.has(hostBody) && def.has(acts)) ||
      (def.has(stateful) && !def.has(draws) && !used))
    return CutKind::Effect;
  return !used && isShapeArithmetic(node, def) ? CutKind::Copied
                                               : CutKind::Pure;
}

/// One item with blocks.
class InnerFacts {
public:
  InnerFacts(const RootOf &outerRootOf, const AskedTensor *asked,
             bool drivesForeign, const CrossingSlots *slots, ItemFacts &facts)
      : outerRootOf(outerRootOf), asked(asked ? &asked->tensor : nullptr),
        asksRank(asked && asked->isRank), drivesForeign(drivesForeign),
        slots(slots), facts(facts) {}

  void walk(const Item &item) {
    forOperands(item, [&](const Output &output) { use(output); });
    if (item.kind == Item::Kind::Node)
      return walkNode(*item.node);
    // The item comes after what a call, If, Case, While or For does; in version
    // 1 after what its Merges do, one of which it stands for.
    auto follow = [&](const Node &node) {
      facts.controls.insert(facts.controls.end(), node.controlInputs().begin(),
                            node.controlInputs().end());
    };
    if (item.node)
      follow(*item.node);
    for (const Output &result : item.results)
      if (result.node != item.node)
        follow(*result.node);
    if ((slots && slots->isUsedBy(item)) || (asksRank && gives(item)))
      note(CutKind::Cut);
    if (item.kind == Item::Kind::Fail)
      note(CutKind::Effect);
    const bool wasInLoop = isInLoop;
    isInLoop |= item.kind == Item::Kind::While;
    if (item.first)
      enter(*item.first, item.operands);
    if (item.second)
      enter(*item.second, item.kind == Item::Kind::While ? item.first->results
                                                         : item.operands);
    isInLoop = wasInLoop;
    for (size_t i = 0; i < item.results.size(); ++i)
      define(item.results[i], resultRoot(item, i));
  }

  const Node *resultRoot(const Item &item, size_t i) const {
    const Node *known = item.first ? rootOf(item.first->results[i]) : nullptr;
    bool isOpen =
        item.kind == Item::Kind::If && rootOf(item.second->results[i]) != known;
    return isOpen ? nullptr : known;
  }

private:
  void enter(const Block &block, const std::vector<PlanValue> &operands) {
    for (size_t i = 0; i < block.args.size(); ++i) {
      if (asked && block.args[i] == *asked)
        note(CutKind::Cut);
      define(block.args[i], rootOf(operands[i]));
    }
    for (const Item &item : block.items) {
      walk(item);
      if (gives(item))
        note(CutKind::Cut);
    }
    if (block.condition.isTensor())
      use(block.condition.output());
    for (const PlanValue &result : block.results)
      if (result.isTensor())
        use(result.output());
  }

  void walkNode(const Node &node) {
    const OpDef &def = *lookupOp(node.op());
    const Node *root = nullptr;
    for (const Output &input : node.inputs())
      root = root ? root : rootOf(input);
    if (root)
      facts.roots.push_back(root);
    kindOf(node, root, slots);
    for (int i = 0; i < (standsForInput(node) ? node.numOutputs() : 1); ++i)
      define({&node, i}, root);
    facts.inner.push_back(&node);
    facts.controls.insert(facts.controls.end(), node.controlInputs().begin(),
                          node.controlInputs().end());
    if (cutsHere(node, def, isInLoop) || (asked && &node == asked->node) ||
        (slots && slots->isUsedBy(node)) ||
        (drivesForeign && cutsAtForeign(node, def)))
      note(CutKind::Cut);
    else if (def.hasEffect())
      note(CutKind::Effect);
  }

  bool gives(const Item &item) const {
    return asked &&
           std::count(item.results.begin(), item.results.end(), *asked) != 0;
  }
  void note(CutKind kind) {
    if (facts.kind != CutKind::Cut)
      facts.kind = kind;
  }
  void define(const Output &output, const Node *root) {
    nodes.insert(output.node);
    defined[output] = root;
  }
  void use(const Output &output) {
    if (!defined.contains(output) && !nodes.contains(output.node) &&
        used.insert(output).second)
      facts.uses.push_back(output);
  }
  const Node *rootOf(const Output &output) const {
    if (auto found = defined.find(output); found != defined.end())
      return found->second;
    return nodes.contains(output.node) ? nullptr : outerRootOf(output);
  }
  const Node *rootOf(const PlanValue &value) const {
    return value.isTensor() ? rootOf(value.output()) : nullptr;
  }

  const RootOf &outerRootOf;
  const Output *asked;
  const bool asksRank;
  const bool drivesForeign;
  const CrossingSlots *slots;
  ItemFacts &facts;
  bool isInLoop = false;
  std::map<OutputKey, const Node *> defined; ///< what each stands for
  std::set<const Node *> nodes;              ///< of `defined`
  std::set<OutputKey> used;
};

} // namespace

bool isFetchCheck(const Item &item) {
  if (item.kind == Item::Kind::Fail)
    return item.failure.reason == Failure::Reason::DeadFetch;
  if (item.kind != Item::Kind::If && item.kind != Item::Kind::Call)
    return false;
  bool isAny = false;
  for (const Block *block : {item.first.get(), item.second.get()}) {
    if (!block)
      continue;
    isAny |= !block->items.empty();
    if (!std::ranges::all_of(block->items, isFetchCheck))
      return false;
  }
  return isAny;
}

bool isHandle(const Output &output) {
  if (!output.node || output.index >= output.node->numOutputs())
    return false;
  const OutputInfo &info = output.node->output(output.index);
  return info.isRef || info.dtype == DType::Resource;
}

bool isDataset(const Output &output) {
  Output at = output;
  while (at.node && at.index < at.node->numOutputs() &&
         (at.dtype() == DType::Variant || at.dtype() == DType::Resource)) {
    const OpDef *def = lookupOp(at.node->op());
    if (!def || def->has(takesDatasets) || takesRuntimeOptional(*at.node) ||
        at.node->attrOr<bool>(datasetArgAttr, false))
      return def != nullptr;
    if (!def->has(passesOn) || at.node->numInputs() != 1)
      return false;
    at = at.node->input(0);
  }
  return false;
}

bool takesRuntimeOptional(const Node &node) {
  return roleOf(node) == OpRole::OptionalGet && isDataset(node.input(0));
}

bool isSlot(const Output &output) {
  const OpDef *def = output.node ? lookupOp(output.node->op()) : nullptr;
  if (!def || output.index >= output.node->numOutputs() || isDataset(output))
    return false;
  const auto place = static_cast<size_t>(output.index);
  // Handles of version 2 are strings.
  return output.dtype() == DType::Resource ||
         output.dtype() == DType::Variant ||
         (def->has(usesSlot) && place < def->outputs.size() &&
          def->outputs[place].dtype == DType::String);
}

int passedInput(const Node &node, int output) {
  const OpDef *def = lookupOp(node.op());
  if (!def || !def->has(passesOn) || def->role == OpRole::Merge)
    return -1;
  return def->role == OpRole::IdentityN ? output : 0;
}

bool standsForInput(const Node &node) {
  const OpDef &def = *lookupOp(node.op());
  return def.has(forwardsRef) ||
         (def.has(passesOn) && def.role != OpRole::IdentityN);
}

ItemFacts findFacts(const Item &item, const RootOf &rootOf,
                    const AskedTensor *asked, bool drivesForeign,
                    const CrossingSlots *slots) {
  ItemFacts facts;
  if (item.kind != Item::Kind::Node) {
    InnerFacts inner(rootOf, asked, drivesForeign, slots, facts);
    inner.walk(item);
    for (size_t i = 0; i < item.results.size(); ++i)
      facts.resultRoots.push_back(inner.resultRoot(item, i));
    // Two calls of a function have one body's nodes: edges inside of it say
    // nothing about the two.
    const std::set<const Node *> own(facts.inner.begin(), facts.inner.end());
    std::erase_if(facts.controls,
                  [&](const Node *control) { return own.contains(control); });
    return facts;
  }
  const Node &node = *item.node;
  facts.uses.assign(node.inputs().begin(), node.inputs().end());
  facts.controls.assign(node.controlInputs().begin(),
                        node.controlInputs().end());
  for (const Output &input : node.inputs())
    if (const Node *root = rootOf(input)) {
      facts.roots.push_back(root);
      facts.root = facts.root ? facts.root : root;
    }
  facts.kind = kindOf(node, facts.root, slots);
  return facts;
}

static bool holdsCut(const Block &block, bool isInLoop) {
  return std::ranges::any_of(block.items, [&](const Item &item) {
    if (item.kind == Item::Kind::Node) {
      const OpDef *def = lookupOp(item.node->op());
      return def && cutsHere(*item.node, *def, isInLoop);
    }
    const bool isLoop = isInLoop || item.kind == Item::Kind::While;
    return (item.first && holdsCut(*item.first, isLoop)) ||
           (item.second && holdsCut(*item.second, isLoop));
  });
}

bool isCut(const Block &root) {
  return holdsCut(root, false) ||
         std::ranges::any_of(root.items, [](const Item &item) {
           return item.kind == Item::Kind::Node &&
                  cutsAtForeign(*item.node, *lookupOp(item.node->op()));
         });
}

bool isCutInside(const Block &root) {
  bool hasVariables = false, callsBackInside = false, hasOpenRanks = false;
  forEachItem(root, [&](const Item &item, const Block &block) {
    if (item.kind != Item::Kind::Node)
      return;
    const Node &node = *item.node;
    const OpDef &def = *lookupOp(node.op());
    hasVariables |= declaresState(node, def) && !def.has(cutsRun);
    if (&block == &root || !cutsAtForeign(node, def))
      return;
    callsBackInside |= def.has(callsBack);
    for (int i = 0; i < node.numOutputs(); ++i)
      hasOpenRanks |= !node.outputShape(i).hasRank();
  });
  return hasOpenRanks || (callsBackInside && hasVariables);
}

} // namespace kiln
