// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides from the loop nest of a fusion whether a result may overwrite an
// input.
#include "passes/InPlace.h"

#include "passes/ElementaryIr.h"
#include "passes/LoopNest.h"

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {

/// The axes of a value without its dimensions of extent 1: two such lists that
/// are equal walk their buffers alike.
static AxisList walked(AxisList list) {
  llvm::erase(list, unwalked);
  return list;
}

/// How many inner reductions must be complete before each value is.
static llvm::DenseMap<Value, int> stagesOf(Block &body) {
  llvm::DenseMap<Value, int> stages;
  for (Operation &op : body.without_terminator()) {
    int stage = 0;
    for (Value operand : op.getOperands())
      stage = std::max(stage, stages.lookup(operand));
    if (auto reduce = dyn_cast<ReduceOp>(op);
        reduce && isInnerReduction(reduce))
      ++stage;
    stages[op.getResult(0)] = stage;
  }
  return stages;
}

bool canWriteInPlace(FusionOp fusion, unsigned result, BlockArgument input) {
  Block &body = fusion.getBody().front();
  SmallVector<Operation *> ops;
  for (Operation &op : body.without_terminator())
    ops.push_back(&op);
  FailureOr<LoopNest> nest = analyzeLoopNest(ops);
  if (failed(nest))
    return false;
  Value value = cast<YieldOp>(body.getTerminator()).getValues()[result];
  if (!nest->values.contains(value))
    return false;
  AxisList written = walked(nest->values.lookup(value));

  // The store must not be repeated: another turn of a loop that the value does
  // not have would read it again.
  for (int axis = 0, end = nest->axes.size(); axis < end; ++axis)
    if (axis != nest->reduced && !nest->has(written, axis))
      return false;
  // Nor may a later stage over the same row read what this one wrote.
  if (nest->schedule == Schedule::Rows) {
    llvm::DenseMap<Value, int> stages = stagesOf(body);
    int last = 0;
    for (auto [stageValue, stage] : stages)
      last = std::max(last, stage);
    if (stages.lookup(value) != last)
      return false;
  }
  for (OpOperand &use : input.getUses()) {
    if (isa<YieldOp>(use.getOwner()))
      return false;
    if (isa<SliceOp, GatherOp>(use.getOwner()) ||
        walked(nest->leaves.lookup(&use)) != written)
      return false;
    if (auto broadcast = dyn_cast<BroadcastOp>(use.getOwner()))
      for (auto [index, target] : llvm::enumerate(broadcast.getMap())) {
        Extent from = extentsOf(broadcast.getOperand())[index];
        if (!from.isKnown(1) &&
            from != extentsOf(broadcast.getResult())[target])
          return false;
      }
  }
  return true;
}

bool mayFail(FusionOp fusion) {
  return fusion.getBody()
      .walk([](Operation *op) {
        bool integer =
            op->getNumResults() == 1 &&
            isa<IntegerType>(cast<RankedTensorType>(op->getResult(0).getType())
                                 .getElementType());
        auto slice = dyn_cast<SliceOp>(op);
        bool fails =
            isa<GatherOp>(op) || (slice && slice.getDynamicStarts()) ||
            (integer && isa<DivOp, RemOp, FloorDivOp, FloorModOp, PowOp>(op));
        return fails ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Elements of the extents, each unknown one taken as large.
static double elementsOf(ArrayRef<Extent> extents) {
  double elements = 1;
  for (const Extent &extent : extents)
    elements *= extent.isKnown() ? double(extent.value) : 1e9;
  return elements;
}

/// What an op of a fusion takes on one thread, in nanoseconds, to within a
/// factor of about three.
static double nanosecondsOf(Operation &op) {
  constexpr double multiplication = 0.025, reduced = 0.3, random = 4,
                   elementary = 0.6, division = 0.25, scattered = 3,
                   other = 0.05;
  if (auto matmul = dyn_cast<MatmulOp>(op)) {
    Extents left = extentsOf(matmul.getLhs());
    Extent inner = left[left.size() - (matmul.getTransposeLhs() ? 2 : 1)];
    return multiplication * elementsOf(inner) *
           elementsOf(extentsOf(matmul.getResult()));
  }
  if (isa<ReduceOp, ArgReduceOp>(op))
    return reduced * elementsOf(extentsOf(op.getOperand(0)));
  double each = isa<RandomOp, RandomIntOp>(op)           ? random
                : isElementary(op)                       ? elementary
                : isa<TransposeOp, GatherOp>(op)         ? scattered
                : isa<DivOp, RemOp, SqrtOp, RsqrtOp>(op) ? division
                                                         : other;
  return each * elementsOf(extentsOf(op.getResult(0)));
}

bool takesLong(FusionOp fusion) {
  constexpr double tolerated = 100e6, copied = 0.3, worthACopy = 3;
  Block &body = fusion.getBody().front();
  double time = 0, copies = 0;
  for (Operation &op : body.without_terminator())
    time += nanosecondsOf(op);
  for (Value value : cast<YieldOp>(body.getTerminator()).getValues())
    copies += copied * elementsOf(extentsOf(value));
  return time > std::max(tolerated, worthACopy * copies);
}

} // namespace kiln::passes
