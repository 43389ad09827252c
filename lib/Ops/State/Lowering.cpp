// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers variables, assignments and optimizer steps: reads, arithmetic, writes.
//
// Reference ops (Assign, ApplyAdam ...) and resource ops (AssignVariableOp,
// ResourceApplyAdam ...) have the same inputs; the former also give a view of
// their first variable. The arithmetic is in TensorFlow's order of operations,
// checked bit by bit against 2.21.
#include "lib/Import/LoweringRegistry.h"
#include "lib/Support/StatusMacros.h"

namespace kiln {
namespace {

using Context = LoweringContext;

//===--- Variables --------------------------------------------------------===//

Status lowerVariable(Context &ctx) { return ctx.declareVariable(); }

Status lowerReadVariable(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(int variable, ctx.variable(0));
  ctx.setOutput(0, ctx.readVariable(variable));
  return okStatus();
}

Status lowerIsInitialized(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(int variable, ctx.variable(0));
  ctx.setOutput(0, ctx.isInitialized(variable));
  return okStatus();
}

/// Writes, and gives the view that a reference op has as output.
Status finishUpdate(Context &ctx, int variable, Value value) {
  KILN_RETURN_IF_ERROR(ctx.writeVariable(variable, value));
  if (ctx.numOutputs() > 0)
    ctx.setOutputView(0, variable);
  return okStatus();
}

Status lowerAssign(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(int variable, ctx.variable(0));
  return finishUpdate(ctx, variable, ctx.input(1));
}

template <class Op> Status lowerAssignUpdate(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(int variable, ctx.variable(0));
  Value delta = ctx.input(1), old = ctx.readVariable(variable);
  return finishUpdate(ctx, variable, ctx.ir().binary<Op>(old, delta));
}

//===--- Optimizer steps --------------------------------------------------===//

/// var -= grad * alpha
Status lowerGradientDescent(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(int var, ctx.variable(0));
  IrBuilder &ir = ctx.ir();
  IrBuilder::RoundSteps rounding(ir, ctx.variableElement(var));
  Value alpha = ctx.input(1), grad = ctx.input(2);
  return finishUpdate(ctx, var,
                      ir.sub(ctx.readVariable(var), ir.mul(grad, alpha)));
}

/// accum = accum * momentum + grad; var -= accum * lr, or with Nesterov var -=
/// grad * lr + accum * momentum * lr
Status lowerMomentum(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(int var, ctx.variable(0));
  KILN_ASSIGN_OR_RETURN(int accum, ctx.variable(1));
  IrBuilder &ir = ctx.ir();
  IrBuilder::RoundSteps rounding(ir, ctx.variableElement(var));
  Value lr = ctx.input(2), grad = ctx.input(3), momentum = ctx.input(4);
  Value speed = ir.add(ir.mul(ctx.readVariable(accum), momentum), grad);
  Value step =
      ctx.boolAttr("use_nesterov")
          ? ir.add(ir.mul(grad, lr), ir.mul(ir.mul(speed, momentum), lr))
          : ir.mul(speed, lr);
  Value moved = ir.sub(ctx.readVariable(var), step);
  KILN_RETURN_IF_ERROR(ctx.writeVariable(accum, speed));
  return finishUpdate(ctx, var, moved);
}

/// accum = accum * momentum - grad * lr; var += accum, or with Nesterov var +=
/// accum * momentum - grad * lr
Status lowerKerasMomentum(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(int var, ctx.variable(0));
  KILN_ASSIGN_OR_RETURN(int accum, ctx.variable(1));
  IrBuilder &ir = ctx.ir();
  IrBuilder::RoundSteps rounding(ir, ctx.variableElement(var));
  Value lr = ctx.input(2), grad = ctx.input(3), momentum = ctx.input(4);
  Value speed =
      ir.sub(ir.mul(ctx.readVariable(accum), momentum), ir.mul(grad, lr));
  Value step = ctx.boolAttr("use_nesterov")
                   ? ir.sub(ir.mul(speed, momentum), ir.mul(grad, lr))
                   : speed;
  Value moved = ir.add(ctx.readVariable(var), step);
  KILN_RETURN_IF_ERROR(ctx.writeVariable(accum, speed));
  return finishUpdate(ctx, var, moved);
}

/// alpha = lr * sqrt(1 - beta2_power) / (1 - beta1_power)
/// m += (grad - m) * (1 - beta1); v += (grad * grad - v) * (1 - beta2)
/// var -= (m * alpha) / (sqrt(v) + epsilon), with Nesterov of (grad * (1 -
/// beta1) + m * beta1) for m
Status lowerAdam(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(int var, ctx.variable(0));
  KILN_ASSIGN_OR_RETURN(int mSlot, ctx.variable(1));
  KILN_ASSIGN_OR_RETURN(int vSlot, ctx.variable(2));
  IrBuilder &ir = ctx.ir();
  IrBuilder::RoundSteps rounding(ir, ctx.variableElement(var));
  Value beta1Power = ctx.input(3), beta2Power = ctx.input(4), lr = ctx.input(5),
        beta1 = ctx.input(6), beta2 = ctx.input(7), epsilon = ctx.input(8),
        grad = ctx.input(9);
  Value one = ir.like(lr, 1);
  Value alpha = ir.div(ir.mul(lr, ir.sqrt(ir.sub(one, beta2Power))),
                       ir.sub(one, beta1Power));
  Value oldM = ctx.readVariable(mSlot), oldV = ctx.readVariable(vSlot);
  Value m = ir.add(oldM, ir.mul(ir.sub(grad, oldM), ir.sub(one, beta1)));
  Value v = ir.add(
      oldV, ir.mul(ir.sub(ir.mul(grad, grad), oldV), ir.sub(one, beta2)));
  Value direction =
      ctx.boolAttr("use_nesterov")
          ? ir.add(ir.mul(grad, ir.sub(one, beta1)), ir.mul(m, beta1))
          : m;
  Value step = ir.div(ir.mul(direction, alpha), ir.add(ir.sqrt(v), epsilon));
  Value moved = ir.sub(ctx.readVariable(var), step);
  KILN_RETURN_IF_ERROR(ctx.writeVariable(mSlot, m));
  KILN_RETURN_IF_ERROR(ctx.writeVariable(vSlot, v));
  return finishUpdate(ctx, var, moved);
}

} // namespace

void registerStateLowerings(LoweringRegistry &registry) {
  registry.addMoves({{"VariableV2", lowerVariable},
                     {"VarHandleOp", lowerVariable},
                     {"ReadVariableOp", lowerReadVariable},
                     {"IsVariableInitialized", lowerIsInitialized},
                     {"VarIsInitializedOp", lowerIsInitialized},
                     {"Assign", lowerAssign},
                     {"AssignVariableOp", lowerAssign}});
  registry.add({{"AssignAdd", lowerAssignUpdate<ir::AddOp>},
                {"AssignAddVariableOp", lowerAssignUpdate<ir::AddOp>},
                {"AssignSub", lowerAssignUpdate<ir::SubOp>},
                {"AssignSubVariableOp", lowerAssignUpdate<ir::SubOp>}});
  registry.add({{"ApplyGradientDescent", lowerGradientDescent},
                {"ResourceApplyGradientDescent", lowerGradientDescent},
                {"ApplyMomentum", lowerMomentum},
                {"ResourceApplyMomentum", lowerMomentum},
                {"ResourceApplyKerasMomentum", lowerKerasMomentum},
                {"ApplyAdam", lowerAdam},
                {"ResourceApplyAdam", lowerAdam}});
}

} // namespace kiln
