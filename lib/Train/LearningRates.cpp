// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Learning rates that fall, as TensorFlow's Python adds them.
#include "kiln/LearningRates.h"

#include "kiln/ControlFlow.h"
#include "kiln/GraphScopes.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/ControlFlow.h"
#include "kiln/ops/Logging.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/MathOps.h"
#include "kiln/ops/RandomOps.h"
#include "kiln/ops/Selection.h"
#include "lib/Build/BuildState.h"
#include "lib/Support/Strings.h"
#include "lib/Train/Helpers.h"

#include <numbers>

namespace kiln {
namespace {

/// The graph that the function's arguments are in, and its name scope.
struct DecayScope {
  DecayScope(std::initializer_list<const Input *> inputs,
             const std::string &name, std::string_view defaultName)
      : graph(builderOf(std::span(inputs.begin(), inputs.size()))),
        scope(name.empty() ? defaultName : std::string_view(name)) {}
  Output initial(const Input &rate) {
    return GraphBuilder::current().convert(rate,
                                           {.name = "initial_learning_rate"});
  }
  const std::string &name() const { return scope.name(); }

  GraphScope graph;
  NameScope scope;
};

/// 0.5 * (1 + cos(pi * fraction)).
Output halfCosine(const Output &fraction, const Output *factor = nullptr) {
  Output half = factor ? 0.5 * *factor : Output();
  Output pi = ops::constant(std::numbers::pi);
  Output wave = 1.0 + ops::cos(pi * fraction);
  return factor ? half * wave : 0.5 * wave;
}

} // namespace

Output exponentialDecay(const Input &learningRate, const Input &globalStep,
                        const Input &decaySteps, const Input &decayRate,
                        const DecayOptions &options) {
  DecayScope scope({&learningRate, &globalStep, &decaySteps, &decayRate},
                   options.name, "ExponentialDecay");
  Output initial = scope.initial(learningRate);
  if (!initial.node)
    return {};
  Output steps = ops::cast(decaySteps, initial.dtype());
  Output rate = ops::cast(decayRate, initial.dtype());
  Output exponent = ops::cast(globalStep, initial.dtype()) / steps;
  if (options.staircase)
    exponent = ops::floor(exponent);
  return ops::multiply(initial, ops::pow(rate, exponent),
                       {.name = scope.name()});
}

Output naturalExpDecay(const Input &learningRate, const Input &globalStep,
                       const Input &decaySteps, const Input &decayRate,
                       const DecayOptions &options) {
  const Input *inputs[] = {&learningRate, &globalStep, &decaySteps, &decayRate};
  GraphScope graph(builderOf(inputs));
  return exponentialDecay(learningRate, globalStep, decaySteps,
                          ops::exp(ops::negative(decayRate)), options);
}

Output inverseTimeDecay(const Input &learningRate, const Input &globalStep,
                        const Input &decaySteps, const Input &decayRate,
                        const DecayOptions &options) {
  DecayScope scope({&learningRate, &globalStep, &decaySteps, &decayRate},
                   options.name, "InverseTimeDecay");
  Output initial = scope.initial(learningRate);
  if (!initial.node)
    return {};
  Output steps = ops::cast(decaySteps, initial.dtype());
  Output rate = ops::cast(decayRate, initial.dtype());
  Output periods = ops::cast(globalStep, initial.dtype()) / steps;
  if (options.staircase)
    periods = ops::floor(periods);
  Output one = ops::cast(ops::constant(1), initial.dtype());
  Output denominator = ops::add(one, ops::multiply(rate, periods));
  return ops::divide(initial, denominator, {.name = scope.name()});
}

Output polynomialDecay(const Input &learningRate, const Input &globalStep,
                       const Input &decaySteps,
                       const PolynomialDecayOptions &options) {
  DecayScope scope({&learningRate, &globalStep, &decaySteps}, options.name,
                   "PolynomialDecay");
  Output initial = scope.initial(learningRate);
  if (!initial.node)
    return {};
  DType dtype = initial.dtype();
  Output end = ops::cast(options.endLearningRate, dtype);
  Output power = ops::cast(options.power, dtype);
  Output step = ops::cast(globalStep, dtype);
  Output steps = ops::cast(decaySteps, dtype);
  if (options.cycle) {
    Output isFirst = ops::equal(step, 0);
    Output periods = ops::ceil(binary("truediv", step, decaySteps));
    steps = ops::multiply(steps, ops::selectV2(isFirst, 1.0, periods));
  } else {
    step = ops::minimum(step, steps);
  }
  Output done = ops::divide(step, steps);
  Output range = initial - end;
  Output left = ops::pow(1 - done, power);
  return ops::add(ops::multiply(range, left), end, {.name = scope.name()});
}

Output cosineDecay(const Input &learningRate, const Input &globalStep,
                   const Input &decaySteps, const CosineDecayOptions &options) {
  DecayScope scope({&learningRate, &globalStep, &decaySteps}, options.name,
                   "CosineDecay");
  Output initial = scope.initial(learningRate);
  if (!initial.node)
    return {};
  Output steps = ops::cast(decaySteps, initial.dtype());
  Output step = ops::minimum(ops::cast(globalStep, initial.dtype()), steps);
  Output wave = halfCosine(step / steps);
  std::optional<double> alpha = numberOf(options.alpha);
  Input rest = alpha ? Input(1 - *alpha) : binary("sub", 1, options.alpha);
  Output decayed = binary("add", binary("mul", rest, wave), options.alpha);
  return ops::multiply(initial, decayed);
}

Output cosineDecayRestarts(const Input &learningRate, const Input &globalStep,
                           const Input &firstDecaySteps,
                           const CosineDecayRestartsOptions &options) {
  DecayScope scope({&learningRate, &globalStep, &firstDecaySteps}, options.name,
                   "SGDRDecay");
  Output initial = scope.initial(learningRate);
  if (!initial.node)
    return {};
  DType dtype = initial.dtype();
  Output steps = ops::cast(firstDecaySteps, dtype);
  Output alpha = ops::cast(options.alpha, dtype);
  Output tMul = ops::cast(options.tMul, dtype);
  Output mMul = ops::cast(options.mMul, dtype);
  Output done = ops::cast(globalStep, dtype) / steps;
  auto power = [](const Output &x, const Output &y) {
    return ops::pow(x, y, {.name = "pow"});
  };
  // Which period it is, and how much of it is done.
  auto sameLength = [&] {
    Output period = ops::floor(done);
    return ops::BranchResult(Outputs{period, done - period});
  };
  auto geometric = [&] {
    Output growth = 1.0 - tMul;
    Output inside = 1.0 - done * growth;
    Output logInside = ops::log(inside);
    Output period = ops::floor(logInside / ops::log(tMul));
    Output numerator = 1.0 - power(tMul, period);
    Output before = numerator / (1.0 - tMul);
    Output since = done - before;
    return ops::BranchResult(Outputs{period, since / power(tMul, period)});
  };
  Outputs found = ops::cond(ops::equal(tMul, 1.0), sameLength, geometric);
  if (found.size() != 2)
    return {};
  Output factor = power(mMul, found[0]);
  Output wave = halfCosine(found[1], &factor);
  Output decayed = (1 - alpha) * wave + alpha;
  return ops::multiply(initial, decayed, {.name = scope.name()});
}

Output linearCosineDecay(const Input &learningRate, const Input &globalStep,
                         const Input &decaySteps,
                         const LinearCosineDecayOptions &options) {
  DecayScope scope({&learningRate, &globalStep, &decaySteps}, options.name,
                   "LinearCosineDecay");
  Output initial = scope.initial(learningRate);
  if (!initial.node)
    return {};
  DType dtype = initial.dtype();
  Output steps = ops::cast(decaySteps, dtype);
  Output periods = ops::cast(options.numPeriods, dtype);
  Output alpha = ops::cast(options.alpha, dtype);
  Output beta = ops::cast(options.beta, dtype);
  Output step = ops::minimum(ops::cast(globalStep, dtype), steps);
  Output linear = (steps - step) / steps;
  Output done = step / steps;
  Output wave = halfCosine(2.0 * periods * done);
  Output decayed = (alpha + linear) * wave + beta;
  return ops::multiply(initial, decayed, {.name = scope.name()});
}

Output noisyLinearCosineDecay(const Input &learningRate,
                              const Input &globalStep, const Input &decaySteps,
                              const NoisyLinearCosineDecayOptions &options) {
  DecayScope scope({&learningRate, &globalStep, &decaySteps}, options.name,
                   "NoisyLinearCosineDecay");
  Output initial = scope.initial(learningRate);
  if (!initial.node)
    return {};
  DType dtype = initial.dtype();
  Output steps = ops::cast(decaySteps, dtype);
  Output variance = ops::cast(options.initialVariance, dtype);
  Output decay = ops::cast(options.varianceDecay, dtype);
  Output periods = ops::cast(options.numPeriods, dtype);
  Output alpha = ops::cast(options.alpha, dtype);
  Output beta = ops::cast(options.beta, dtype);
  Output step = ops::minimum(ops::cast(globalStep, dtype), steps);
  Output linear = (steps - step) / steps;
  variance = variance / ops::pow(1.0 + step, decay);
  Output deviation = ops::sqrt(variance);
  Output noisy =
      linear + ops::randomNormal(linear.shape(), {.stddev = deviation});
  Output done = step / steps;
  Output wave = halfCosine(2.0 * periods * done);
  Output decayed = (alpha + noisy) * wave + beta;
  return ops::multiply(initial, decayed, {.name = scope.name()});
}

namespace {

/// A value for the one predicate that holds; the last function where none does.
/// **Source**: control_flow_case.case(exclusive=True).
Output exclusiveCase(const std::vector<std::pair<Output, Output>> &cases,
                     const Output &otherwise) {
  NameScope scope("case");
  std::vector<Output> predicates;
  std::string names;
  for (const auto &[predicate, value] : cases) {
    predicates.push_back(predicate);
    names += strCat(names.empty() ? "" : ", ", predicate.name());
  }
  Output stacked = ops::stack(predicates, {.name = "preds_c"});
  Output count = ops::reduceSum(ops::cast(stacked, DType::Int32),
                                {.name = "num_true_conds"});
  Output holds =
      ops::lessEqual(count, ops::constant(1, {.name = "n_true_conds"}));
  std::string text =
      strCat("Input error: exclusive=True: more than 1 conditions (", names,
             ") evaluated as True:");
  auto summarize = static_cast<int64_t>(predicates.size());
  const Node *check = nullptr;
  {
    NameScope inner("Assert");
    GraphBuilder::current().convert(text); // Python looks at its dtype
    Outputs guarded = ops::cond(
        holds,
        [] {
          return ops::BranchResult(
              GraphBuilder::current().addOp({.op = "NoOp"}));
        },
        [&] {
          return ops::BranchResult(
              rawOps::assert_(holds, {text, stacked},
                              {.summarize = summarize, .name = "Assert"}));
        },
        {.name = "AssertGuard"});
    check = guarded.empty() ? nullptr : guarded[0].node;
  }
  if (!check)
    return {};
  ControlScope after({check});
  std::function<ops::BranchResult()> chain = [otherwise] {
    return ops::BranchResult(otherwise);
  };
  for (size_t i = cases.size(); i-- > 0;)
    chain = [predicate = cases[i].first, value = cases[i].second, chain] {
      return ops::BranchResult(ops::cond(
          predicate, [value] { return ops::BranchResult(value); }, chain));
    };
  Outputs chosen = chain().outputs;
  return chosen;
}

} // namespace

Output piecewiseConstant(const Input &x, const InputList &boundaries,
                         const InputList &values, const OpOptions &options) {
  const Input *given[] = {&x};
  GraphScope current(builderOf(given));
  GraphBuilder graph = GraphBuilder::current();
  auto refuse = [&](std::string text) {
    graph.fail(invalidArgumentError(std::move(text)));
    return Output();
  };
  std::vector<Output> limits, choices;
  for (const Input &each : boundaries.list())
    limits.push_back(graph.convert(each));
  for (const Input &each : values.list())
    choices.push_back(graph.convert(each));
  Output step = graph.convert(x);
  if (graph.internals().failed())
    return {};
  for (Output &limit : limits) {
    if (limit.dtype() == step.dtype())
      continue;
    if (limit.dtype() != DType::Int32 || step.dtype() != DType::Int64)
      return refuse(strCat("Boundaries (<dtype: '", dtypeName(limit.dtype()),
                           "'>) must have the same dtype as x (<dtype: '",
                           dtypeName(step.dtype()), "'>)."));
    limit = ops::cast(limit, step.dtype());
  }
  for (const Output &value : choices)
    if (value.dtype() != choices[0].dtype())
      return refuse(
          strCat("Values must have elements all with the same dtype (<dtype: '",
                 dtypeName(choices[0].dtype()), "'> vs <dtype: '",
                 dtypeName(value.dtype()), "'>)."));
  if (limits.size() + 1 != choices.size())
    return refuse("The length of boundaries should be 1 less than the length "
                  "of values");
  if (limits.empty())
    return refuse("expected at least one boundary, got none");
  NameScope scope(options.name, "PiecewiseConstant");
  step = graph.convert(x);
  std::vector<std::pair<Output, Output>> cases;
  cases.emplace_back(step <= limits.front(), choices.front());
  cases.emplace_back(step > limits.back(), choices.back());
  for (size_t i = 0; i + 1 < limits.size(); ++i) {
    Output above = step > limits[i];
    Output below = step <= limits[i + 1];
    cases.emplace_back(above & below, choices[i + 1]);
  }
  if (graph.internals().failed())
    return {};
  return exclusiveCase(cases, choices.front());
}

} // namespace kiln
