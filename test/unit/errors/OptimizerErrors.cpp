// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Optimizers, the global step and what stands around a step.
#include "test/unit/errors/ErrorTable.h"

#include "kiln/AdagradOptimizers.h"
#include "kiln/GlobalStep.h"
#include "kiln/LearningRates.h"
#include "kiln/MovingAverage.h"
#include "kiln/Optimizers.h"

namespace kiln::testing {
namespace {

Variable weights() { return Variable({1.0, 2.0}, {.name = "w"}); }
Variable integers() { return Variable({1, 2}, {.name = "n"}); }
Output loss() { return ops::constant(1.0, {.name = "loss"}); }

void minimize(const Output &loss) {
  GradientDescentOptimizer(0.1).minimize(loss);
}

} // namespace

std::vector<ErrorCase> optimizerErrors() {
  return {
      {"optimizers/no_gradients",
       [] {
         weights();
         minimize(loss());
       }},
      {"optimizers/no_gradients_applied",
       [] { GradientDescentOptimizer(0.1).applyGradients({{{}, weights()}}); }},
      {"optimizers/nothing_to_optimize", [] { minimize(loss()); }},
      {"optimizers/no_variables",
       [] { GradientDescentOptimizer(0.1).applyGradients({}); }},
      {"optimizers/integer_loss",
       [] {
         weights();
         minimize(ops::reduceSum(ops::constant({1, 2}), {.name = "loss"}));
       }},
      {"optimizers/integer_variable",
       [] {
         minimize(ops::reduceSum(ops::cast(integers(), DType::Float32),
                                 {.name = "loss"}));
       }},
      {"optimizers/constraint_of_rows",
       [] {
         auto absolute = [](const Variable &v) { return ops::abs(v); };
         Variable w({1.0, 2.0}, {.name = "w", .constraint = absolute});
         minimize(ops::reduceSum(ops::gather(w, {1}), {.name = "loss"}));
       }},
      {"optimizers/no_name",
       [] { GradientDescentOptimizer optimizer(0.1, {.name = ""}); }},
      {"optimizers/global_step_twice",
       [] {
         createGlobalStep();
         createGlobalStep();
       }},
      {"optimizers/global_step_of_floats",
       [] {
         getVariable("global_step", {.shape = {}});
         getGlobalStep();
       }},
      {"optimizers/global_step_that_is_a_vector",
       [] {
         getVariable("global_step", {.shape = {2}, .dtype = DType::Int64});
         getGlobalStep();
       }},
      {"optimizers/ftrl_power",
       [] { FtrlOptimizer optimizer(0.1, {.learningRatePower = 1}); }},
      {"optimizers/ftrl_l1",
       [] { FtrlOptimizer optimizer(0.1, {.l1RegularizationStrength = -1}); }},
      {"optimizers/ftrl_l2",
       [] { FtrlOptimizer optimizer(0.1, {.l2RegularizationStrength = -1}); }},
      {"optimizers/ftrl_accumulator",
       [] { FtrlOptimizer optimizer(0.1, {.initialAccumulatorValue = -1}); }},
      {"optimizers/ftrl_shrinkage",
       [] {
         FtrlOptimizer optimizer(0.1,
                                 {.l2ShrinkageRegularizationStrength = -1});
       }},
      {"optimizers/adagrad_accumulator",
       [] { AdagradOptimizer optimizer(0.1, {.initialAccumulatorValue = 0}); }},
      {"optimizers/average_of_integers",
       [] { ExponentialMovingAverage(0.9).apply({integers()}); }},
      {"optimizers/boundaries",
       [] { piecewiseConstant(ops::constant(1), {1, 2}, {0.1, 0.2}); }},
  };
}

} // namespace kiln::testing
