// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Optimizers whose step is one op: gradient descent, momentum, Adadelta,
// RMSProp.
#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/Optimizers.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/MathOps.h"

namespace kiln {

GradientDescentOptimizer::GradientDescentOptimizer(
    const Input &learningRate, const GradientDescentOptions &options)
    : Optimizer(options.name, options.useLocking), learningRate(learningRate) {}

void GradientDescentOptimizer::prepare() {
  prepareNumber("learning_rate", learningRate);
}

const Node *GradientDescentOptimizer::applyDense(const Output &gradient,
                                                 const Variable &variable) {
  return addUpdate(
      variable, "ApplyGradientDescent",
      {variable.handle(), prepared("learning_rate", variable), gradient});
}

const Node *GradientDescentOptimizer::applySparse(const IndexedSlices &gradient,
                                                  const Variable &variable) {
  return applySparseDuplicates(gradient, variable);
}

// Differences add up: rows that come twice need not be summed first.
const Node *
GradientDescentOptimizer::applySparseDuplicates(const IndexedSlices &gradient,
                                                const Variable &variable) {
  Output rate = prepared("learning_rate", variable);
  GraphBuilder graph = GraphBuilder::current();
  if (variable.isResource()) {
    Output rise = -gradient.values * rate;
    return graph.addOp({.op = "ResourceScatterAdd",
                        .inputs = {Input(variable.handle()),
                                   Input(gradient.indices), Input(rise)}});
  }
  return addUpdate(
      variable, "ScatterSub",
      {variable.handle(), gradient.indices, gradient.values * rate});
}

ProximalGradientDescentOptimizer::ProximalGradientDescentOptimizer(
    const Input &learningRate, const ProximalGradientDescentOptions &options)
    : OneOpOptimizer(learningRate, options.name, options.useLocking),
      options(options) {}

void ProximalGradientDescentOptimizer::prepare() {
  OneOpOptimizer::prepare();
  prepareNumber("l1_regularization_strength", options.l1RegularizationStrength);
  prepareNumber("l2_regularization_strength", options.l2RegularizationStrength);
}

const Node *
ProximalGradientDescentOptimizer::update(const std::string &apply,
                                         const std::vector<OpInput> &gradient,
                                         const Variable &variable) {
  return addUpdate(variable, apply + "ProximalGradientDescent",
                   inputsOf(variable, {},
                            {"learning_rate", "l1_regularization_strength",
                             "l2_regularization_strength"},
                            gradient));
}

MomentumOptimizer::MomentumOptimizer(const Input &learningRate,
                                     const Input &momentum,
                                     const MomentumOptions &options)
    : OneOpOptimizer(learningRate, options.name, options.useLocking),
      momentum(momentum), options(options) {}

void MomentumOptimizer::createSlots(const std::vector<Variable> &variables) {
  for (const Variable &variable : variables)
    zerosSlot(variable, "momentum", name());
}

void MomentumOptimizer::prepare() {
  OneOpOptimizer::prepare();
  prepareNumber("momentum", momentum);
}

const Node *MomentumOptimizer::update(const std::string &apply,
                                      const std::vector<OpInput> &gradient,
                                      const Variable &variable) {
  std::vector<OpInput> inputs =
      inputsOf(variable, {"momentum"}, {"learning_rate"}, gradient);
  inputs.push_back(prepared("momentum", variable));
  return addUpdate(variable, apply + "Momentum", std::move(inputs),
                   {{"use_nesterov", options.useNesterov}});
}

AdadeltaOptimizer::AdadeltaOptimizer(const Input &learningRate,
                                     const AdadeltaOptions &options)
    : OneOpOptimizer(learningRate, options.name, options.useLocking),
      options(options) {}

void AdadeltaOptimizer::createSlots(const std::vector<Variable> &variables) {
  for (const Variable &variable : variables) {
    zerosSlot(variable, "accum", name());
    zerosSlot(variable, "accum_update", name());
  }
}

void AdadeltaOptimizer::prepare() {
  prepareNumber("lr", learningRate);
  prepareNumber("rho", options.rho);
  prepareNumber("epsilon", options.epsilon);
}

const Node *AdadeltaOptimizer::update(const std::string &apply,
                                      const std::vector<OpInput> &gradient,
                                      const Variable &variable) {
  return addUpdate(variable, apply + "Adadelta",
                   inputsOf(variable, {"accum", "accum_update"},
                            {"lr", "rho", "epsilon"}, gradient));
}

RMSPropOptimizer::RMSPropOptimizer(const Input &learningRate,
                                   const RMSPropOptions &options)
    : OneOpOptimizer(learningRate, options.name, options.useLocking),
      options(options) {}

void RMSPropOptimizer::createSlots(const std::vector<Variable> &variables) {
  for (const Variable &variable : variables) {
    Initializer ones = onesInitializer();
    if (!variable.shape().isFullyDefined())
      ones = Initializer(Input(ops::onesLike(variable)));
    makeSlot(variable, "rms", name(), ones);
    if (options.centered)
      zerosSlot(variable, "mg", name());
    zerosSlot(variable, "momentum", name());
  }
}

void RMSPropOptimizer::prepare() {
  OneOpOptimizer::prepare();
  prepareNumber("decay", options.decay);
  prepareNumber("momentum", options.momentum);
  prepareNumber("epsilon", options.epsilon);
}

const Node *RMSPropOptimizer::update(const std::string &apply,
                                     const std::vector<OpInput> &gradient,
                                     const Variable &variable) {
  std::vector<std::string_view> slots{"rms", "momentum"};
  if (options.centered)
    slots.insert(slots.begin(), "mg");
  return addUpdate(
      variable, apply + (options.centered ? "CenteredRMSProp" : "RMSProp"),
      inputsOf(variable, slots,
               {"learning_rate", "decay", "momentum", "epsilon"}, gradient));
}

} // namespace kiln
