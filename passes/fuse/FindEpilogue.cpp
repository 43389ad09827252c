// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks from a contraction to its users, in program order, and keeps the last
// point at which one value is all that is needed outside.
#include "passes/fuse/FindEpilogue.h"

#include "passes/simplify/Patterns.h"
#include "passes/vectorize/Epilogue.h"

#include <set>

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {

namespace {

constexpr size_t maxEpilogueOps = 64;

class Finder {
public:
  Finder(Operation *contraction, function_ref<bool(Operation *)> isFree)
      : contraction(contraction), isFree(isFree) {}

  SmallVector<Operation *> run() {
    take(contraction);
    members.clear();
    size_t taken = 0;
    while (!candidates.empty() && members.size() < maxEpilogueOps) {
      Operation *op = *candidates.begin();
      candidates.erase(candidates.begin());
      SmallVector<Operation *> views;
      if (!isFree(op) ||
          !canFollowProduct(op,
                            [&](Value value) {
                              return computed.contains(value.getDefiningOp());
                            }) ||
          !collectViews(op, views))
        continue;
      llvm::append_range(members, views);
      inside.insert_range(views);
      take(op);
      // The result lies where the product does.
      if (elementTypeOf(op->getResult(0)) ==
              elementTypeOf(contraction->getResult(0)) &&
          isClosedBy(op))
        taken = members.size();
    }
    members.truncate(taken);
    return members;
  }

private:
  struct ByPlace {
    bool operator()(Operation *a, Operation *b) const {
      return a != b && a->isBeforeInBlock(b);
    }
  };

  void take(Operation *op) {
    members.push_back(op);
    inside.insert(op);
    computed.insert(op);
    for (Operation *user : op->getUsers())
      if (user->getBlock() == contraction->getBlock() &&
          !computed.contains(user))
        candidates.insert(user);
  }

  /// What the op reads that costs nothing and comes with it, operands first.
  /// False where that belongs to another group.
  bool collectViews(Operation *op, SmallVector<Operation *> &views) {
    for (Value operand : op->getOperands()) {
      Operation *def = operand.getDefiningOp();
      if (!def || def->getBlock() != op->getBlock() || inside.contains(def) ||
          reuseOf(def) == Reuse::Stored || llvm::is_contained(views, def))
        continue;
      if (!isFree(def) || !collectViews(def, views))
        return false;
      views.push_back(def);
    }
    return true;
  }

  /// Whether no other value than the op's is needed outside.
  bool isClosedBy(Operation *last) const {
    return llvm::all_of(inside, [&](Operation *op) {
      return op == last || llvm::all_of(op->getUsers(), [&](Operation *user) {
               return inside.contains(user);
             });
    });
  }

  Operation *contraction;
  function_ref<bool(Operation *)> isFree;
  SmallVector<Operation *> members;
  std::set<Operation *, ByPlace> candidates;
  llvm::SmallPtrSet<Operation *, 16> inside;
  /// Those of `inside` whose values are of the product's elements.
  llvm::SmallPtrSet<Operation *, 16> computed;
};

} // namespace

SmallVector<Operation *> findEpilogue(Operation *contraction,
                                      function_ref<bool(Operation *)> isFree) {
  return Finder(contraction, isFree).run();
}

} // namespace kiln::passes
