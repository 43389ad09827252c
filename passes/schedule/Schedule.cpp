// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the order of loops, the widths of steps and tiles, and what threads
// share.
#include "passes/schedule/Schedule.h"

#include <algorithm>

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {

//===--- Order ------------------------------------------------------------===//

static LogicalResult refuse(std::string *why, const char *reason) {
  if (why)
    *why = reason;
  return failure();
}

static int64_t innerRegistersOf(const LoopNest &nest) {
  if (nest.inner < 0)
    return 1;
  std::optional<int64_t> extent = nest.axes[nest.inner].knownExtent();
  if (!extent || *extent > maxRegisterColumns)
    return 0;
  return std::max<int64_t>(1, llvm::divideCeil(*extent, lanes));
}

FailureOr<LoopOrder> orderLoops(const LoopNest &nest, std::string *why) {
  LoopOrder order;
  order.innerRegisters = innerRegistersOf(nest);
  if (nest.hasInnerReduction && nest.hasOuterReduction &&
      order.innerRegisters == 0)
    return refuse(
        why, "inner and outer reductions over columns too wide for registers");
  if (nest.hasOuterReduction ||
      (nest.hasInnerReduction && order.innerRegisters != 0))
    order.form = LoopForm::Tiles;
  for (int axis = 0, end = nest.axes.size(); axis < end; ++axis)
    if (nest.axes[axis].level == Level::Parallel ||
        (axis == nest.inner && order.form == LoopForm::Tiles &&
         order.innerRegisters == 0))
      order.storeAxes.push_back(axis);
  // Tiles of wide columns allow no value that needs all columns of a row.
  for (Value value : nest.stored) {
    AxisList own = nest.values.lookup(value);
    if (!llvm::all_of(order.storeAxes,
                      [&](int axis) { return nest.has(own, axis); }))
      return refuse(why, "a result stored inside a loop that it does not have");
  }
  return order;
}

FailureOr<OrderedNest> orderedNest(ArrayRef<Operation *> ops,
                                   std::string *why) {
  FailureOr<LoopNest> nest = analyzeLoopNest(ops, why);
  if (failed(nest))
    return failure();
  FailureOr<LoopOrder> order = orderLoops(*nest, why);
  if (failed(order))
    return failure();
  return OrderedNest{std::move(*nest), std::move(*order)};
}

//===--- Rows -------------------------------------------------------------===//

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

static void chooseRows(FusionOp fusion, const LoopNest &nest,
                       const VectorTarget &target, Schedule &schedule) {
  auto ops = fusion.getBody().front().without_terminator();
  int last = 0;
  for (Operation &op : ops) {
    int stage = 0;
    for (Value operand : op.getOperands())
      if (Operation *def = operand.getDefiningOp())
        stage =
            std::max(stage, schedule.stageOf.lookup(def) + isa<ReduceOp>(def));
    schedule.stageOf[&op] = stage;
    last = std::max(last, stage + isa<ReduceOp>(op));
  }
  // What earlier stages compute may be computed again.
  SmallVector<int64_t> bodyOps(last + 1);
  SmallVector<bool> hasFunctions(last + 1);
  for (Operation &op : ops) {
    if (!nest.has(nest.values.lookup(op.getResult(0)), nest.inner))
      continue;
    const int64_t vectorOps = stepCost(&op).vectorOps;
    for (int stage = schedule.stageOf.lookup(&op); stage <= last; ++stage) {
      bodyOps[stage] += vectorOps;
      hasFunctions[stage] = hasFunctions[stage] || vectorOps > 1;
    }
  }
  for (auto [vectorOps, functions] : llvm::zip_equal(bodyOps, hasFunctions))
    schedule.stages.push_back(
        {vectorsOfStep(vectorOps, functions, target.unroll),
         isAlwaysMasked(vectorOps, target.unroll)});
  if (nest.inner >= 0 && nest.axes.size() == 1) {
    std::optional<int64_t> columns = nest.axes[nest.inner].foldedExtent();
    schedule.sharesColumns = !columns || *columns > chunkElements;
  }
}

//===--- Tiles ------------------------------------------------------------===//

/// Registers of a tile of a wide axis: memory gives much more where whole rows
/// are read. Sums of 100,352 rows of 128 columns on Zen 4 (25 November 2026,
/// two threads), with tiles of 4 and 8: 2.9 and 1.2 ms.
static int64_t tileRegistersOf(int64_t rowOps, int64_t unroll, bool isKnown) {
  constexpr int64_t least = 4, largeBody = 16;
  return isKnown && rowOps <= largeBody ? std::max(2 * unroll, least) : least;
}

static void chooseTiles(FusionOp fusion, const LoopNest &nest,
                        const VectorTarget &target, Schedule &schedule) {
  if (schedule.isOneTile()) {
    schedule.tileRegisters = schedule.order.innerRegisters;
  } else {
    int64_t rowOps = llvm::count_if(
        fusion.getBody().front().without_terminator(), [&](Operation &op) {
          return isa<ReduceOp>(op) ||
                 nest.has(nest.values.lookup(op.getResult(0)), nest.reduced);
        });
    schedule.tileRegisters =
        tileRegistersOf(rowOps, target.unroll,
                        nest.axes[nest.inner].foldedExtent().has_value());
  }
  if (nest.reduced < 0)
    return;
  std::optional<int64_t> rows = nest.axes[nest.reduced].foldedExtent();
  schedule.sharesBlocks =
      llvm::none_of(
          nest.axes,
          [](const Axis &axis) { return axis.level == Level::Parallel; }) &&
      (!rows || *rows > leastBlocksOfChunk * reduction::outerBlock);
}

//===--- Both -------------------------------------------------------------===//

/// Whether threads share iterations of the first two axes: there may be a
/// single image, but it has many rows. Below them must be more than a row of
/// elements, beside which a division costs nothing.
static bool sharesTwoAxes(const LoopNest &nest) {
  constexpr int64_t enough = 64;
  SmallVector<const Axis *> parallel;
  for (const Axis &axis : nest.axes)
    if (axis.level == Level::Parallel)
      parallel.push_back(&axis);
  if (parallel.size() < 3 || !parallel[1]->foldedExtent())
    return false;
  std::optional<int64_t> first = parallel[0]->foldedExtent();
  return !first || *first < enough;
}

FailureOr<Schedule> chooseSchedule(FusionOp fusion, const LoopNest &nest,
                                   const VectorTarget &target,
                                   std::string *why) {
  FailureOr<LoopOrder> order = orderLoops(nest, why);
  if (failed(order))
    return failure();
  Schedule schedule;
  schedule.order = std::move(*order);
  schedule.sharesTwoAxes = sharesTwoAxes(nest);
  if (schedule.order.form == LoopForm::Rows)
    chooseRows(fusion, nest, target, schedule);
  else
    chooseTiles(fusion, nest, target, schedule);
  schedule.streaming = chooseStreaming(fusion, target.minStreamedBytes);
  return schedule;
}

} // namespace kiln::passes
