// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schedule Rows: vector loops over a wide inner axis, one for each stage
// between inner reductions.
//
//   for parallel axes
//     for stages
//       what the stage's rows share
//       for the inner axis: reduce, store
//
// Inner reductions take blocks of 256 elements, one after the other. Several
// blocks at once would hide the latency of the additions, but read several
// places of a page in turns, which the prefetchers do not follow: on Zen 4 (21
// November 2026) sums of the rows of 4096 x 4096 took 7.2 ms with four blocks,
// 2.3 ms with one; from the second cache 2.3 and 2.8 us.
#include "dialect/Cost.h"
#include "passes/analysis/LoopWork.h"
#include "passes/vectorize/BlockCounter.h"
#include "passes/vectorize/Elements.h"
#include "passes/vectorize/NestEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <optional>

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {

using reduction::innermostBlock;

/// Vector operations of which the core's window holds a few bodies.
static constexpr int64_t windowBody = 256;

/// Whether a loop without reductions has one body, whose loads and stores are
/// always masked, instead of a plain one and a masked one for the rest. Beside
/// so many operations masks cost nothing, and every copy of the body costs
/// compile time: `unroll` is 1 where the whole graph is large.
static bool isAlwaysMasked(int64_t bodyOps, int64_t unroll) {
  return bodyOps > windowBody && unroll == 1;
}

/// Vectors that a step of a loop without reductions takes. Several hide the
/// latency of a chain of plain ops; elementary functions are wide enough, and
/// so long that the core overlaps steps by itself, unless many follow each
/// other. On Zen 4 (21 November 2026, one thread), with 4, 2 and 1 vectors a
/// step: 64 multiply-adds 51, 86, 116 us; relu, sigmoid, tanh and exp 17.8,
/// 17.3, 17.1 ms, compiled in 25, 17, 14 ms; 20 times tanh in a row 280, 372,
/// 626 us (float64 1057, 871, 1049), 50 times compiled in 389, 230, 151 ms.
static int64_t vectorsOfStep(int64_t bodyOps, bool hasFunctions, int64_t most) {
  if (bodyOps > windowBody)
    return std::min<int64_t>(most, 2);
  return hasFunctions ? 1 : most;
}

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

SmallVector<Value>
NestEmitter::perhaps(Value low, Value high, ValueRange otherwise,
                     function_ref<SmallVector<Value>()> body) {
  Value isLess = builder.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::slt, low, high);
  auto branch = scf::IfOp::create(builder, loc, otherwise.getTypes(), isLess,
                                  /*withElseRegion=*/!otherwise.empty());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  SmallVector<Value> given = body();
  if (otherwise.empty())
    return {};
  scf::YieldOp::create(builder, loc, given);
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, otherwise);
  return SmallVector<Value>(branch.getResults());
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
  // Steps from `low` to `high`, at most `most` elements where that is given;
  // `end`, where given, masks the last step.
  auto loop = [&](Value low, Value high, int64_t registers, ValueRange initial,
                  Value end,
                  std::optional<int64_t> most) -> SmallVector<Value> {
    // A loop of no steps would only be folded away later, body and all.
    auto first = getConstantIntValue(low), last = getConstantIntValue(high);
    if (first && last && *first >= *last)
      return SmallVector<Value>(initial);
    if (most && *most <= registers * lanes)
      return perhaps(low, high, initial, [&] {
        return step(columnsAt(low, registers, end), initial);
      });
    auto steps = scf::ForOp::create(builder, loc, low, high,
                                    index(registers * lanes), initial);
    if (most)
      setMostTurns(steps, llvm::divideCeil(*most, registers * lanes));
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
  const auto known = getConstantIntValue(end);
  // Chunks and blocks are multiples of a vector: without a rest at the end
  // there is none.
  const bool isWhole = known && *known % lanes == 0;
  int64_t bodyOps = 0;
  bool hasFunctions = false;
  // What earlier stages compute may be computed again.
  for (Operation *op : ops)
    if (isVectorized(op->getResult(0)) && stages.lookup(op) <= stage) {
      const int64_t vectorOps = stepCost(op).vectorOps;
      bodyOps += vectorOps;
      hasFunctions |= vectorOps > 1;
    }
  auto floorTo = [&](Value value, int64_t unit) {
    return builder.createOrFold<arith::SubIOp>(
        loc, value,
        builder.createOrFold<arith::RemUIOp>(loc, value, index(unit)));
  };
  if (reductions.empty()) {
    const int64_t registers = vectorsOfStep(bodyOps, hasFunctions, unroll);
    auto stretch = [&](Value low, Value high, std::optional<int64_t> most) {
      if ((isWhole && registers == 1) || isAlwaysMasked(bodyOps, unroll)) {
        loop(low, high, 1, {}, isWhole ? Value() : high, most);
        return;
      }
      Value whole =
          add(low, floorTo(builder.createOrFold<arith::SubIOp>(loc, high, low),
                           registers * lanes));
      loop(low, whole, registers, {}, Value(), most);
      loop(whole, high, 1, {}, isWhole ? Value() : high, registers * lanes);
    };
    if (nest.axes.size() > 1 || (known && *known <= chunkElements))
      return stretch(index(0), end, std::nullopt);
    Value chunks =
        arith::CeilDivUIOp::create(builder, loc, end, index(chunkElements));
    auto outer = scf::ForOp::create(builder, loc, index(0), chunks, index(1));
    outer->setAttr("kiln.parallel", builder.getUnitAttr());
    builder.setInsertionPointToStart(outer.getBody());
    Value low = multiply(outer.getInductionVar(), index(chunkElements));
    return stretch(low,
                   arith::MinUIOp::create(builder, loc,
                                          add(low, index(chunkElements)), end),
                   chunkElements);
  }

  SmallVector<Combination> kinds;
  SmallVector<Type> types;
  SmallVector<Value> neutral;
  for (ReduceOp op : reductions) {
    kinds.push_back(Combination(op));
    types.push_back(accumulatorType(op, true));
    neutral.push_back(emitNeutral(builder, loc, Combination(op), types.back()));
  }
  SmallVector<Value> totals;
  if (known && *known <= innermostBlock) {
    Value whole = floorTo(end, lanes);
    totals = loop(index(0), whole, 1, neutral, Value(), *known);
    totals = loop(whole, end, 1, totals, end, lanes);
  } else {
    BlockCounter counter(builder, loc, kinds, types);
    // One after the other, the last one perhaps in part.
    Value blocks = builder.createOrFold<arith::CeilDivUIOp>(
        loc, end, index(innermostBlock));
    auto blockLoop =
        scf::ForOp::create(builder, loc, index(0), blocks, index(1));
    {
      OpBuilder::InsertionGuard inside(builder);
      builder.setInsertionPointToStart(blockLoop.getBody());
      Value low = multiply(blockLoop.getInductionVar(), index(innermostBlock));
      Value high = arith::MinUIOp::create(builder, loc,
                                          add(low, index(innermostBlock)), end);
      Value whole =
          isWhole
              ? high
              : add(low,
                    floorTo(builder.createOrFold<arith::SubIOp>(loc, high, low),
                            lanes));
      SmallVector<Value> sums =
          loop(low, whole, 1, neutral, Value(), innermostBlock);
      if (!isWhole)
        sums = loop(whole, high, 1, sums, high, lanes);
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
