// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the ops that bind symbols, and the symbols that ops name.
#include "passes/analysis/RunSymbols.h"

#include "dialect/Types.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {

void markLateSymbols(Operation *root) {
  RunSymbols symbols = findRunSymbols(root);
  if (symbols.empty())
    return;
  root->walk([&](SymbolOp op) {
    if (symbols.contains(static_cast<int64_t>(op.getId())))
      op.setLate(true);
  });
}

bool namesAny(Operation *op, const RunSymbols &symbols) {
  bool names = false;
  if (!symbols.empty())
    forEachSymbol(op, [&](int64_t id) { names |= symbols.contains(id); });
  return names;
}

bool CheckedSizes::standsOnCheck(Operation &op) {
  bool stands = false;
  if (isChecked)
    op.walk([&](Operation *part) {
      forEachSymbol(part, [&](int64_t) { stands = true; });
    });
  isChecked |= isa<GuardOp>(op);
  return stands;
}

/// Whether a kiln.bind is for what comes behind its block.
static bool isLast(Operation *op) {
  return isa<BindOp>(op) && llvm::any_of(op->getUsers(), [](Operation *user) {
           return user->hasTrait<OpTrait::IsTerminator>();
         });
}

namespace {

/// The symbols of one op of a block, with those of all that is in it.
struct Names {
  llvm::SmallSetVector<int64_t, 4> named, bound;
  bool checks = false;

  explicit Names(Operation &root) {
    root.walk([&](Operation *op) {
      forEachSymbol(op, [&](int64_t id) { named.insert(id); });
      forEachBound(op, [&](int64_t id) { bound.insert(id); });
      checks |= isa<GuardOp>(op);
    });
    checks |= !bound.empty();
  }
};

} // namespace

void orderSymbols(
    Block &block,
    llvm::DenseMap<Operation *, SmallVector<Operation *>> &before) {
  // What the function checks itself, of symbols that are known before, has
  // held when it begins.
  const bool isInner = !isa<func::FuncOp>(block.getParentOp());
  if (findRunSymbols(block.getParentOp()).empty() &&
      !(isInner && llvm::any_of(block, llvm::IsaPred<GuardOp>)))
    return;
  // By symbol, the last op that binds it for the others of the block.
  llvm::DenseMap<int64_t, Operation *> binders;
  llvm::MapVector<Operation *, Names> names;
  for (Operation &op : block.without_terminator()) {
    const Names &own = names.insert({&op, Names(op)}).first->second;
    if (!isLast(&op))
      for (int64_t id : own.bound)
        binders[id] = &op;
  }
  Operation *lastCheck = nullptr, *lastGuard = nullptr;
  CheckedSizes sizes;
  llvm::DenseMap<int64_t, SmallVector<Operation *>> readers;
  for (auto &[op, own] : names) {
    llvm::SmallSetVector<Operation *, 4> sources;
    for (int64_t id : own.named) {
      Operation *binder = binders.lookup(id);
      bool isOwn = own.bound.contains(id);
      if (binder && binder != op && !isOwn) {
        sources.insert(binder);
        if (lastCheck)
          sources.insert(lastCheck);
      }
      if (!isOwn)
        readers[id].push_back(op);
    }
    if (sizes.standsOnCheck(*op) && isInner)
      sources.insert(lastGuard);
    if (isa<GuardOp>(op))
      lastGuard = op;
    if (isLast(op))
      for (int64_t id : own.bound)
        for (Operation *reader : readers.lookup(id))
          sources.insert(reader);
    if (!sources.empty())
      llvm::append_range(before[op], sources);
    if (own.checks)
      lastCheck = op;
  }
}

} // namespace kiln::passes
