// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kiln-parallelize: moves the bodies of loops marked kiln.parallel into task
// functions that the thread pool can share.
//
// Whether a run uses the pool is decided in the code, from the trip counts of
// that run: below the break-even the task is called directly.
#include "dialect/Cost.h"
#include "passes/Passes.h"
#include "passes/analysis/LoopWork.h"
#include "passes/vectorize/StackArrays.h"
#include "passes/vectorize/Streaming.h"

#include "dialect/Kiln.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"

namespace kiln::passes {
#define GEN_PASS_DEF_KILNPARALLELIZE
#include "passes/Passes.h.inc"
} // namespace kiln::passes

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {
namespace {

class Outliner {
public:
  Outliner(func::FuncOp function, int64_t minSharedOps, int64_t minChunkOps)
      : function(function), minSharedOps(minSharedOps),
        minChunkOps(minChunkOps) {}

  void outline(scf::ForOp loop, unsigned number) {
    Location loc = loop.getLoc();
    OpBuilder builder(loop);
    Value count = emitIterations(builder, loop);
    Value each = emitWorkOfTurn(builder, loop);
    func::FuncOp task = makeTask(loop, number);
    SmallVector<Value> arguments(captures);

    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    Value total = arith::MulIOp::create(builder, loc, count, each);
    Value limit = arith::ConstantIndexOp::create(builder, loc, minSharedOps);
    Value one = arith::ConstantIndexOp::create(builder, loc, 1);
    Value worthIt = arith::AndIOp::create(
        builder, loc,
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge, total,
                              limit),
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ugt, count,
                              one));
    scf::IfOp::create(
        builder, loc, worthIt,
        [&](OpBuilder &nested, Location loc) {
          Value chunk =
              arith::ConstantIndexOp::create(nested, loc, minChunkOps);
          Value grain = arith::CeilDivUIOp::create(nested, loc, chunk, each);
          ParallelForOp::create(nested, loc, task.getSymName(), count, grain,
                                arguments);
          scf::YieldOp::create(nested, loc);
        },
        [&](OpBuilder &nested, Location loc) {
          SmallVector<Value> operands = {zero, count};
          llvm::append_range(operands, arguments);
          func::CallOp::create(nested, loc, task, operands);
          scf::YieldOp::create(nested, loc);
        });
    loop.erase();
  }

private:
  /// Values that a task makes for itself rather than gets.
  static bool isRemade(Operation *op) {
    return op && (op->hasTrait<OpTrait::ConstantLike>() ||
                  isa<BufferOp, SymbolOp>(op));
  }

  /// Stack memory that nothing outside of the loop uses, or for another value:
  /// each task has its own.
  static bool isPrivate(Operation *op, scf::ForOp loop) {
    return isa_and_nonnull<memref::AllocaOp>(op) &&
           (op->hasAttr(scratchName) ||
            llvm::all_of(op->getUsers(), [&](Operation *user) {
              return loop->isProperAncestor(user);
            }));
  }

  func::FuncOp makeTask(scf::ForOp loop, unsigned number) {
    Location loc = loop.getLoc();
    llvm::SetVector<Value> outside;
    getUsedValuesDefinedAbove(loop.getRegion(), outside);
    outside.insert_range(ValueRange{loop.getLowerBound(), loop.getStep()});
    captures.clear();
    SmallVector<Operation *> remade;
    for (Value value : outside) {
      Operation *def = value.getDefiningOp();
      if (isRemade(def) || isPrivate(def, loop))
        remade.push_back(def);
      else
        captures.push_back(value);
    }
    OpBuilder builder(function);
    Type index = builder.getIndexType();
    SmallVector<Type> types = {index, index};
    llvm::append_range(types, ValueRange(captures).getTypes());
    std::string name = (function.getSymName() + "_task" + Twine(number)).str();
    // One node names the function: a verifier asks each call in it for all
    // the places that its location has, thousands in a large fusion.
    auto node = loc->findInstanceOf<NameLoc>();
    auto task = func::FuncOp::create(builder, node ? Location(node) : loc, name,
                                     builder.getFunctionType(types, {}));
    task.setPrivate();
    Block *entry = task.addEntryBlock();
    builder.setInsertionPointToStart(entry);
    IRMapping mapping;
    for (Operation *op : remade)
      builder.clone(*op, mapping);
    for (auto [index, value] : llvm::enumerate(captures))
      mapping.map(value, entry->getArgument(2 + index));
    Value one = arith::ConstantIndexOp::create(builder, loc, 1);
    auto body = scf::ForOp::create(builder, loc, entry->getArgument(0),
                                   entry->getArgument(1), one);
    auto end = func::ReturnOp::create(builder, loc);
    builder.setInsertionPointToStart(body.getBody());
    Value offset = builder.createOrFold<arith::MulIOp>(
        loc, body.getInductionVar(), mapping.lookup(loop.getStep()));
    Value position = builder.createOrFold<arith::AddIOp>(
        loc, offset, mapping.lookup(loop.getLowerBound()));
    // The body moves as it is: copying it would take longer than all else.
    Block &from = *loop.getBody(), &to = *body.getBody();
    to.getOperations().splice(to.getTerminator()->getIterator(),
                              from.getOperations(), from.begin(),
                              from.getTerminator()->getIterator());
    loop.getInductionVar().replaceAllUsesWith(position);
    bool isStreamed = false;
    body.getBody()->walk([&](Operation *op) {
      isStreamed |= isStreamedStore(op);
      for (OpOperand &use : op->getOpOperands())
        if (Value own = mapping.lookupOrNull(use.get()))
          use.set(own);
    });
    if (isStreamed) {
      builder.setInsertionPoint(end);
      emitStreamFence(builder, loc);
    }
    for (Operation *op : remade)
      if (isa<memref::AllocaOp>(op))
        stale.insert(op);
    return task;
  }

public:
  /// Drops stack memory that moved into tasks.
  void finish() {
    for (Operation *op : stale)
      if (op->use_empty())
        op->erase();
  }

private:
  func::FuncOp function;
  int64_t minSharedOps, minChunkOps;
  SmallVector<Value> captures;
  llvm::SetVector<Operation *> stale; ///< loops share what is scratch
};

// The public list knows no dialect.
static_assert(CodeOptions().minSharedOps == ir::minSharedOperations &&
              CodeOptions().minChunkOps == ir::minChunkOperations);

struct KilnParallelizePass : impl::KilnParallelizeBase<KilnParallelizePass> {
  KilnParallelizePass() = default;
  KilnParallelizePass(const KilnParallelizePass &other)
      : KilnParallelizeBase(other) {}
  explicit KilnParallelizePass(const CodeOptions &code) {
#define KILN_PARALLELIZE_OPTION(name, ...) name = code.name;
#include "kiln/CodeOptions.def"
  }

  void runOnOperation() override {
    SmallVector<func::FuncOp> functions(getOperation().getOps<func::FuncOp>());
    for (func::FuncOp function : functions) {
      SmallVector<scf::ForOp> loops;
      function.walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
        if (!loop->removeAttr("kiln.parallel") || loop.getNumResults() != 0)
          return WalkResult::advance();
        loops.push_back(loop);
        return WalkResult::skip(); // one level: tasks do not split again
      });
      Outliner outliner(function, minSharedOps, minChunkOps);
      for (auto [number, loop] : llvm::enumerate(loops))
        if (canBeWorthIt(loop))
          outliner.outline(loop, number);
      outliner.finish();
    }
  }

  /// A loop that is known to do little stays where it is.
  bool canBeWorthIt(scf::ForOp loop) {
    return workOf(*loop).most >= static_cast<uint64_t>(minSharedOps);
  }

#define KILN_PARALLELIZE_OPTION(name, value, least, python, what, flag, text)  \
  Option<int64_t> name{*this, flag, llvm::cl::desc(text),                      \
                       llvm::cl::init(value)};
#include "kiln/CodeOptions.def"
};

} // namespace

std::unique_ptr<Pass> createKilnParallelize(const CodeOptions &code) {
  return std::make_unique<KilnParallelizePass>(code);
}
} // namespace kiln::passes
