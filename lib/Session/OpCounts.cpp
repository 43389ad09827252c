// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the nodes behind the ops that are left, by their locations.
#include "lib/Session/OpCounts.h"

#include "dialect/Kiln.h"
#include "lib/Ops/OpDef.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace kiln {
namespace {

/// What the evaluator does in a second at least, and contractions per multiply
/// (measured at -O2 on one core: 50 million elements, 400 million products).
constexpr int64_t nsPerElement = 20;
constexpr double nsPerProduct = 2.5;
constexpr int64_t unknownNs = int64_t(1) << 60;

int64_t saturated(double ns) {
  return ns < double(unknownNs) ? static_cast<int64_t>(ns) : unknownNs;
}

int64_t estimate(Operation *op) {
  double ns = 0;
  auto addElements = [&](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor && tensor.hasStaticShape())
      ns += double(tensor.getNumElements()) * nsPerElement;
    else if (tensor)
      ns = double(unknownNs);
  };
  for (Type type : op->getResultTypes())
    addElements(type);
  for (Type type : op->getOperandTypes())
    addElements(type);
  if (isa<ir::MatmulOp>(op))
    if (auto lhs = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
        lhs && lhs.hasStaticShape() && lhs.getRank() > 0)
      if (auto result = cast<RankedTensorType>(op->getResult(0).getType());
          result.hasStaticShape())
        // Either extent of the last two may be the inner one.
        ns += double(result.getNumElements()) * nsPerProduct *
              double(std::max(lhs.getShape().back(),
                              lhs.getRank() > 1
                                  ? lhs.getShape()[size_t(lhs.getRank()) - 2]
                                  : int64_t(1)));
  if (isa<ir::RuntimeCallOp>(op))
    ns *= 100; // an inverse takes n^3 for n^2 elements
  return saturated(ns);
}

bool isSource(const Node &node) {
  const OpDef *def = lookupOp(node.op());
  return !def || def->name == "NoOp" || def->name == "Const" ||
         def->name.starts_with("Placeholder") ||
         def->name.starts_with("Variable") || def->name == "VarHandleOp";
}

bool isFree(Operation *op) {
  return isa<ir::ConstantOp, ir::ConstantRefOp, ir::VariableOp>(op) ||
         !isa<ir::KilnDialect>(op->getDialect());
}

} // namespace

OpCounts countOps(ModuleOp module, const PrunedGraph &graph) {
  llvm::StringMap<bool> isRuntime; // by node
  OpCounts counts;
  module.walk([&](Operation *op) {
    if (isFree(op))
      return;
    counts.estimatedNs = std::min(unknownNs, counts.estimatedNs + estimate(op));
    op->getLoc()->walk([&](Location part) {
      if (auto named = dyn_cast<NameLoc>(part))
        isRuntime[named.getName()] |= isa<ir::RuntimeCallOp>(op);
      return WalkResult::advance();
    });
  });
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
