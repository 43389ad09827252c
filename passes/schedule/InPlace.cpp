// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides from the loop nest of a fusion whether a result may overwrite an
// input.
#include "passes/schedule/InPlace.h"

#include "dialect/Cost.h"
#include "passes/schedule/Schedule.h"

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

/// Whether the op needs, at some point of its loops, another element of the
/// operand than the one of that point.
static bool readsElsewhere(OpOperand &use) {
  auto op = cast<TensorOp>(use.getOwner());
  Extents from = extentsOf(use.get()), loops = op.getLoops();
  for (auto [extent, dim] : llvm::zip_equal(from, op.getAccess(use)))
    if (dim.needsMemory() || dim.isRepeatedInRun(extent, loops))
      return true;
  return false;
}

bool canWriteInPlace(FusionOp fusion, unsigned result, BlockArgument input) {
  Block &body = fusion.getBody().front();
  if (auto scatter = dyn_cast<ScatterOp>(body.front()))
    return input == scatter.getBase() && input.hasOneUse();
  SmallVector<Operation *> ops;
  for (Operation &op : body.without_terminator())
    ops.push_back(&op);
  FailureOr<OrderedNest> ordered = orderedNest(ops);
  if (failed(ordered))
    return false;
  const LoopNest &nest = ordered->nest;
  Value value = cast<YieldOp>(body.getTerminator()).getValues()[result];
  if (!nest.values.contains(value))
    return false;
  AxisList written = walked(nest.values.lookup(value));

  // The store must not be repeated: another iteration of a loop that the value
  // does not have would read it again.
  for (int axis = 0, end = nest.axes.size(); axis < end; ++axis)
    if (axis != nest.reduced && !nest.has(written, axis))
      return false;
  // Nor may a later stage over the same row read what this one wrote.
  if (ordered->order.form == LoopForm::Rows) {
    llvm::DenseMap<Value, int> stages = stagesOf(body);
    int last = 0;
    for (auto [stageValue, stage] : stages)
      last = std::max(last, stage);
    if (stages.lookup(value) != last)
      return false;
  }
  return llvm::none_of(input.getUses(), [&](OpOperand &use) {
    return isa<YieldOp>(use.getOwner()) || readsElsewhere(use) ||
           walked(nest.leaves.lookup(&use)) != written;
  });
}

bool takesLong(FusionOp fusion) {
  // Unknown extents are taken as large.
  constexpr double tolerated = 100e6, worthACopy = 3, unknown = 1e9;
  Block &body = fusion.getBody().front();
  double time = 0, copies = 0;
  for (TensorOp op : body.getOps<TensorOp>())
    if (!isa<ScatterOp>(op)) // takes what making its updates took
      time += nativeNanoseconds(op, unknown);
  for (Value value : cast<YieldOp>(body.getTerminator()).getValues())
    copies += copyNanoseconds * elementsOf(extentsOf(value), unknown);
  return time > std::max(tolerated, worthACopy * copies);
}

} // namespace kiln::passes
