// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the nodes behind the ops that are left, by their locations.
#include "lib/Session/OpCounts.h"

#include "dialect/Cost.h"
#include "dialect/Kiln.h"
#include "lib/Ops/OpDef.h"

#include "llvm/ADT/StringSet.h"

#include <algorithm>

using namespace mlir;

namespace kiln {
namespace {

/// Longer than anybody waits.
constexpr double unknownNs = double(int64_t(1) << 60);

int64_t saturated(double ns) {
  return static_cast<int64_t>(std::min(ns, unknownNs));
}

/// Nothing is to be done for the node itself.
bool isSource(const Node &node) {
  const OpDef *def = lookupOp(node.op());
  return !def || def->has(constant) || def->has(placeholder) ||
         def->has(variable) || (def->inputs.empty() && def->outputs.empty());
}

bool isFree(Operation *op) {
  return isa<ir::ConstantOp, ir::ConstantRefOp, ir::VariableOp>(op) ||
         !isa<ir::KilnDialect>(op->getDialect());
}

} // namespace

OpCounts countOps(ModuleOp module, const PrunedGraph &graph) {
  llvm::StringMap<bool> isRuntime; // by node
  OpCounts counts;
  double ns = 0;
  module.walk([&](Operation *op) {
    if (isFree(op))
      return;
    ns += ir::evaluatorNanoseconds(op, /*unknown=*/unknownNs);
    op->getLoc()->walk([&](Location part) {
      if (auto named = dyn_cast<NameLoc>(part))
        isRuntime[named.getName()] |= isa<ir::RuntimeCallOp>(op);
      return WalkResult::advance();
    });
  });
  counts.estimatedNs = saturated(ns);
  for (const Node *node : graph.nodes) {
    auto found = isRuntime.find(node->name());
    if (found != isRuntime.end())
      ++(found->second ? counts.runtime : counts.native);
    else if (!isSource(*node))
      ++counts.folded;
  }
  return counts;
}

} // namespace kiln
