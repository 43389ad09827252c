// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adagrad and what came of it: dual averaging, proximal steps, FTRL.
#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/Optimizers.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/ControlFlow.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/MathOps.h"
#include "lib/Support/Strings.h"

#include <array>
#include <cstdio>

namespace kiln {
namespace {

/// A number as Python's "%s" writes it, for the small ones of arguments.
std::string pythonNumber(double number) {
  std::string text = strCat(number);
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

void requirePositive(double value, std::string_view what) {
  if (!(value > 0))
    GraphBuilder::current().fail(invalidArgumentError(
        strCat(what, " must be positive: ", pythonNumber(value))));
}

void requireSign(bool isRight, double value, std::string_view what,
                 std::string_view sign) {
  if (isRight)
    return;
  std::array<char, 400> text;
  std::snprintf(text.data(), text.size(), "%f", value);
  GraphBuilder::current().fail(invalidArgumentError(
      strCat(what, " ", text.data(), " needs to be ", sign, " or zero")));
}

/// A constant in the variable's shape and dtype, where the variable is.
Output constantBeside(const Variable &variable, double value) {
  ColocationScope place(variable.op());
  return ops::constant(value,
                       {.dtype = variable.dtype(), .shape = variable.shape()});
}

} // namespace

AdagradOptimizer::AdagradOptimizer(const Input &learningRate,
                                   const AdagradOptions &options)
    : OneOpOptimizer(learningRate, options.name, options.useLocking),
      options(options) {
  requirePositive(options.initialAccumulatorValue, "initial_accumulator_value");
}

void AdagradOptimizer::createSlots(const std::vector<Variable> &variables) {
  double start = options.initialAccumulatorValue;
  for (const Variable &variable : variables) {
    Initializer initializer = constantInitializer(start);
    if (!variable.shape().isFullyDefined())
      initializer = Initializer(InitialValue([=] {
        return ops::cast(ops::fill(ops::shape(variable), start),
                         variable.dtype());
      }));
    makeSlot(variable, "accumulator", name(), initializer);
  }
}

const Node *AdagradOptimizer::update(const std::string &apply,
                                     const std::vector<OpInput> &gradient,
                                     const Variable &variable) {
  return addUpdate(
      variable, apply + "Adagrad",
      inputsOf(variable, {"accumulator"}, {"learning_rate"}, gradient));
}

AdagradDAOptimizer::AdagradDAOptimizer(const Input &learningRate,
                                       const Input &globalStep,
                                       const AdagradDAOptions &options)
    : OneOpOptimizer(learningRate, options.name, options.useLocking),
      globalStep(globalStep), options(options) {
  requirePositive(options.initialGradientSquaredAccumulatorValue,
                  "initial_gradient_squared_accumulator_value");
}

void AdagradDAOptimizer::createSlots(const std::vector<Variable> &variables) {
  for (const Variable &variable : variables) {
    Output sum = constantBeside(variable, 0);
    Output squares = constantBeside(
        variable, options.initialGradientSquaredAccumulatorValue);
    makeSlot(variable, "gradient_accumulator", name(), Initializer(Input(sum)));
    makeSlot(variable, "gradient_squared_accumulator", name(),
             Initializer(Input(squares)));
  }
}

void AdagradDAOptimizer::prepare() {
  OneOpOptimizer::prepare();
  ColocationScope place(prepared("learning_rate"));
  Output step = ops::identity(number("global_step", globalStep));
  prepareAs("global_step", step + 1);
}

ProximalAdagradOptimizer::ProximalAdagradOptimizer(
    const Input &learningRate, const ProximalAdagradOptions &options)
    : OneOpOptimizer(learningRate, options.name, options.useLocking),
      options(options) {
  requirePositive(options.initialAccumulatorValue, "initial_accumulator_value");
}

void ProximalAdagradOptimizer::createSlots(
    const std::vector<Variable> &variables) {
  for (const Variable &variable : variables)
    makeSlot(variable, "accumulator", name(),
             Initializer(Input(
                 constantBeside(variable, options.initialAccumulatorValue))));
}

void ProximalAdagradOptimizer::prepare() {
  OneOpOptimizer::prepare();
  prepareNumber("l1_regularization_strength", options.l1RegularizationStrength);
  prepareNumber("l2_regularization_strength", options.l2RegularizationStrength);
}

const Node *
ProximalAdagradOptimizer::update(const std::string &apply,
                                 const std::vector<OpInput> &gradient,
                                 const Variable &variable) {
  return addUpdate(variable, apply + "ProximalAdagrad",
                   inputsOf(variable, {"accumulator"},
                            {"learning_rate", "l1_regularization_strength",
                             "l2_regularization_strength"},
                            gradient));
}

FtrlOptimizer::FtrlOptimizer(const Input &learningRate,
                             const FtrlOptions &options)
    : OneOpOptimizer(learningRate, options.name, options.useLocking),
      options(options) {
  requireSign(options.initialAccumulatorValue >= 0,
              options.initialAccumulatorValue, "initial_accumulator_value",
              "positive");
  requireSign(options.learningRatePower <= 0, options.learningRatePower,
              "learning_rate_power", "negative");
  requireSign(options.l1RegularizationStrength >= 0,
              options.l1RegularizationStrength, "l1_regularization_strength",
              "positive");
  requireSign(options.l2RegularizationStrength >= 0,
              options.l2RegularizationStrength, "l2_regularization_strength",
              "positive");
  requireSign(options.l2ShrinkageRegularizationStrength >= 0,
              options.l2ShrinkageRegularizationStrength,
              "l2_shrinkage_regularization_strength", "positive");
}

void FtrlOptimizer::createSlots(const std::vector<Variable> &variables) {
  double start = options.initialAccumulatorValue;
  Initializer accumulator(Initializer::Function(
      [start](const Shape &shape, DType dtype, const PartitionInfo *) {
        return ops::ones(shape, {.dtype = dtype}) * start;
      }));
  for (const Variable &variable : variables) {
    makeSlot(variable, "accum",
             options.accumName.empty() ? name() : options.accumName,
             accumulator);
    zerosSlot(variable, "linear",
              options.linearName.empty() ? name() : options.linearName);
  }
}

void FtrlOptimizer::prepare() {
  Input rate = number("learning_rate", learningRate);
  prepareAs("learning_rate", rate);
  prepareNumber("l1_regularization_strength", options.l1RegularizationStrength);
  Output above0 = ops::maximum(rate, 1e-36);
  prepareAs(
      "adjusted_l2_regularization_strength",
      number("l2_regularization_strength", options.l2RegularizationStrength) +
          options.beta / (2.0 * above0));
  prepareNumber("beta", options.beta);
  prepareAs("l2_shrinkage_regularization_strength",
            options.l2ShrinkageRegularizationStrength);
  prepareNumber("learning_rate_power", options.learningRatePower);
}

const Node *FtrlOptimizer::update(const std::string &apply,
                                  const std::vector<OpInput> &gradient,
                                  const Variable &variable) {
  bool hasShrinkage = options.l2ShrinkageRegularizationStrength > 0;
  std::vector<OpInput> inputs =
      inputsOf(variable, {"accum", "linear"}, {}, gradient);
  for (std::string_view name :
       {"learning_rate", "l1_regularization_strength",
        "adjusted_l2_regularization_strength",
        "l2_shrinkage_regularization_strength", "learning_rate_power"})
    if (hasShrinkage || !name.starts_with("l2_shrinkage"))
      inputs.push_back(prepared(name, variable));
  return addUpdate(variable, apply + (hasShrinkage ? "FtrlV2" : "Ftrl"),
                   std::move(inputs));
}

const Node *AdagradDAOptimizer::update(const std::string &apply,
                                       const std::vector<OpInput> &gradient,
                                       const Variable &variable) {
  Output step;
  {
    DeviceScope device(variable.op()->device());
    step = ops::identity(prepared("global_step"));
  }
  std::vector<OpInput> inputs = inputsOf(
      variable, {"gradient_accumulator", "gradient_squared_accumulator"}, {},
      gradient);
  inputs.push_back(prepared("learning_rate", variable));
  inputs.push_back(ops::cast(
      number("l1_regularization_strength", options.l1RegularizationStrength),
      variable.dtype()));
  inputs.push_back(ops::cast(
      number("l2_regularization_strength", options.l2RegularizationStrength),
      variable.dtype()));
  inputs.push_back(step);
  return addUpdate(variable, apply + "AdagradDA", std::move(inputs));
}

} // namespace kiln
