// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks up from the uses of a value to the block that defines it, then down
// again through the branches on the way.
#include "passes/bufferize/Lifetimes.h"

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {

Value rootOf(Value value) {
  while (true) {
    if (auto reshape = value.getDefiningOp<ReshapeOp>())
      value = reshape.getOperand();
    else if (auto bind = value.getDefiningOp<BindOp>())
      value = bind.getIns()[cast<OpResult>(value).getResultNumber()];
    else
      return value;
  }
}

bool Lifetime::overlaps(const Lifetime &other) const {
  for (const auto *a = stretches.begin(), *b = other.stretches.begin();
       a != stretches.end() && b != other.stretches.end();) {
    if (a->to < b->from)
      ++a;
    else if (b->to < a->from)
      ++b;
    else
      return true;
  }
  return false;
}

bool Lifetime::isCutAt(int64_t tick) const {
  return llvm::any_of(stretches, [&](Stretch stretch) {
    return stretch.from < tick && tick <= stretch.to;
  });
}

Lifetimes::Lifetimes(func::FuncOp function) { number(function.front()); }

void Lifetimes::number(Block &block) {
  for (Operation &op : block) {
    begins[&op] = next++;
    if (!isa<IfOp, WhileOp>(op))
      continue; // the body of a fusion is no part of the function's order
    for (Region &region : op.getRegions())
      number(region.front());
    ends[&op] = next++;
  }
}

int64_t Lifetimes::end(Operation *op) const {
  auto found = ends.find(op);
  return found == ends.end() ? begin(op) : found->second;
}

int64_t Lifetimes::definition(Value root) const {
  if (Operation *op = root.getDefiningOp())
    return isa<FusionOp, IfOp, WhileOp>(op) ? writeTick(end(op))
                                            : readTick(begin(op));
  Block *block = cast<BlockArgument>(root).getOwner();
  auto loop = dyn_cast<WhileOp>(block->getParentOp());
  if (!loop)
    return readTick(0); // a feed
  return writeTick(begin(block == &loop.beforeBlock() ? loop.getOperation()
                                                      : loop.getCondition()));
}

Lifetime Lifetimes::of(Value root,
                       const llvm::DenseSet<Operation *> &ignored) const {
  Block *home = root.getParentBlock();
  LastUsers last;
  SmallVector<Value> views = {root};
  while (!views.empty())
    for (OpOperand &use : views.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      if (isa<ReshapeOp, BindOp>(user)) {
        views.push_back(
            user->getResult(isa<BindOp>(user) ? use.getOperandNumber() : 0));
        continue;
      }
      if (isa<func::ReturnOp>(user) || ignored.contains(user))
        continue;
      for (Operation *op = user;; op = op->getParentOp()) {
        Operation *&known = last[op->getBlock()];
        if (!known || begin(known) < begin(op))
          known = op;
        if (op->getBlock() == home)
          break;
      }
    }
  Lifetime lifetime;
  extend(home, definition(root), last, lifetime);
  return lifetime;
}

/// Adds the stretches in a block in which the value comes to be, or comes into,
/// at \p from.
void Lifetimes::extend(Block *block, int64_t from, const LastUsers &last,
                       Lifetime &lifetime) const {
  Operation *user = last.lookup(block);
  if (!user) {
    lifetime.add({from, from});
    return;
  }
  bool isInside = llvm::any_of(user->getRegions(), [&](Region &region) {
    return !region.empty() && last.contains(&region.front());
  });
  if (isInside && isa<WhileOp>(user)) {
    lifetime.add({from, readTick(end(user))});
    return;
  }
  lifetime.add({from, std::max(from, readTick(begin(user)))});
  if (!isInside)
    return;
  int64_t entry = writeTick(begin(user));
  for (Region &region : user->getRegions()) {
    if (last.contains(&region.front()))
      extend(&region.front(), entry, last, lifetime);
    entry = writeTick(begin(region.front().getTerminator()));
  }
}

} // namespace kiln::passes
