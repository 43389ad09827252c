// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schedule Rows: vector loops over a wide inner axis, one for each stage
// between inner reductions.
//
//   for parallel axes
//     for stages: what the stage's rows share; for the inner axis: reduce,
//     store
//
// Inner reductions take blocks of 256 elements, four at a time to hide the
// latency of the additions; the binary counter sees the four as one value two
// levels up, which gives the bits of one after the other.
#include "passes/vectorize/BlockCounter.h"
#include "passes/vectorize/Elements.h"
#include "passes/vectorize/NestEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {

static constexpr int64_t innerBlock = 256;
static constexpr int64_t blockGroup = 4, blockGroupLevel = 2;
/// Elements of one chunk of a loop without parallel axes: enough work to hand
/// to a thread.
static constexpr int64_t chunkElements = 16384;

void NestEmitter::emitRows() {
  for (Operation *op : ops) {
    int stage = 0;
    for (Value operand : op->getOperands())
      if (Operation *def = operand.getDefiningOp())
        stage = std::max(stage, stages.lookup(def) + isa<ReduceOp>(def));
    stages[op] = stage;
  }
  openParallelLoops([&] { emitRow(); });
}

void NestEmitter::emitRow() {
  int last = 0;
  for (Operation *op : ops)
    last = std::max(last, stages.lookup(op) + isa<ReduceOp>(op));
  for (int stage = 0; stage <= last; ++stage) {
    // What does not change along the row.
    for (Operation *op : ops) {
      for (OpOperand &use : op->getOpOperands())
        if (!isInside(use.get()) &&
            !nest.has(nest.leaves.lookup(&use), nest.inner) &&
            stages.lookup(op) == stage)
          (void)operandOf(use);
      if (stages.lookup(op) == stage && !isVectorized(op->getResult(0)) &&
          !isa<ReduceOp>(op))
        (void)valueOf(op);
    }
    emitStage(stage);
  }
  for (auto [index, value] : llvm::enumerate(yield.getValues()))
    if (!isVectorized(value))
      store(index);
}

void NestEmitter::emitStage(int stage) {
  SmallVector<ReduceOp> reductions;
  for (Operation *op : ops)
    if (auto reduce = dyn_cast<ReduceOp>(op);
        reduce && stages.lookup(op) == stage)
      reductions.push_back(reduce);
  SmallVector<unsigned> stores;
  for (auto [index, value] : llvm::enumerate(yield.getValues()))
    if (isVectorized(value) && stages.lookup(value.getDefiningOp()) == stage)
      stores.push_back(index);
  if (reductions.empty() && stores.empty())
    return;
  OpBuilder::InsertionGuard guard(builder);

  // One step: the registers of `at`, one after the other into the accumulators,
  // which are returned.
  auto step = [&](Columns at, ValueRange accumulators) {
    Scope scope(*this);
    columns = at;
    SmallVector<Value> next(accumulators);
    for (auto [index, op] : llvm::enumerate(reductions)) {
      Emitted operand =
          splat(operandOf(op.getOperandMutable()), columns.registers);
      for (int64_t i = 0; i < columns.registers; ++i) {
        Value mask = columns.masks.empty() ? Value() : columns.masks[i];
        next[index] = accumulate(op, next[index], operand.registers[i], mask);
      }
    }
    for (unsigned result : stores)
      (void)valueOf(yield.getValues()[result].getDefiningOp());
    for (unsigned result : stores)
      store(result);
    return next;
  };
  // A loop of steps from `low` to `high`; `end`, where given, masks the last
  // step.
  auto loop = [&](Value low, Value high, int64_t registers, ValueRange initial,
                  Value end) -> SmallVector<Value> {
    auto steps = scf::ForOp::create(builder, loc, low, high,
                                    index(registers * lanes), initial);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(steps.getBody());
    SmallVector<Value> next =
        step(columnsAt(steps.getInductionVar(), registers, end),
             steps.getRegionIterArgs());
    if (!next.empty())
      scf::YieldOp::create(builder, loc, next);
    return SmallVector<Value>(steps.getResults());
  };

  Value end = axisExtent(nest.inner);
  auto floorTo = [&](Value value, int64_t unit) {
    return builder.createOrFold<arith::SubIOp>(
        loc, value,
        builder.createOrFold<arith::RemUIOp>(loc, value, index(unit)));
  };
  if (reductions.empty()) {
    auto stretch = [&](Value low, Value high) {
      Value whole =
          add(low, floorTo(builder.createOrFold<arith::SubIOp>(loc, high, low),
                           unroll * lanes));
      loop(low, whole, unroll, {}, Value());
      loop(whole, high, 1, {}, high);
    };
    auto known = getConstantIntValue(end);
    if (nest.axes.size() > 1 || (known && *known <= chunkElements))
      return stretch(index(0), end);
    Value chunks =
        arith::CeilDivUIOp::create(builder, loc, end, index(chunkElements));
    auto outer = scf::ForOp::create(builder, loc, index(0), chunks, index(1));
    outer->setAttr("kiln.parallel", builder.getUnitAttr());
    builder.setInsertionPointToStart(outer.getBody());
    Value low = multiply(outer.getInductionVar(), index(chunkElements));
    return stretch(low, arith::MinUIOp::create(
                            builder, loc, add(low, index(chunkElements)), end));
  }

  SmallVector<Combination> kinds;
  SmallVector<Type> types;
  SmallVector<Value> neutral, groupNeutral;
  for (ReduceOp op : reductions) {
    kinds.push_back(Combination(op));
    types.push_back(accumulatorType(op, true));
    neutral.push_back(emitNeutral(builder, loc, Combination(op), types.back()));
  }
  for (int64_t i = 0; i < blockGroup; ++i)
    llvm::append_range(groupNeutral, neutral);
  SmallVector<Value> totals;
  auto known = getConstantIntValue(end);
  if (known && *known <= innerBlock) {
    Value whole = floorTo(end, lanes);
    totals = loop(index(0), whole, 1, neutral, Value());
    totals = loop(whole, end, 1, totals, end);
  } else {
    BlockCounter counter(builder, loc, kinds, types);
    auto combineLanes = [&](ArrayRef<Value> older, ArrayRef<Value> newer) {
      SmallVector<Value> sums;
      for (size_t i = 0; i < kinds.size(); ++i)
        sums.push_back(emitCombine(builder, loc, kinds[i], older[i], newer[i]));
      return sums;
    };
    // Groups of four blocks: register i of a step belongs to block i.
    Value groups = arith::DivUIOp::create(builder, loc, end,
                                          index(innerBlock * blockGroup));
    auto groupLoop =
        scf::ForOp::create(builder, loc, index(0), groups, index(1));
    {
      OpBuilder::InsertionGuard inside(builder);
      builder.setInsertionPointToStart(groupLoop.getBody());
      Value base =
          multiply(groupLoop.getInductionVar(), index(innerBlock * blockGroup));
      auto steps = scf::ForOp::create(builder, loc, index(0), index(innerBlock),
                                      index(lanes), groupNeutral);
      builder.setInsertionPointToStart(steps.getBody());
      SmallVector<Value> carried(steps.getRegionIterArgs());
      size_t width = kinds.size();
      for (int64_t block = 0; block < blockGroup; ++block) {
        Value at =
            add(add(base, index(block * innerBlock)), steps.getInductionVar());
        auto own = MutableArrayRef<Value>(carried).slice(block * width, width);
        llvm::copy(step({at, 1, {}}, ValueRange(own)), own.begin());
      }
      scf::YieldOp::create(builder, loc, carried);
      builder.setInsertionPointAfter(steps);
      SmallVector<Value> sums(steps.getResults());
      ArrayRef<Value> all = sums;
      SmallVector<Value> low =
          combineLanes(all.take_front(width), all.slice(width, width));
      SmallVector<Value> high = combineLanes(all.slice(2 * width, width),
                                             all.slice(3 * width, width));
      counter.push(builder, groupLoop.getInductionVar(),
                   combineLanes(low, high), blockGroupLevel);
    }
    // The blocks that are left, the last one perhaps in part.
    Value first = multiply(groups, index(blockGroup));
    Value blocks =
        arith::CeilDivUIOp::create(builder, loc, end, index(innerBlock));
    auto blockLoop = scf::ForOp::create(builder, loc, first, blocks, index(1));
    {
      OpBuilder::InsertionGuard inside(builder);
      builder.setInsertionPointToStart(blockLoop.getBody());
      Value low = multiply(blockLoop.getInductionVar(), index(innerBlock));
      Value high = arith::MinUIOp::create(builder, loc,
                                          add(low, index(innerBlock)), end);
      Value whole =
          add(low, floorTo(builder.createOrFold<arith::SubIOp>(loc, high, low),
                           lanes));
      SmallVector<Value> sums = loop(low, whole, 1, neutral, Value());
      sums = loop(whole, high, 1, sums, high);
      counter.push(builder, blockLoop.getInductionVar(), sums);
    }
    totals = counter.finish(builder, blocks);
  }
  for (auto [op, total] : llvm::zip_equal(reductions, totals))
    remember(op,
             fromAccumulators(
                 op, emitLanesByHalves(builder, loc, Combination(op), total)));
}

} // namespace kiln::passes
