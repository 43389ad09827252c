// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers the activation functions of neural networks and their gradients.
//
// Formulas keep TensorFlow's order of operations and its choices for NaN.
#include "lib/Ops/Math/LoweringElements.h"

namespace kiln {
namespace {

using ir::Predicate;

// A NaN is not <= 0 and stays; -0 becomes 0, as in TensorFlow.
Value relu(IrBuilder &ir, Value x) {
  return ir.select(ir.compare(Predicate::le, x, 0.0), ir.like(x, 0), x);
}
Value relu6(IrBuilder &ir, Value x) {
  Value limited =
      ir.select(ir.compare(Predicate::ge, x, 6.0), ir.like(x, 6), x);
  return ir.select(ir.compare(Predicate::le, x, 0.0), ir.like(x, 0), limited);
}

// The constants of self-normalizing networks: scale, and scale * alpha.
constexpr double kSeluScale = 1.0507009873554805,
                 kSeluScaleAlpha = 1.7580993408473769;

Value expm1(IrBuilder &ir, Value x) { return ir.unary<ir::Expm1Op>(x); }
Value elu(IrBuilder &ir, Value x) {
  return ir.select(ir.compare(Predicate::lt, x, 0.0), expm1(ir, x), x);
}
Value selu(IrBuilder &ir, Value x) {
  return ir.select(ir.compare(Predicate::lt, x, 0.0),
                   ir.mul(ir.like(x, kSeluScaleAlpha), expm1(ir, x)),
                   ir.mul(ir.like(x, kSeluScale), x));
}
Value absPlusOne(IrBuilder &ir, Value x) {
  return ir.add(ir.unary<ir::AbsOp>(x), ir.like(x, 1));
}
Value softsign(IrBuilder &ir, Value x) { return ir.div(x, absPlusOne(ir, x)); }

// The mask is multiplied, not selected: 0 * inf is NaN, as in TensorFlow.
Value reluGrad(IrBuilder &ir, Value gradients, Value features) {
  Value mask = ir.cast(ir.compare(Predicate::gt, features, 0.0),
                       IrBuilder::elementOf(features));
  return ir.mul(gradients, mask);
}
Value relu6Grad(IrBuilder &ir, Value gradients, Value features) {
  Value inside = ir.binary<ir::AndOp>(ir.compare(Predicate::gt, features, 0.0),
                                      ir.compare(Predicate::lt, features, 6.0));
  return ir.mul(gradients, ir.cast(inside, IrBuilder::elementOf(features)));
}
Value eluGrad(IrBuilder &ir, Value gradients, Value outputs) {
  return ir.select(ir.compare(Predicate::lt, outputs, 0.0),
                   ir.mul(ir.add(outputs, ir.like(outputs, 1)), gradients),
                   gradients);
}
Value seluGrad(IrBuilder &ir, Value gradients, Value outputs) {
  Value slope = ir.add(outputs, ir.like(outputs, kSeluScaleAlpha));
  return ir.select(ir.compare(Predicate::lt, outputs, 0.0),
                   ir.mul(gradients, slope),
                   ir.mul(gradients, ir.like(outputs, kSeluScale)));
}
Value softplusGrad(IrBuilder &ir, Value gradients, Value features) {
  Value power = ir.exp(ir.neg(features));
  return ir.div(gradients, ir.add(power, ir.like(features, 1)));
}
Value softsignGrad(IrBuilder &ir, Value gradients, Value features) {
  Value root = absPlusOne(ir, features);
  return ir.div(gradients, ir.mul(root, root));
}

/// x where `features` > 0, else alpha x: alpha is a float also for float64.
Value leaky(LoweringContext &ctx, Value x, Value features) {
  IrBuilder &ir = ctx.ir();
  IrBuilder::RoundSteps rounding(ir, elementOfInput(ctx));
  Value scaled = ir.mul(x, ir.like(x, double(ctx.floatAttr("alpha"))));
  return ir.select(ir.compare(Predicate::gt, features, 0.0), x, scaled);
}
Status lowerLeakyRelu(LoweringContext &ctx) {
  Value features = ctx.input(0);
  ctx.setOutput(0, leaky(ctx, features, features));
  return okStatus();
}
Status lowerLeakyReluGrad(LoweringContext &ctx) {
  ctx.setOutput(0, leaky(ctx, broadcastInput(ctx, 0), broadcastInput(ctx, 1)));
  return okStatus();
}
Status lowerSoftplus(LoweringContext &ctx) {
  ctx.setOutput(0, ctx.ir().unary<ir::SoftplusOp>(ctx.input(0)));
  return okStatus();
}

} // namespace

void registerActivationLowerings(LoweringRegistry &registry) {
  registry.add({{"Relu", lowerOne<relu>},
                {"Relu6", lowerOne<relu6>},
                {"Elu", lowerOne<elu>},
                {"Selu", lowerOne<selu>},
                {"LeakyRelu", lowerLeakyRelu},
                {"Softplus", lowerSoftplus},
                {"Softsign", lowerOne<softsign>}});
  registry.add({{"ReluGrad", lowerTwo<reluGrad>},
                {"Relu6Grad", lowerTwo<relu6Grad>},
                {"EluGrad", lowerTwo<eluGrad>},
                {"SeluGrad", lowerTwo<seluGrad>},
                {"LeakyReluGrad", lowerLeakyReluGrad},
                {"SoftplusGrad", lowerTwo<softplusGrad>},
                {"SoftsignGrad", lowerTwo<softsignGrad>}});
}

} // namespace kiln
