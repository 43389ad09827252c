// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A check that fails ends the run before the updates that the graph orders
// behind it. Fusions are ordered by what they need alone, and one that writes
// its variable in place has to keep to that order, too.
#include "passes/bufferize/DelayUpdates.h"

#include "dialect/Kiln.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {

bool mayEndRun(Operation *op) {
  return op
      ->walk([](RuntimeCallOp call) {
        return isMemoryEffectFree(call) ? WalkResult::advance()
                                        : WalkResult::interrupt();
      })
      .wasInterrupted();
}

static void delayUpdates(Block &block) {
  struct Update {
    FusionOp fusion;
    Operation *end; ///< the last op before the write that may end the run
  };
  llvm::DenseMap<Operation *, int64_t> places;
  SmallVector<Update> updates;
  Operation *end = nullptr;
  for (auto [place, op] : llvm::enumerate(block)) {
    places[&op] = static_cast<int64_t>(place);
    if (mayEndRun(&op))
      end = &op;
    auto write = dyn_cast<VarWriteOp>(op);
    if (!write || !end)
      continue;
    auto fusion = write.getValue().getDefiningOp<FusionOp>();
    if (fusion && fusion->getBlock() == &block && !fusion.mayFail() &&
        places.lookup(fusion) < places.lookup(end))
      updates.push_back({fusion, end});
  }
  // The last one first: it may need what another computes.
  for (auto [fusion, end] : llvm::reverse(updates)) {
    int64_t behind = places.lookup(end);
    if (places.lookup(fusion) >= behind ||
        llvm::any_of(fusion->getUsers(), [&](Operation *user) {
          return places.lookup(block.findAncestorOpInBlock(*user)) <= behind;
        }))
      continue;
    fusion->moveAfter(end);
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
