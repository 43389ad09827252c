// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the nodes behind the ops that are left, by their locations.
#include "lib/Compile/OpCounts.h"

#include "dialect/Cost.h"
#include "dialect/Kiln.h"
#include "lib/OpDefs/Foreign.h"
#include "lib/OpDefs/OpDef.h"
#include "lib/Support/Strings.h"
#include "passes/analysis/RunSymbols.h"

#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace kiln {
namespace {

/// A sum of what the evaluator takes longer for the op. How often a region runs
/// is not known here, nor how large what the run finds out is.
void addRun(Operation *op, int threads, const passes::RunSymbols &runSymbols,
            RunEstimate &estimate) {
  if (isa<ir::WhileOp>(op))
    return estimate.addUnknown();
  ir::evaluatorExcess(op, threads,
                      [&](double ns, ArrayRef<ir::Extent> extents) {
                        RunEstimate::Symbols symbols;
                        for (const ir::Extent &extent : extents) {
                          if (extent.isKnown())
                            ns *= double(extent.value);
                          else if (runSymbols.contains(extent.symbol))
                            return estimate.addUnknown();
                          else
                            symbols.push_back(extent.symbol);
                        }
                        llvm::sort(symbols);
                        estimate.add(ns, symbols);
                      });
}

/// Equal for ops that most likely share their code: of one name, with equal
/// types and attributes.
uint64_t codeHash(Operation *op) {
  llvm::hash_code hash = OperationEquivalence::computeHash(
      op, OperationEquivalence::ignoreHashValue,
      OperationEquivalence::ignoreHashValue,
      OperationEquivalence::IgnoreLocations);
  for (Type type : op->getOperandTypes())
    hash = llvm::hash_combine(hash, type);
  return hash;
}

/// Nothing is to be done for the node itself.
bool isSource(const Node &node) {
  const OpDef *def = lookupOp(node.op());
  return !def || def->has(constant) || def->has(placeholder) ||
         def->has(variable) || (def->inputs.empty() && def->outputs.empty());
}

enum class Kind : uint8_t { Native, Runtime, Foreign };

Kind kindOf(Operation *op) {
  auto call = dyn_cast<ir::RuntimeCallOp>(op);
  if (!call)
    return Kind::Native;
  bool isForeign = call.getCallee().starts_with(
      StringRef(foreignKernel.data(), foreignKernel.size()));
  return isForeign ? Kind::Foreign : Kind::Runtime;
}

bool isFree(Operation *op) {
  return isa<ir::ConstantOp, ir::ConstantRefOp, ir::VariableOp>(op) ||
         !isa<ir::KilnDialect>(op->getDialect());
}

} // namespace

OpCounts countOps(ModuleOp module, const Block &root, int threads) {
  llvm::StringMap<Kind> kinds; // by node
  llvm::DenseSet<uint64_t> made;
  OpCounts counts;
  counts.compileNs = ir::nativeCompileNanoseconds;
  passes::RunSymbols runSymbols = passes::findRunSymbols(module);
  module.walk([&](Operation *op) {
    if (isFree(op))
      return;
    RunEstimate own;
    addRun(op, threads, runSymbols, own);
    counts.evaluatorNs.add(own);
    // A loop comes behind what is in it.
    if (!own.isKnown())
      counts.lastEffects.clear();
    else if (isa<ir::VarWriteOp, ir::RuntimeCallOp>(op))
      counts.lastEffects.push_back(op);
    // Elementwise ops are fused into code that differs in the end.
    if (op->hasTrait<OpTrait::Elementwise>() ||
        made.insert(codeHash(op)).second)
      counts.compileNs += ir::nativeCompileTime(op);
    op->getLoc()->walk([&](Location part) {
      if (auto named = dyn_cast<NameLoc>(part))
        if (Kind &kind = kinds[named.getName()]; kind < kindOf(op))
          kind = kindOf(op);
      return WalkResult::advance();
    });
  });
  forEachItem(root, [&](const Item &item, const Block &block) {
    if (item.kind != Item::Kind::Node)
      return;
    auto found = kinds.find(strCat(block.path.name, item.node->name()));
    if (found != kinds.end()) {
      ++(found->second == Kind::Native ? counts.native : counts.runtime);
      counts.foreign += found->second == Kind::Foreign;
    } else if (!isSource(*item.node))
      ++counts.folded;
  });
  return counts;
}

} // namespace kiln
