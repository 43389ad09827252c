// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One walk over a block's ops and all that is inside of them.
#include "passes/fuse/Sources.h"

#include "dialect/Kiln.h"
#include "passes/analysis/RunSymbols.h"

#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {
namespace {

struct Effects {
  llvm::MapVector<Attribute, bool> variables; ///< whether each is written
  bool others = false;
  bool calls = false;    ///< has an effect
  bool failures = false; ///< may end the run
};

Effects effectsOf(Operation *root) {
  Effects effects;
  root->walk([&](Operation *op) {
    if (op->getNumRegions() != 0)
      return;
    effects.failures |= endsRuns(op);
    if (isMemoryEffectFree(op))
      return;
    if (isa<VarReadOp, VarWriteOp, VarIsInitializedOp>(op))
      effects.variables[op->getAttr("variable")] |= isa<VarWriteOp>(op);
    else
      effects.others = true;
    effects.calls |= isa<RuntimeCallOp>(op);
  });
  return effects;
}

} // namespace

Sources::Sources(Block &block) : block(block) {
  collectCaptures();
  orderEffects();
  orderSymbols(block, more);
}

void Sources::forEach(Operation *op,
                      llvm::function_ref<void(Operation *)> visit) const {
  for (Value operand : op->getOperands())
    if (Operation *def = operand.getDefiningOp();
        def && def->getBlock() == &block)
      visit(def);
  if (auto it = more.find(op); it != more.end())
    llvm::for_each(it->second, visit);
}

void Sources::collectCaptures() {
  for (Operation &op : block)
    if (op.getNumRegions() != 0)
      visitUsedValuesDefinedAbove(op.getRegions(), [&](OpOperand *use) {
        if (Operation *def = use->get().getDefiningOp();
            def && def->getBlock() == &block)
          more[&op].push_back(def);
      });
}

void Sources::orderEffects() {
  struct Accesses {
    Operation *write = nullptr;
    SmallVector<Operation *> reads;
  };
  llvm::DenseMap<Attribute, Accesses> accesses;
  Operation *lastOther = nullptr;
  // The last that may end the run with no write between them, the writes before
  // them, and those behind them.
  SmallVector<Operation *> failures, writesBefore, writes;
  for (Operation &op : block.without_terminator()) {
    Effects effects = effectsOf(&op);
    if (!effects.failures && isMemoryEffectFree(&op))
      continue;
    SmallVector<Operation *> &before = more[&op];
    const bool isWrite =
        effects.calls ||
        llvm::any_of(effects.variables, [](auto &own) { return own.second; });
    if (effects.failures && !writes.empty()) {
      writesBefore = std::exchange(writes, {});
      failures.clear();
    }
    if (effects.failures)
      before.append(writesBefore);
    if (isWrite) {
      before.append(failures);
      writes.push_back(&op);
    }
    if (effects.failures)
      failures.push_back(&op);
    for (auto [variable, isWritten] : effects.variables) {
      Accesses &own = accesses[variable];
      if (own.write)
        before.push_back(own.write);
      if (isWritten) {
        llvm::append_range(before, own.reads);
        own = {&op, {}};
      } else {
        own.reads.push_back(&op);
      }
    }
    if (effects.others) {
      if (lastOther)
        before.push_back(lastOther);
      lastOther = &op;
    }
  }
}

} // namespace kiln::passes
