// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches that are known, values that loops need not carry, and ops that they
// need not repeat.
#include "dialect/Cost.h"
#include "passes/analysis/RunSymbols.h"
#include "passes/simplify/Patterns.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {
namespace {

/// The bool that a condition is known to be.
std::optional<bool> known(Value condition) {
  auto constant = condition.getDefiningOp<ConstantOp>();
  auto dense = constant ? dyn_cast<DenseElementsAttr>(constant.getValue())
                        : DenseElementsAttr();
  if (!dense)
    return std::nullopt;
  return dense.getSplatValue<bool>();
}

// if (true) { a } else { b } -> a
LogicalResult chooseBranch(IfOp op, PatternRewriter &rewriter) {
  std::optional<bool> condition = known(op.getCondition());
  if (!condition)
    return rewriter.notifyMatchFailure(op, "the condition is not known");
  Block &chosen = *condition ? op.thenBlock() : op.elseBlock();
  Operation *yield = chosen.getTerminator();
  SmallVector<Value> values(yield->getOperands());
  rewriter.eraseOp(yield);
  rewriter.inlineBlockBefore(&chosen, op);
  rewriter.replaceOp(op, values);
  return success();
}

// while { before; condition false } do { after } -> before
LogicalResult runOnce(WhileOp op, PatternRewriter &rewriter) {
  ConditionOp condition = op.getCondition();
  std::optional<bool> goesOn = known(condition.getCondition());
  if (!goesOn || *goesOn)
    return rewriter.notifyMatchFailure(
        op, "the condition is not known to be false");
  SmallVector<Value> values(condition.getValues());
  rewriter.eraseOp(condition);
  SmallVector<Value> inits(op.getInits());
  // What is forwarded may be an argument, which becomes its first value.
  for (Value &value : values)
    if (auto argument = dyn_cast<BlockArgument>(value);
        argument && argument.getOwner() == &op.beforeBlock())
      value = inits[argument.getArgNumber()];
  rewriter.inlineBlockBefore(&op.beforeBlock(), op, inits);
  rewriter.replaceOp(op, values);
  return success();
}

// while (b = x) { condition c, b } do (a) { yield a }: b, a and the result are
// x
LogicalResult useFirstValue(WhileOp op, PatternRewriter &rewriter) {
  bool changed = false;
  ValueRange forwarded = op.getCondition().getValues(),
             yielded = op.getYield().getValues();
  auto replace = [&](Value value, Value by) {
    if (value.use_empty() || value == by)
      return;
    rewriter.replaceAllUsesWith(value, by);
    changed = true;
  };
  for (auto [index, init] :
       llvm::enumerate(SmallVector<Value>(op.getInits()))) {
    Value argument = op.getBefore().getArgument(index);
    Value next = yielded[index];
    if (auto passed = dyn_cast<BlockArgument>(next);
        passed && passed.getOwner() == &op.afterBlock())
      next = forwarded[passed.getArgNumber()];
    if (next == argument || next == init)
      replace(argument, init);
  }
  for (auto [index, value] : llvm::enumerate(SmallVector<Value>(forwarded)))
    if (!op->isAncestor(value.getParentBlock()->getParentOp())) {
      replace(op.getAfter().getArgument(index), value);
      replace(op.getResult(index), value);
    }
  return success(changed);
}

/// The values of a loop's own blocks that something else than their next
/// iteration needs.
class NeededValues {
public:
  explicit NeededValues(WhileOp loop) : loop(loop) {
    need(loop.getCondition().getCondition());
    for (auto [value, result] :
         llvm::zip_equal(loop.getCondition().getValues(), loop.getResults()))
      if (!result.use_empty())
        need(value);
    for (Block *block : {&loop.beforeBlock(), &loop.afterBlock()})
      for (Operation &op : block->without_terminator())
        if (!isMemoryEffectFree(&op))
          needOperands(&op);
    while (!queue.empty())
      follow(queue.pop_back_val());
  }
  bool contains(Value value) const { return needed.contains(value); }

private:
  void need(Value value) {
    if (needed.insert(value).second)
      queue.push_back(value);
  }
  void needOperands(Operation *op) {
    op->walk([&](Operation *part) {
      llvm::for_each(part->getOperands(), [&](Value value) { need(value); });
    });
  }
  void follow(Value value) {
    if (Operation *def = value.getDefiningOp()) {
      if (loop->isProperAncestor(def))
        needOperands(def);
      return;
    }
    auto argument = cast<BlockArgument>(value);
    if (argument.getOwner() == &loop.beforeBlock())
      need(loop.getYield().getValues()[argument.getArgNumber()]);
    else if (argument.getOwner() == &loop.afterBlock())
      need(loop.getCondition().getValues()[argument.getArgNumber()]);
  }

  WhileOp loop;
  llvm::DenseSet<Value> needed;
  SmallVector<Value> queue;
};

// while (b = x) { ... } do { yield f(b) } -> while (b = x) { ... } do { yield x
// } where nothing but f needs b: f is dead, and useFirstValue() ends the rest
LogicalResult dropUnneeded(WhileOp op, PatternRewriter &rewriter) {
  NeededValues needed(op);
  bool changed = false;
  for (auto [index, init] :
       llvm::enumerate(SmallVector<Value>(op.getInits()))) {
    Value argument = op.getBefore().getArgument(index);
    if (needed.contains(argument) || op.getYield().getValues()[index] == init)
      continue;
    rewriter.replaceAllUsesWith(argument, init);
    rewriter.modifyOpInPlace(op.getYield(), [&, init = init, index = index] {
      op.getYield().getValuesMutable()[index].set(init);
    });
    changed = true;
  }
  return success(changed);
}

/// Whether an op may run more often, earlier, or where it would not have run.
bool isMovable(Operation &op) {
  auto tensorOp = dyn_cast<TensorOp>(op);
  return tensorOp && op.getNumRegions() == 0 && isMemoryEffectFree(&op) &&
         !tensorOp.mayFail();
}

/// A product of extents: a number and symbols, in order.
struct ElementCount {
  explicit ElementCount(ArrayRef<Extent> extents)
      : known(elementsOf(extents, /*unknown=*/1)) {
    for (const Extent &extent : extents)
      if (!extent.isKnown())
        symbols.push_back(extent.symbol);
    llvm::sort(symbols);
  }
  double known;
  SmallVector<int64_t> symbols;
};

/// Whether these are few, or at most so many for each element that an operand
/// of the op has in memory, whatever the symbols are.
bool isBounded(Operation &op, ArrayRef<Extent> extents, double few,
               double forEach) {
  ElementCount made(extents);
  return (made.symbols.empty() && made.known <= few) ||
         llvm::any_of(op.getOperands(), [&](Value operand) {
           Operation *def = operand.getDefiningOp();
           if (def && reuseOf(def) == Reuse::Inline)
             return false; // a splat may be of any size
           ElementCount given(extentsOf(operand));
           return made.known <= forEach * given.known &&
                  std::includes(given.symbols.begin(), given.symbols.end(),
                                made.symbols.begin(), made.symbols.end());
         });
}

/// Whether an op takes and makes no more than a program can want of it that
/// does not need it. Others (an outer product, a tensor of a size that the run
/// finds out, the sum of a splat of 2^60 ones) may take all day or all memory.
bool isBounded(Operation &op) {
  return isBounded(op, cast<TensorOp>(op).getLoops(), 0x1p30, 0x1p16) &&
         llvm::all_of(op.getResults(), [&](Value result) {
           return isBounded(op, extentsOf(result), 0x1p22, 0x1p12);
         });
}

// while { before; f(x) } do { after; g(x) } -> f(x); g(x); while { ... }
// where g(x), which a loop of no iterations does not need, is bounded
bool hoistInvariants(WhileOp op, RewriterBase &rewriter) {
  bool changed = false;
  const RunSymbols bound = findRunSymbols(op);
  for (Block *block : {&op.beforeBlock(), &op.afterBlock()}) {
    CheckedSizes sizes;
    for (Operation &inner : llvm::make_early_inc_range(*block)) {
      if (sizes.standsOnCheck(inner))
        continue;
      bool isInvariant = llvm::all_of(inner.getOperands(), [&](Value value) {
        return !op->isAncestor(value.getParentBlock()->getParentOp());
      });
      if (!isInvariant || !isMovable(inner) || namesAny(&inner, bound) ||
          (block == &op.afterBlock() && !isBounded(inner)))
        continue;
      rewriter.moveOpBefore(&inner, op);
      changed = true;
    }
  }
  return changed;
}

} // namespace

void populateRegionPatterns(RewritePatternSet &patterns) {
  patterns.add(chooseBranch).add(runOnce).add(useFirstValue).add(dropUnneeded);
  populateRegionBranchOpInterfaceCanonicalizationPatterns(
      patterns, IfOp::getOperationName());
  populateRegionBranchOpInterfaceCanonicalizationPatterns(
      patterns, WhileOp::getOperationName());
}

bool hoistInvariants(Operation *root, RewriterBase &rewriter) {
  bool changed = false;
  root->walk([&](WhileOp loop) { // inner loops first
    changed |= hoistInvariants(loop, rewriter);
  });
  return changed;
}

} // namespace kiln::passes
