// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An op that fails ends the run before the updates that the graph orders
// behind it. Fusions are ordered by what they need alone, and one that writes
// its variable in place has to keep to that order, too, and to come behind what
// reads the old value.
#include "passes/bufferize/DelayUpdates.h"

#include "dialect/Kiln.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {

/// endsRuns() of the op and of what is inside of it.
static bool mayEndRun(Operation *op) {
  return op
      ->walk<WalkOrder::PreOrder>([](Operation *inner) {
        if (endsRuns(inner))
          return WalkResult::interrupt();
        return isa<FusionOp>(inner) ? WalkResult::skip()
                                    : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Calls `found` with each op of the block that needs the value, or a view of
/// it.
static void forEachUser(Value value, Block &block,
                        llvm::function_ref<void(Operation *)> found) {
  for (Operation *user : value.getUsers())
    if (auto view = dyn_cast<ReshapeOp>(user))
      forEachUser(view.getResult(), block, found);
    else
      found(block.findAncestorOpInBlock(*user));
}

static void delayUpdates(Block &block) {
  struct Update {
    FusionOp fusion;
    Operation *behind;
  };
  llvm::DenseMap<Operation *, int64_t> places;
  for (auto [place, op] : llvm::enumerate(block))
    places[&op] = static_cast<int64_t>(place);
  SmallVector<Update> updates;
  llvm::StringMap<SmallVector<VarReadOp>> reads;
  Operation *end = nullptr;
  for (Operation &op : block) {
    if (mayEndRun(&op))
      end = &op;
    if (auto read = dyn_cast<VarReadOp>(op))
      reads[read.getVariable()].push_back(read);
    auto write = dyn_cast<VarWriteOp>(op);
    if (!write)
      continue;
    auto fusion = write.getValue().getDefiningOp<FusionOp>();
    if (!fusion || fusion->getBlock() != &block || fusion.mayFail())
      continue;
    Operation *behind = end && places.lookup(end) > places.lookup(fusion)
                            ? end
                            : fusion.getOperation();
    for (VarReadOp read : reads.lookup(write.getVariable()))
      forEachUser(read.getResult(), block, [&](Operation *user) {
        if (places.lookup(user) > places.lookup(behind))
          behind = user;
      });
    if (behind != fusion)
      updates.push_back({fusion, behind});
  }
  // The last one first: it may need what another computes.
  for (auto [fusion, last] : llvm::reverse(updates)) {
    int64_t behind = places.lookup(last);
    if (places.lookup(fusion) >= behind ||
        llvm::any_of(fusion->getUsers(), [&](Operation *user) {
          return places.lookup(block.findAncestorOpInBlock(*user)) <= behind;
        }))
      continue;
    fusion->moveAfter(last);
    places[fusion] = behind + 1;
  }
}

void delayUpdates(func::FuncOp function) {
  function.walk<WalkOrder::PreOrder>([](Operation *op) {
    if (isa<FusionOp>(op))
      return WalkResult::skip();
    for (Region &region : op->getRegions())
      for (Block &block : region)
        delayUpdates(block);
    return WalkResult::advance();
  });
}

} // namespace kiln::passes
