// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers the activation functions of neural networks and their gradients.
//
// Formulas keep TensorFlow's order of operations and its choices for NaN.
// Sigmoid, Elu, Selu and Softplus have accurate forms of their own in float32
// and float64; in float16 and bfloat16 their steps are TensorFlow's, found by
// comparing all 65,536 inputs with 2.21.
#include "lib/Ops/Math/LoweringElements.h"

#include <limits>

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

/// e to the x, less 1: TensorFlow subtracts, which Kiln follows only where the
/// loss is part of the narrow type's rounding.
Value powerLessOne(IrBuilder &ir, Value x) {
  return ir.roundsSteps() ? ir.sub(ir.exp(x), ir.like(x, 1))
                          : ir.unary<ir::Expm1Op>(x);
}
Value elu(IrBuilder &ir, Value x) {
  return ir.select(ir.compare(Predicate::lt, x, 0.0), powerLessOne(ir, x), x);
}
Value selu(IrBuilder &ir, Value x) {
  return ir.select(ir.compare(Predicate::lt, x, 0.0),
                   ir.mul(ir.like(x, kSeluScaleAlpha), powerLessOne(ir, x)),
                   ir.mul(ir.like(x, kSeluScale), x));
}
// Where exp(x) overflows its quotient is no number.
Value sigmoid(IrBuilder &ir, Value x) {
  if (!ir.roundsSteps())
    return ir.unary<ir::SigmoidOp>(x);
  Value power = ir.exp(x), one = ir.like(x, 1);
  Value isInfinite =
      ir.compare(Predicate::eq, power, std::numeric_limits<double>::infinity());
  return ir.select(isInfinite, one, ir.div(power, ir.add(one, power)));
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

/// Where log(1 + exp(x)) is x, and below minus which it is exp(x), for the
/// narrow types: -(log(epsilon) + 2) in their rounding, with the epsilons of
/// Eigen's, 2^-13 for float16 and 2^-7 for bfloat16.
constexpr double kSoftplusLinearFloat16 = 7.0078125,
                 kSoftplusLinearBFloat16 = 2.84375;

Status lowerSoftplus(LoweringContext &ctx) {
  IrBuilder &ir = ctx.ir();
  IrBuilder::RoundSteps rounding(ir, elementOfInput(ctx));
  Value x = ctx.input(0);
  if (!ir.roundsSteps()) {
    ctx.setOutput(0, ir.unary<ir::SoftplusOp>(x));
    return okStatus();
  }
  double linear = ctx.inputDType(0) == DType::Float16 ? kSoftplusLinearFloat16
                                                      : kSoftplusLinearBFloat16;
  Value power = ir.exp(x);
  Value below = ir.select(ir.compare(Predicate::lt, x, -linear), power,
                          ir.unary<ir::Log1pOp>(power));
  ctx.setOutput(0, ir.select(ir.compare(Predicate::gt, x, linear), x, below));
  return okStatus();
}

} // namespace

void registerActivationLowerings(LoweringRegistry &registry) {
  registry.add({{"Relu", lowerOne<relu>},
                {"Relu6", lowerOne<relu6>},
                {"Elu", lowerOne<elu>},
                {"Selu", lowerOne<selu>},
                {"Sigmoid", lowerOne<sigmoid>},
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
