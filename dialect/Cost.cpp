// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Multiplies the steps of an op by what each costs.
#include "dialect/Cost.h"

#include "dialect/Kiln.h"

using namespace mlir;

namespace kiln::ir {

/// What the evaluator takes for an element that an op reads or writes, and for
/// a product of a contraction (measured at -O2 on one core: 50 million
/// elements, 400 million products a second).
static constexpr double evaluatorElement = 20, evaluatorProduct = 2.5;
/// The elements of a call's operands and results stand for so many: an inverse
/// takes n^3 for n^2 elements.
static constexpr double evaluatorCall = 100;
/// What an op takes whatever its size.
static constexpr double evaluatorOp = 1'000;

const StepCost &stepCost(CostKind kind) {
  static constexpr StepCost table[] = {
#define KILN_COST(Kind, Flops, Nanoseconds, VectorOps)                         \
  {Flops, Nanoseconds, VectorOps},
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
  auto tensorOp = dyn_cast<TensorOp>(op);
  CostKind kind = tensorOp ? tensorOp.getCostKind() : CostKind::Arithmetic;
  double element =
      evaluatorElement * (kind == CostKind::Call ? evaluatorCall : 1);
  add(evaluatorOp, {});
  auto addElements = [&](Value value) {
    if (isa<RankedTensorType>(value.getType()))
      add(element, extentsOf(value));
  };
  llvm::for_each(op->getOperands(), addElements);
  llvm::for_each(op->getResults(), addElements);
  if (kind == CostKind::Contraction)
    add(evaluatorProduct, tensorOp.getLoops());
}

double nativeCompileTime(Operation *op) {
  return op->hasTrait<OpTrait::Elementwise>() ? 300'000 : 4'000'000;
}

} // namespace kiln::ir
