// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kiln-insert-polls: makes long loops notice that their run is to end.
//
// What depends on the run's shapes counts as nothing where a poll must be worth
// its price and as endless where it must come in time.
#include "passes/Passes.h"
#include "passes/analysis/LoopWork.h"

#include "dialect/Cost.h"
#include "dialect/Kiln.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>

namespace kiln::passes {
#define GEN_PASS_DEF_KILNINSERTPOLLS
#include "passes/Passes.h.inc"
} // namespace kiln::passes

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {
namespace {

/// Between two polls at most: a third of a millisecond of arithmetic, about 6
/// ms of operations that each wait for memory.
constexpr uint64_t maxOperations = 1'000 * operationsPerMicrosecond / 3;
/// Between two polls at least, where that is known: a poll is two operations.
constexpr uint64_t minOperations = 2'000;
/// Iterations between polls of a loop whose iterations may be long or short.
constexpr int64_t unknownStretch = 16;

bool isVariable(Value buffer) {
  auto op = buffer.getDefiningOp<BufferOp>();
  return op && op.getKind() == BufferKind::variable;
}

bool writesVariable(Operation *root) {
  auto isWrite = [](Operation *op) {
    return llvm::TypeSwitch<Operation *, bool>(op)
        .Case<memref::StoreOp>(
            [](auto store) { return isVariable(store.getMemRef()); })
        .Case<vector::StoreOp, vector::MaskedStoreOp, vector::ScatterOp>(
            [](auto store) { return isVariable(store.getBase()); })
        .Default(false);
  };
  return root
      ->walk([&](Operation *op) {
        return isWrite(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

bool hasPoll(Operation *root) {
  return root->walk([](PollOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// For emitters that do not look at where they write.
void dropPolls(Operation *root) {
  root->walk([](PollOp poll) { poll.erase(); });
}

class PollInserter {
public:
  explicit PollInserter(MLIRContext *context) : rewriter(context) {}

  void visit(scf::ForOp loop) {
    Work body = workOf(*loop.getBody());
    if (workOf(*loop).most <= maxOperations)
      return;
    bool isBounded = body.most <= maxOperations;
    if (!isBounded)
      for (scf::ForOp inner : outermostLoops(loop))
        visit(inner);
    if (body.least >= minOperations) {
      rewriter.setInsertionPointToStart(loop.getBody());
      PollOp::create(rewriter, loop.getLoc());
      return;
    }
    stretch(loop, isBounded ? static_cast<int64_t>(std::max<uint64_t>(
                                  maxOperations / body.most, 1))
                            : unknownStretch);
  }

  static SmallVector<scf::ForOp> outermostLoops(Operation *root) {
    SmallVector<scf::ForOp> loops;
    for (Region &region : root->getRegions())
      region.walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
        loops.push_back(loop);
        return WalkResult::skip();
      });
    return loops;
  }

private:
  /// Polls before every `count` iterations of the loop, which stays as it
  /// is inside of another one.
  void stretch(scf::ForOp loop, int64_t count) {
    Location loc = loop.getLoc();
    rewriter.setInsertionPoint(loop);
    Value step = arith::MulIOp::create(
        rewriter, loc, loop.getStep(),
        arith::ConstantIndexOp::create(rewriter, loc, count));
    auto outer =
        scf::ForOp::create(rewriter, loc, loop.getLowerBound(),
                           loop.getUpperBound(), step, loop.getInitArgs());
    rewriter.setInsertionPointToStart(outer.getBody());
    PollOp::create(rewriter, loc);
    Value from = outer.getInductionVar();
    Value to = arith::AddIOp::create(rewriter, loc, from, step);
    to = arith::MinSIOp::create(rewriter, loc, to, loop.getUpperBound());
    auto inner = scf::ForOp::create(rewriter, loc, from, to, loop.getStep(),
                                    outer.getRegionIterArgs());
    inner.getRegion().takeBody(loop.getRegion());
    if (outer.getNumResults() != 0) {
      rewriter.setInsertionPointToEnd(outer.getBody());
      scf::YieldOp::create(rewriter, loc, inner.getResults());
    }
    rewriter.replaceOp(loop, outer.getResults());
  }

  IRRewriter rewriter;
};

/// A poll ends the function that it stands in: who called that polls behind the
/// call, or goes on with half of its results.
void pollBehindCalls(ModuleOp module) {
  llvm::StringMap<bool> polls;
  SmallVector<func::CallOp> calls;
  for (auto function : module.getOps<func::FuncOp>())
    polls[function.getName()] = hasPoll(function);
  module.walk([&](func::CallOp call) { calls.push_back(call); });
  for (bool isProgress = true; isProgress;) {
    isProgress = false;
    for (func::CallOp call : calls) {
      if (!polls.lookup(call.getCallee()) ||
          isa_and_nonnull<PollOp>(call->getNextNode()))
        continue;
      OpBuilder builder(call->getContext());
      builder.setInsertionPointAfter(call);
      PollOp::create(builder, call.getLoc());
      polls[call->getParentOfType<func::FuncOp>().getName()] = true;
      isProgress = true;
    }
  }
}

struct KilnInsertPollsPass : impl::KilnInsertPollsBase<KilnInsertPollsPass> {
  void runOnOperation() override {
    PollInserter inserter(&getContext());
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>())
      for (scf::ForOp loop : PollInserter::outermostLoops(function))
        if (writesVariable(loop))
          dropPolls(loop);
        else if (!hasPoll(loop))
          inserter.visit(loop);
    pollBehindCalls(getOperation());
    getOperation().walk([](ParallelForOp loop) {
      auto task = mlir::SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
          loop, loop.getTaskAttr());
      if (task && writesVariable(task))
        loop.setUninterrupted(true);
    });
  }
};

} // namespace
} // namespace kiln::passes
