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
  prepareAs("learning_rate", learningRate);
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
    : Optimizer(options.name, options.useLocking), learningRate(learningRate),
      options(options) {}

void ProximalGradientDescentOptimizer::prepare() {
  prepareAs("learning_rate", learningRate);
  prepareAs("l1_regularization_strength", options.l1RegularizationStrength);
  prepareAs("l2_regularization_strength", options.l2RegularizationStrength);
}

const Node *
ProximalGradientDescentOptimizer::applyDense(const Output &gradient,
                                             const Variable &variable) {
  return addUpdate(variable, "ApplyProximalGradientDescent",
                   {variable.handle(), prepared("learning_rate", variable),
                    prepared("l1_regularization_strength", variable),
                    prepared("l2_regularization_strength", variable),
                    gradient});
}

const Node *
ProximalGradientDescentOptimizer::applySparse(const IndexedSlices &gradient,
                                              const Variable &variable) {
  return addUpdate(variable, "SparseApplyProximalGradientDescent",
                   {variable.handle(), prepared("learning_rate", variable),
                    prepared("l1_regularization_strength", variable),
                    prepared("l2_regularization_strength", variable),
                    gradient.values, gradient.indices});
}

MomentumOptimizer::MomentumOptimizer(const Input &learningRate,
                                     const Input &momentum,
                                     const MomentumOptions &options)
    : Optimizer(options.name, options.useLocking), learningRate(learningRate),
      momentum(momentum), options(options) {}

void MomentumOptimizer::createSlots(const std::vector<Variable> &variables) {
  for (const Variable &variable : variables)
    zerosSlot(variable, "momentum", name());
}

void MomentumOptimizer::prepare() {
  prepareAs("learning_rate", learningRate);
  prepareAs("momentum", momentum);
}

const Node *MomentumOptimizer::applyDense(const Output &gradient,
                                          const Variable &variable) {
  Variable accumulator = slot(variable, "momentum");
  return addUpdate(variable, "ApplyMomentum",
                   {variable.handle(), accumulator.handle(),
                    prepared("learning_rate", variable), gradient,
                    prepared("momentum", variable)},
                   {{"use_nesterov", options.useNesterov}});
}

const Node *MomentumOptimizer::applySparse(const IndexedSlices &gradient,
                                           const Variable &variable) {
  Variable accumulator = slot(variable, "momentum");
  return addUpdate(variable, "SparseApplyMomentum",
                   {variable.handle(), accumulator.handle(),
                    prepared("learning_rate", variable), gradient.values,
                    gradient.indices, prepared("momentum", variable)},
                   {{"use_nesterov", options.useNesterov}});
}

AdadeltaOptimizer::AdadeltaOptimizer(const Input &learningRate,
                                     const AdadeltaOptions &options)
    : Optimizer(options.name, options.useLocking), learningRate(learningRate),
      options(options) {}

void AdadeltaOptimizer::createSlots(const std::vector<Variable> &variables) {
  for (const Variable &variable : variables) {
    zerosSlot(variable, "accum", name());
    zerosSlot(variable, "accum_update", name());
  }
}

void AdadeltaOptimizer::prepare() {
  prepareAs("lr", learningRate);
  prepareAs("rho", options.rho);
  prepareAs("epsilon", options.epsilon);
}

const Node *AdadeltaOptimizer::applyDense(const Output &gradient,
                                          const Variable &variable) {
  return addUpdate(variable, "ApplyAdadelta",
                   {variable.handle(), slot(variable, "accum").handle(),
                    slot(variable, "accum_update").handle(),
                    prepared("lr", variable), prepared("rho", variable),
                    prepared("epsilon", variable), gradient});
}

const Node *AdadeltaOptimizer::applySparse(const IndexedSlices &gradient,
                                           const Variable &variable) {
  return addUpdate(variable, "SparseApplyAdadelta",
                   {variable.handle(), slot(variable, "accum").handle(),
                    slot(variable, "accum_update").handle(),
                    prepared("lr", variable), prepared("rho", variable),
                    prepared("epsilon", variable), gradient.values,
                    gradient.indices});
}

RMSPropOptimizer::RMSPropOptimizer(const Input &learningRate,
                                   const RMSPropOptions &options)
    : Optimizer(options.name, options.useLocking), learningRate(learningRate),
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
  prepareAs("learning_rate", learningRate);
  prepareAs("decay", options.decay);
  prepareAs("momentum", options.momentum);
  prepareAs("epsilon", options.epsilon);
}

const Node *RMSPropOptimizer::applyDense(const Output &gradient,
                                         const Variable &variable) {
  std::vector<OpInput> inputs{variable.handle()};
  if (options.centered)
    inputs.push_back(slot(variable, "mg").handle());
  for (std::string_view name : {"rms", "momentum"})
    inputs.push_back(slot(variable, name).handle());
  for (std::string_view name :
       {"learning_rate", "decay", "momentum", "epsilon"})
    inputs.push_back(prepared(name, variable));
  inputs.push_back(gradient);
  return addUpdate(variable,
                   options.centered ? "ApplyCenteredRMSProp" : "ApplyRMSProp",
                   std::move(inputs));
}

const Node *RMSPropOptimizer::applySparse(const IndexedSlices &gradient,
                                          const Variable &variable) {
  std::vector<OpInput> inputs{variable.handle()};
  if (options.centered)
    inputs.push_back(slot(variable, "mg").handle());
  for (std::string_view name : {"rms", "momentum"})
    inputs.push_back(slot(variable, name).handle());
  for (std::string_view name :
       {"learning_rate", "decay", "momentum", "epsilon"})
    inputs.push_back(prepared(name, variable));
  inputs.push_back(gradient.values);
  inputs.push_back(gradient.indices);
  return addUpdate(variable,
                   options.centered ? "SparseApplyCenteredRMSProp"
                                    : "SparseApplyRMSProp",
                   std::move(inputs));
}

} // namespace kiln
