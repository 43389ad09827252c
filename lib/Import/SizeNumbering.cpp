// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds nodes that find out the same sizes, as two masks by one tensor do: what
// both select has one shape then, which no run need compare.
#include "lib/Import/SymbolicInference.h"

#include "lib/OpDefs/OpDef.h"

#include "llvm/ADT/STLExtras.h"

#include "llvm/ADT/Sequence.h"
#include <algorithm>

namespace kiln {

/// Comparisons after which two values are taken for different ones, and nodes
/// that one is compared with: those that came last.
static constexpr int maxComparisons = 256;
static constexpr size_t maxCandidates = 64;

/// Whether two such nodes give the same of the same inputs.
static bool isFunctional(const OpDef &def) {
  constexpr uint32_t others = stateful | cutsRun | callsFunctions |
                              placeholder | variable | readsVariable | draws |
                              usesSlot | acts | takesLists | callsBack;
  return (def.flags & others) == 0 && !def.hasEffect() && def.kernel.empty();
}

bool SymbolicInference::isSame(Scope *scope, const Output &a, const Output &b,
                               int &budget) const {
  if (--budget < 0 || scope->ownerOf(a) == nullptr)
    return false;
  auto isPlain = [](const ValueInfo &known) {
    return !known.isRef && known.dtype != DType::Resource &&
           known.dtype != DType::Variant;
  };
  if (a == b)
    return isPlain(infoIn(scope, a));
  auto [ownerOfA, left] = originOf(scope, a);
  auto [ownerOfB, right] = originOf(scope, b);
  if (!left.node || !right.node || left.index != right.index ||
      !isPlain(infoIn(ownerOfA, left)) || !isPlain(infoIn(ownerOfB, right)))
    return false;
  return ownerOfA == ownerOfB &&
         (left.node == right.node ||
          isSame(ownerOfA, *left.node, *right.node, budget));
}

bool SymbolicInference::isSame(Scope *scope, const Node &a, const Node &b,
                               int &budget) const {
  const OpDef *def = lookupOp(a.op());
  return def && isFunctional(*def) && a.op() == b.op() &&
         a.numInputs() == b.numInputs() && a.attrs() == b.attrs() &&
         llvm::all_of(llvm::seq(a.numInputs()), [&](int i) {
           return isSame(scope, a.input(i), b.input(i), budget);
         });
}

bool SymbolicInference::numberSizes(const Node &node,
                                    const std::vector<ValueInfo> &outputs) {
  auto isOwn = [&](Dim dim) { return space.isOwnRunDim(dim); };
  auto isFed = [&](const Node &node) {
    return llvm::any_of(llvm::seq(node.numOutputs()),
                        [&](int i) { return feedOf({&node, i}) >= 0; });
  };
  if (llvm::none_of(outputs,
                    [&](const ValueInfo &output) {
                      return llvm::any_of(output.shape.dims, isOwn);
                    }) ||
      isFed(node))
    return false;
  std::vector<const Node *> &finders = current->finders;
  size_t first = finders.size() - std::min(finders.size(), maxCandidates);
  for (const Node *other : llvm::drop_begin(finders, first))
    if (int budget = maxComparisons; isSame(current, node, *other, budget)) {
      current->infos[&node] = current->infos.at(other);
      for (int i = 0; i < node.numOutputs(); ++i)
        current->aliases[{&node, i}] = {current, {other, i}};
      return true;
    }
  finders.push_back(&node);
  return false;
}

const Node *SymbolicInference::leaderOf(const Node &node) const {
  auto found = current->aliases.find({&node, 0});
  return found == current->aliases.end() ? nullptr : found->second.second.node;
}

} // namespace kiln
