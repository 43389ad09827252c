// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowerings made of functions on broadcast operands.
#ifndef KILN_LIB_OPS_MATH_LOWERINGELEMENTS_H
#define KILN_LIB_OPS_MATH_LOWERINGELEMENTS_H

#include "lib/Import/LoweringRegistry.h"

namespace kiln {

/// Input i broadcast to the shape of the output.
inline Value broadcastInput(LoweringContext &ctx, int i) {
  Value value = ctx.input(i);
  return ctx.ir().broadcast(
      value,
      ir::withElementType(ctx.outputType(), IrBuilder::elementOf(value)));
}

/// Kernels that are formulas of Eigen's round float16 and bfloat16 at each
/// step.
inline mlir::Type elementOfInput(LoweringContext &ctx) {
  return ctx.ir().elementType(ctx.inputDType(0));
}

/// A lowering of one operand from a function (IrBuilder, x) -> y.
template <Value (*compute)(IrBuilder &, Value)>
Status lowerOne(LoweringContext &ctx) {
  IrBuilder::RoundSteps rounding(ctx.ir(), elementOfInput(ctx));
  ctx.setOutput(0, compute(ctx.ir(), ctx.input(0)));
  return okStatus();
}

/// A lowering of two broadcast operands from a function (IrBuilder, x, y) -> z.
template <Value (*compute)(IrBuilder &, Value, Value)>
Status lowerTwo(LoweringContext &ctx) {
  IrBuilder::RoundSteps rounding(ctx.ir(), elementOfInput(ctx));
  Value x = broadcastInput(ctx, 0), y = broadcastInput(ctx, 1);
  ctx.setOutput(0, compute(ctx.ir(), x, y));
  return okStatus();
}

/// Relu, Elu and their kin, with their gradients (LoweringActivations.cpp).
void registerActivationLowerings(LoweringRegistry &registry);

} // namespace kiln

#endif // KILN_LIB_OPS_MATH_LOWERINGELEMENTS_H
