// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LoopForm::Tiles: a stretch of the inner axis in registers, the reduced
// rows looped inside it.
//
//   for parallel axes
//     for tiles of the inner axis     (one, where it fits in registers)
//       what no row changes           (weights, biases: loaded once)
//       for blocks of 32 rows, for rows: accumulate, store what has rows
//       combine the blocks, the epilogue, store it
//
// Where there are no parallel axes, threads share the blocks (emitChunks).
#include "passes/analysis/LoopWork.h"
#include "passes/vectorize/BlockCounter.h"
#include "passes/vectorize/Conversions.h"
#include "passes/vectorize/Elements.h"
#include "passes/vectorize/NestEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <optional>

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {

using reduction::outerBlock;

void NestEmitter::openParallelLoops(function_ref<void()> body) {
  SmallVector<int> axes;
  for (auto [index, axis] : llvm::enumerate(nest.axes))
    if (axis.level == Level::Parallel)
      axes.push_back(static_cast<int>(index));
  OpBuilder::InsertionGuard guard(builder);
  bool isOutermost = true;
  auto open = [&](Value iterations) {
    auto loop =
        scf::ForOp::create(builder, loc, index(0), iterations, index(1));
    if (std::exchange(isOutermost, false))
      loop->setAttr("kiln.parallel", builder.getUnitAttr());
    builder.setInsertionPointToStart(loop.getBody());
    return loop.getInductionVar();
  };
  ArrayRef<int> rest = axes;
  if (schedule.sharesTwoAxes) {
    Value second = axisExtent(axes[1]);
    Value at = open(multiply(axisExtent(axes[0]), second));
    position[axes[0]] = builder.createOrFold<arith::DivUIOp>(loc, at, second);
    position[axes[1]] = builder.createOrFold<arith::RemUIOp>(loc, at, second);
    rest = rest.drop_front(2);
  }
  for (int axis : rest)
    position[axis] = open(axisExtent(axis));
  Scope scope(*this);
  body();
}

Columns NestEmitter::columnsAt(Value base, int64_t registers, Value end) {
  Columns result{base, registers, {}};
  if (!end)
    return result;
  auto type = VectorType::get({lanes}, builder.getI1Type());
  for (int64_t i = 0; i < registers; ++i) {
    Value left = builder.createOrFold<arith::SubIOp>(
        loc, end, add(base, index(i * lanes)));
    auto known = getConstantIntValue(left);
    result.masks.push_back(
        known && *known >= lanes
            ? Value()
            : Value(vector::CreateMaskOp::create(builder, loc, type, left)));
  }
  return result;
}

void NestEmitter::emitTiles() {
  openParallelLoops([&] {
    if (nest.inner < 0)
      return emitTile({index(0), 1, {}});
    const int64_t registers = schedule.tileRegisters;
    if (schedule.isOneTile())
      return emitTile(columnsAt(index(0), registers, axisExtent(nest.inner)));
    // Whole tiles without masks, then what is left: in one tile, or, where only
    // the run knows how much that is, one register at a time.
    Value end = axisExtent(nest.inner);
    auto known = getConstantIntValue(end);
    Value width = index(registers * lanes);
    Value whole = builder.createOrFold<arith::MulIOp>(
        loc, builder.createOrFold<arith::DivUIOp>(loc, end, width), width);
    auto main = scf::ForOp::create(builder, loc, index(0), whole, width);
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(main.getBody());
      emitTile({main.getInductionVar(), registers, {}});
    }
    if (known) {
      if (int64_t rest = *known % (registers * lanes))
        emitTile(columnsAt(whole, llvm::divideCeil(rest, lanes), end));
      return;
    }
    auto tail = scf::ForOp::create(builder, loc, whole, end, index(lanes));
    setMostIterations(tail, registers);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(tail.getBody());
    emitTile(columnsAt(tail.getInductionVar(), 1, end));
  });
}

void NestEmitter::emitTile(Columns tile) {
  Scope scope(*this);
  columns = tile;
  SmallVector<ReduceOp> reductions;
  llvm::SmallPtrSet<Operation *, 16> epilogue;
  for (Operation *op : ops) {
    auto reduce = dyn_cast<ReduceOp>(op);
    bool outer = reduce && !isInnerReduction(reduce);
    bool after = llvm::any_of(op->getOperands(), [&](Value operand) {
      return operand.getDefiningOp() &&
             epilogue.contains(operand.getDefiningOp());
    });
    if (outer)
      reductions.push_back(reduce);
    if (outer || after)
      epilogue.insert(op);
  }
  // Whether an op is computed once for each row.
  auto isMain = [&](Operation *op) {
    if (nest.reduced < 0 || epilogue.contains(op))
      return false;
    bool rows = nest.has(nest.values.lookup(op->getResult(0)), nest.reduced);
    for (OpOperand &use : op->getOpOperands())
      rows |= nest.has(isInside(use.get()) ? nest.values.lookup(use.get())
                                           : nest.leaves.lookup(&use),
                       nest.reduced);
    return rows;
  };
  // What no row changes is computed, and what rows need of it loaded, before
  // the rows.
  for (Operation *op : ops) {
    if (epilogue.contains(op) && !isa<ReduceOp>(op))
      continue;
    for (OpOperand &use : op->getOpOperands())
      if (!isInside(use.get()) &&
          !nest.has(nest.leaves.lookup(&use), nest.reduced))
        (void)operandOf(use);
    if (!epilogue.contains(op) && !isMain(op))
      (void)valueOf(op);
  }
  if (nest.reduced >= 0) {
    SmallVector<Value> totals = emitReducedLoop(reductions, isMain);
    ValueRange rest = totals;
    for (ReduceOp op : reductions) {
      size_t count = isVectorized(op.getResult()) ? columns.registers : 1;
      remember(op, fromAccumulators(op, rest.take_front(count)));
      rest = rest.drop_front(count);
    }
  }
  for (Operation *op : ops)
    if (epilogue.contains(op))
      (void)valueOf(op);
  for (auto [index, value] : llvm::enumerate(yield.getValues()))
    if (!isMain(value.getDefiningOp()))
      store(index);
}

SmallVector<Value>
NestEmitter::emitReducedLoop(ArrayRef<ReduceOp> reductions,
                             function_ref<bool(Operation *)> isMain) {
  SmallVector<Combination> kinds;
  SmallVector<Type> types;
  for (ReduceOp op : reductions) {
    bool isVector = isVectorized(op.getResult());
    for (int64_t i = 0, end = isVector ? columns.registers : 1; i < end; ++i) {
      kinds.push_back(Combination(op));
      types.push_back(accumulatorType(op, isVector));
    }
  }
  SmallVector<Value> neutral;
  for (auto [kind, type] : llvm::zip_equal(kinds, types))
    neutral.push_back(emitNeutral(builder, loc, kind, type));

  // The rows from `low` to `high`, one after the other.
  auto rows = [&](Value low, Value high, std::optional<int64_t> most) {
    auto loop = scf::ForOp::create(builder, loc, low, high, index(1), neutral);
    if (most)
      setMostIterations(loop, *most);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Scope scope(*this);
    position[nest.reduced] = loop.getInductionVar();
    for (Operation *op : ops)
      if (isMain(op) && !llvm::is_contained(reductions, op))
        (void)valueOf(op);
    SmallVector<Value> next;
    size_t at = 0;
    for (ReduceOp op : reductions) {
      bool isVector = isVectorized(op.getResult());
      Emitted operand = operandOf(op.getOperandMutable());
      if (isVector)
        operand = splat(operand, columns.registers);
      for (Value value : operand.registers)
        next.push_back(
            accumulate(op, loop.getRegionIterArg(at++), value, Value()));
    }
    for (auto [index, value] : llvm::enumerate(yield.getValues()))
      if (isMain(value.getDefiningOp()))
        store(index);
    if (!next.empty())
      scf::YieldOp::create(builder, loc, next);
    return loop;
  };
  Value extent = axisExtent(nest.reduced);
  auto known = getConstantIntValue(extent);
  if (reductions.empty() || (known && *known <= outerBlock))
    return SmallVector<Value>(
        rows(index(0), extent, std::nullopt).getResults());

  Value blocks =
      arith::CeilDivUIOp::create(builder, loc, extent, index(outerBlock));
  auto block = [&](Value number) {
    Value low = multiply(number, index(outerBlock));
    Value high = arith::MinUIOp::create(builder, loc,
                                        add(low, index(outerBlock)), extent);
    return SmallVector<Value>(rows(low, high, outerBlock).getResults());
  };
  return schedule.sharesBlocks ? emitChunks(kinds, types, blocks, block)
                               : emitBlocks(kinds, types, blocks, block);
}

SmallVector<Value> NestEmitter::emitBlocks(ArrayRef<Combination> kinds,
                                           TypeRange types, Value count,
                                           EmitBlock block) {
  BlockCounter counter(builder, loc, kinds, types);
  auto loop = scf::ForOp::create(builder, loc, index(0), count, index(1));
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    counter.push(builder, loop.getInductionVar(),
                 block(loop.getInductionVar()));
  }
  return counter.finish(builder, count);
}

/// Chunks of 2^n blocks for the threads: each makes one node of the counter's
/// tree, so that their sums, pushed like blocks, have the tree's order. That
/// holds for the last one too, whose blocks may be fewer.
SmallVector<Value> NestEmitter::emitChunks(ArrayRef<Combination> kinds,
                                           TypeRange types, Value blocks,
                                           EmitBlock block) {
  // The least power of two that makes at most so many chunks.
  auto doubling = scf::WhileOp::create(
      builder, loc, TypeRange(builder.getIndexType()),
      ValueRange(index(leastBlocksOfChunk)),
      [&](OpBuilder &nested, Location loc, ValueRange size) {
        Value limit = arith::MulIOp::create(nested, loc, size[0],
                                            index(mostChunksOfBlocks));
        Value more = arith::CmpIOp::create(
            nested, loc, arith::CmpIPredicate::ult, limit, blocks);
        scf::ConditionOp::create(nested, loc, more, size);
      },
      [&](OpBuilder &nested, Location loc, ValueRange size) {
        Value next = arith::AddIOp::create(nested, loc, size[0], size[0]);
        scf::YieldOp::create(nested, loc, next);
      });
  Value size = doubling.getResult(0);
  Value chunks = arith::CeilDivUIOp::create(builder, loc, blocks, size);
  SmallVector<Value> sums =
      allocateSums(builder, loc, mostChunksOfBlocks, types);
  auto loop = scf::ForOp::create(builder, loc, index(0), chunks, index(1));
  loop->setAttr("kiln.parallel", builder.getUnitAttr());
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value first = multiply(loop.getInductionVar(), size);
    Value left = arith::SubIOp::create(builder, loc, blocks, first);
    Value count = arith::MinUIOp::create(builder, loc, size, left);
    SmallVector<Value> sum = emitBlocks(kinds, types, count, [&](Value number) {
      return block(add(first, number));
    });
    storeSums(builder, loc, sum, sums, loop.getInductionVar());
  }
  return emitBlocks(kinds, types, chunks, [&](Value chunk) {
    return loadSums(builder, loc, sums, chunk);
  });
}

//===--- Accumulators -----------------------------------------------------===//

static Type elementOf(ReduceOp op) {
  return cast<RankedTensorType>(op.getType()).getElementType();
}

/// Bools are reduced as bytes: vectors of bits have no place in memory.
Type NestEmitter::accumulatorType(ReduceOp op, bool isVector) const {
  Type element = storageType(elementOf(op));
  return isVector ? Type(VectorType::get({lanes}, element)) : element;
}

Value NestEmitter::accumulate(ReduceOp op, Value accumulator, Value value,
                              Value mask) {
  Value next = emitCombine(builder, op.getLoc(), Combination(op), accumulator,
                           toStorage(builder, loc, value, elementOf(op)));
  return mask ? Value(arith::SelectOp::create(builder, loc, mask, next,
                                              accumulator))
              : next;
}

Emitted NestEmitter::fromAccumulators(ReduceOp op, ValueRange values) {
  Emitted result;
  result.isVector = isVectorized(op.getResult());
  for (Value value : values) {
    // One element is its own maximum, and LLVM leaves x of 1 * x.
    if (isa<FloatType>(elementOf(op)))
      value = FlushOp::create(builder, loc, value);
    result.registers.push_back(fromStorage(builder, loc, value, elementOf(op)));
  }
  return result;
}

/// An inner reduction whose columns are in registers: one block. Or an outer
/// one over dimensions of extent 1.
Emitted NestEmitter::reduceRegisters(ReduceOp op) {
  Emitted operand = operandOf(op.getOperandMutable());
  if (!isInnerReduction(op)) {
    bool isVector = isVectorized(op.getResult());
    if (isVector)
      operand = splat(operand, columns.registers);
    Value neutral = emitNeutral(builder, loc, Combination(op),
                                accumulatorType(op, isVector));
    SmallVector<Value> totals;
    for (Value value : operand.registers)
      totals.push_back(accumulate(op, neutral, value, Value()));
    return fromAccumulators(op, totals);
  }
  bool wide = nest.has(isInside(op.getOperand())
                           ? nest.values.lookup(op.getOperand())
                           : nest.leaves.lookup(&op.getOperandMutable()),
                       nest.inner);
  if (!wide) {
    Value neutral =
        emitNeutral(builder, loc, Combination(op), accumulatorType(op, false));
    return fromAccumulators(
        op, accumulate(op, neutral, operand.registers[0], Value()));
  }
  operand = splat(operand, columns.registers);
  Value accumulator =
      emitNeutral(builder, loc, Combination(op), accumulatorType(op, true));
  for (auto [index, value] : llvm::enumerate(operand.registers))
    accumulator =
        accumulate(op, accumulator, value,
                   columns.masks.empty() ? Value() : columns.masks[index]);
  return fromAccumulators(op, emitLanesByHalves(builder, op.getLoc(),
                                                Combination(op), accumulator));
}

} // namespace kiln::passes
