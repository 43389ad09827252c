// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Multiplies the steps of an op by what each costs.
#include "dialect/Cost.h"

#include "dialect/Kiln.h"

#include <algorithm>

using namespace mlir;

namespace kiln::ir {

/// What the evaluator takes for an op whatever its size, in nanoseconds: 140 to
/// 450 (kiln-bench-evaluator, EPYC, November 2026).
static constexpr double evaluatorOp = 300;
/// And for each element that a reduction gives, however little it combines.
static constexpr double evaluatorReduction = 20;

const StepCost &stepCost(CostKind kind) {
  static constexpr StepCost table[] = {
#define KILN_COST(Kind, Flops, Nanoseconds, VectorOps, EvaluatorNanoseconds,   \
                  CompileNanoseconds)                                          \
  {Flops, Nanoseconds, VectorOps, EvaluatorNanoseconds, CompileNanoseconds},
#include "dialect/Cost.def"
  };
  return table[static_cast<size_t>(kind)];
}

const StepCost &stepCost(Operation *op) {
  auto tensorOp = dyn_cast<TensorOp>(op);
  return stepCost(tensorOp ? tensorOp.getCostKind() : CostKind::Arithmetic);
}

double elementsOf(ArrayRef<Extent> extents, double unknown) {
  double elements = 1;
  for (const Extent &extent : extents)
    elements *= extent.isKnown() ? double(extent.value) : unknown;
  return elements;
}

double nativeNanoseconds(Operation *op, double unknown) {
  return stepCost(op).nanoseconds *
         elementsOf(cast<TensorOp>(op).getLoops(), unknown);
}

/// Whether the result is one element, repeated, of which no copy is made.
static bool isSplat(TensorOp op) {
  auto broadcast = dyn_cast<BroadcastOp>(op.getOperation());
  return broadcast &&
         llvm::all_of(extentsOf(broadcast.getOperand()),
                      [](Extent extent) { return extent.isKnown(1); });
}

/// Whether the evaluator shares the op's loops among threads.
static bool isEvaluatedTogether(TensorOp op) {
  return isContraction(op.getOperation()) ||
         (op.getPlacement() == Placement::Nest &&
          op.getCostKind() != CostKind::Draw);
}

void evaluatorExcess(Operation *op, int threads,
                     function_ref<void(double, ArrayRef<Extent>)> add) {
  const StepCost &cost = stepCost(op);
  auto tensorOp = dyn_cast<TensorOp>(op);
  add(evaluatorOp, {});
  if (!tensorOp || isSplat(tensorOp) ||
      tensorOp.getCostKind() == CostKind::Call) // native code calls it, too
    return;
  double share = isEvaluatedTogether(tensorOp) ? threads : 1;
  double own = cost.evaluatorNanoseconds / share;
  if (tensorOp.getCostKind() == CostKind::Reduction)
    add(evaluatorReduction / share, resultExtentsOf(op));
  add(std::max(own - cost.nanoseconds / threads, 0.0), tensorOp.getLoops());
}

double nativeCompileTime(Operation *op) {
  return stepCost(op).compileNanoseconds;
}

} // namespace kiln::ir
