// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adam: powers of the betas beside the slots, and rows by scattered additions.
#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/Optimizers.h"
#include "kiln/ops/ControlOps.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/MathOps.h"

#include <algorithm>

namespace kiln {
namespace {

/// The variable in a dtype, which is read where it is used.
Input inDType(const Variable &variable, DType dtype) {
  if (variable.isResource() && variable.dtype() == dtype)
    return variable;
  return ops::cast(variable, dtype);
}

} // namespace

AdamOptimizer::AdamOptimizer(const Input &learningRate,
                             const AdamOptions &options)
    : Optimizer(options.name, options.useLocking), learningRate(learningRate),
      options(options) {}

void AdamOptimizer::createSlots(const std::vector<Variable> &variables) {
  Variable first = *std::ranges::min_element(variables, {}, &Variable::name);
  nonSlotVariable(number("beta1", options.beta1), "beta1_power", first);
  nonSlotVariable(number("beta2", options.beta2), "beta2_power", first);
  for (const Variable &variable : variables) {
    zerosSlot(variable, "m", name());
    zerosSlot(variable, "v", name());
  }
}

void AdamOptimizer::prepare() {
  prepareNumber("learning_rate", learningRate);
  prepareNumber("beta1", options.beta1);
  prepareNumber("beta2", options.beta2);
  prepareNumber("epsilon", options.epsilon);
}

const Node *AdamOptimizer::applyDense(const Output &gradient,
                                      const Variable &variable) {
  std::vector<OpInput> inputs{variable.handle(), slot(variable, "m").handle(),
                              slot(variable, "v").handle()};
  for (std::string_view name : {"beta1_power", "beta2_power"})
    inputs.push_back(inDType(nonSlotVariable(name), variable.dtype()));
  for (std::string_view name : {"learning_rate", "beta1", "beta2", "epsilon"})
    inputs.push_back(prepared(name, variable));
  inputs.push_back(gradient);
  return addUpdate(variable, "ApplyAdam", std::move(inputs));
}

// The means of all rows shrink, not only of those that have a gradient.
const Node *AdamOptimizer::applySparse(const IndexedSlices &gradient,
                                       const Variable &variable) {
  GraphBuilder graph = GraphBuilder::current();
  DType dtype = variable.dtype();
  Input power1 = inDType(nonSlotVariable("beta1_power"), dtype);
  Input power2 = inDType(nonSlotVariable("beta2_power"), dtype);
  Output rate = prepared("learning_rate", variable);
  Output beta1 = prepared("beta1", variable);
  Output beta2 = prepared("beta2", variable);
  Output epsilon = prepared("epsilon", variable);
  auto oneMinus = [](const Input &power) {
    return detail::binaryOperator("sub", 1, power, true);
  };
  auto mean = [&](std::string_view name, const Output &beta,
                  const Output &values) {
    Variable slot = this->slot(variable, name);
    Assignment shrunk = slot.assign(slot * beta, {.useLocking = usesLocking()});
    ControlScope after({shrunk});
    if (!slot.isResource())
      return Output{addUpdate(slot, "ScatterAdd",
                              {slot.handle(), gradient.indices, values}),
                    0};
    ControlScope added(
        {graph.addOp({.op = "ResourceScatterAdd",
                      .inputs = {Input(slot.handle()), Input(gradient.indices),
                                 Input(values)}})});
    return slot.value();
  };
  Output corrected = rate * ops::sqrt(oneMinus(power2)) / oneMinus(power1);
  Output scaled = gradient.values * (1 - beta1);
  Output m = mean("m", beta1, scaled);
  Output squares = gradient.values * gradient.values * (1 - beta2);
  Output v = mean("v", beta2, squares);
  Output root = ops::sqrt(v);
  Output product = corrected * m;
  Assignment updated = variable.assignSub(product / (root + epsilon),
                                          {.useLocking = usesLocking()});
  return ops::group({updated, m, v});
}

const Node *AdamOptimizer::finish(const std::vector<const Node *> &updates,
                                  const std::string &name) {
  std::vector<ControlInput> all(updates.begin(), updates.end());
  {
    ControlScope after(all);
    Variable power1 = nonSlotVariable("beta1_power");
    Variable power2 = nonSlotVariable("beta2_power");
    ColocationScope place(power1.op());
    for (auto &[power, beta] : {std::pair(power1, prepared("beta1")),
                                std::pair(power2, prepared("beta2"))})
      all.emplace_back(
          power.assign(power * beta, {.useLocking = usesLocking()}));
  }
  return ops::group(all, {.name = name});
}

} // namespace kiln
