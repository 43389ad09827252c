// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kiln-mark-regions: makes each fusion a function of its own, named after its
// nodes, between two marks that the runtime can time.
#include "passes/LayoutAttributes.h"
#include "passes/Passes.h"
#include "passes/analysis/RegionCost.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

namespace kiln::passes {
#define GEN_PASS_DEF_KILNMARKREGIONS
#include "passes/Passes.h.inc"
} // namespace kiln::passes

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {
namespace {

/// Nodes in a name; the rest are counted.
constexpr size_t namedNodes = 3;
/// Tools cut long names; a node's own may have thousands of bytes.
constexpr size_t maxNameBytes = 200;

/// The nodes that an op and its body stand for, in order.
llvm::SetVector<StringRef> nodesOf(Operation *op) {
  llvm::SetVector<StringRef> nodes;
  auto add = [&](Operation *part) {
    part->getLoc()->walk([&](Location location) {
      if (auto named = dyn_cast<NameLoc>(location))
        nodes.insert(named.getName());
      return WalkResult::advance();
    });
  };
  if (auto fusion = dyn_cast<FusionOp>(op))
    for (Operation &inner : fusion.getBody().front().without_terminator())
      add(&inner);
  if (nodes.empty()) // a copy
    add(op);
  return nodes;
}

/// "a+b+c+2 more"; "copy a" for a fusion of nothing.
std::string nameOf(Operation *op, ArrayRef<StringRef> nodes) {
  std::string name;
  if (auto fusion = dyn_cast<FusionOp>(op);
      fusion && fusion.getBody().front().without_terminator().empty())
    name = "copy ";
  for (auto [i, node] : llvm::enumerate(nodes.take_front(namedNodes)))
    name += (i == 0 ? "" : "+") + node.str();
  if (name.size() > maxNameBytes)
    name = name.substr(0, maxNameBytes) + "...";
  if (nodes.size() > namedNodes)
    name += "+" + std::to_string(nodes.size() - namedNodes) + " more";
  return name;
}

kiln::CostFormula toStore(const CostFormula &formula) {
  kiln::CostFormula stored;
  for (const auto &term : formula)
    stored.terms.push_back({term.front(), {term.begin() + 1, term.end()}});
  return stored;
}

CodeRegion describe(Operation *op, StringRef name, ArrayRef<StringRef> nodes) {
  RegionCost cost = regionCost(op);
  return {name.str(),
          {nodes.begin(), nodes.end()},
          toStore(cost.flops),
          toStore(cost.bytesRead),
          toStore(cost.bytesWritten)};
}

struct KilnMarkRegionsPass : impl::KilnMarkRegionsBase<KilnMarkRegionsPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<Operation *> ops;
    module.walk([&](Operation *op) {
      if (isa<FusionOp, RuntimeCallOp>(op))
        ops.push_back(op);
    });
    SmallVector<CodeRegion> regions;
    for (Operation *op : ops) {
      auto nodes = nodesOf(op).takeVector();
      std::string name = nameOf(op, nodes);
      regions.push_back(describe(op, name, nodes));
      auto index = static_cast<int64_t>(regions.size()) - 1;
      OpBuilder builder(op);
      mark(builder, op->getLoc(), 2 * index);
      builder.setInsertionPointAfter(op);
      mark(builder, op->getLoc(), 2 * index + 1);
      if (auto fusion = dyn_cast<FusionOp>(op))
        outline(fusion, "kiln:" + std::to_string(index) + ":" + name);
    }
    setRegions(module, regions);
  }

private:
  /// Also stops the run when it is cancelled or has failed: the function that
  /// was called can only stop itself.
  static void mark(OpBuilder &builder, Location loc, int64_t number) {
    MarkRegionOp::create(builder, loc, number);
  }

  static void outline(FusionOp fusion, const std::string &name) {
    Location loc = fusion.getLoc();
    auto function = fusion->getParentOfType<func::FuncOp>();
    OpBuilder builder(function);
    builder.setInsertionPointAfter(function);
    auto region = func::FuncOp::create(builder, loc, name,
                                       builder.getFunctionType({}, {}));
    region.setPrivate();
    region->setAttr("kiln.region", builder.getUnitAttr());
    Block *entry = region.addEntryBlock();
    builder.setInsertionPointToStart(entry);
    IRMapping mapping;
    SmallVector<Value> slots; // of the function's stack
    for (Value buffer : fusion->getOperands()) {
      if (mapping.contains(buffer))
        continue;
      if (auto entryOf = buffer.getDefiningOp<BufferOp>()) {
        builder.clone(*entryOf, mapping);
        continue;
      }
      slots.push_back(buffer);
      mapping.map(buffer, entry->addArgument(buffer.getType(), loc));
    }
    region.setFunctionType(
        builder.getFunctionType(entry->getArgumentTypes(), {}));
    builder.clone(*fusion, mapping);
    func::ReturnOp::create(builder, loc);
    builder.setInsertionPoint(fusion);
    func::CallOp::create(builder, loc, region, slots);
    fusion.erase();
  }
};

} // namespace
} // namespace kiln::passes
