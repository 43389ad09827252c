// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Multiplies the steps of an op by what each costs.
#include "dialect/Cost.h"

#include "dialect/Kiln.h"

using namespace mlir;

namespace kiln::ir {

/// What the evaluator takes for an op whatever its size, in nanoseconds.
static constexpr double evaluatorOp = 1'000;

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

void evaluatorTime(Operation *op,
                   function_ref<void(double, ArrayRef<Extent>)> add) {
  double nanoseconds = stepCost(op).evaluatorNanoseconds;
  auto tensorOp = dyn_cast<TensorOp>(op);
  add(evaluatorOp, {});
  if (tensorOp && tensorOp.getCostKind() != CostKind::Call)
    return add(nanoseconds, tensorOp.getLoops());
  auto addElements = [&](Value value) {
    if (isa<RankedTensorType>(value.getType()))
      add(nanoseconds, extentsOf(value));
  };
  llvm::for_each(op->getOperands(), addElements);
  llvm::for_each(op->getResults(), addElements);
}

double nativeCompileTime(Operation *op) {
  return stepCost(op).compileNanoseconds;
}

} // namespace kiln::ir
