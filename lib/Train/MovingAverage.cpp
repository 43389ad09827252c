// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exponential moving averages, as TensorFlow's Python adds them.
#include "kiln/MovingAverage.h"

#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/Slots.h"
#include "kiln/VariableScope.h"
#include "kiln/ops/ControlOps.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/MathOps.h"
#include "kiln/ops/StateOps.h"
#include "lib/Build/BuildState.h"
#include "lib/Support/Strings.h"
#include "lib/Train/Helpers.h"

#include <algorithm>
#include <set>

namespace kiln {
namespace {

/// The variable, or nothing for a tensor.
std::optional<Variable> variableOf(const Input &input) {
  const auto *data =
      std::get_if<std::shared_ptr<const VariableData>>(&input.value());
  return data ? std::optional(Variable::of(*data)) : std::nullopt;
}

Output handleOf(const Input &input) {
  if (std::optional<Variable> variable = variableOf(input))
    return variable->handle();
  return input.output() ? *input.output() : Output();
}

DType dtypeOfInput(const Input &input) {
  std::optional<Variable> variable = variableOf(input);
  return variable ? variable->dtype() : handleOf(input).dtype();
}

/// A variable of zeros beside the average, in the present variable scope.
Variable addPart(const std::string &scope, const std::string &name,
                 const Variable &average, const Shape &shape) {
  auto isTaken = [](const std::string &full) {
    return std::ranges::any_of(globalVariables(), [&](const Variable &each) {
      return each.op()->name() == full;
    });
  };
  std::string own = name;
  for (int i = 1; isTaken(strCat(scope, "/", own)); ++i)
    own = strCat(name, "_", i);
  ControlScope lifted = ControlScope::none();
  ColocationScope place(average.op());
  return getVariable(own, {.shape = shape,
                           .dtype = average.dtype(),
                           .initializer = zerosInitializer(),
                           .trainable = false});
}

/// Freed from the start at 0: what the average would be without it. **Source**:
/// moving_averages._zero_debias.
Assignment updateDebiased(const Variable &average, const Input &value,
                          const Output &decay) {
  Variable biased, localStep;
  {
    VariableScope scope(average.op()->name());
    biased = addPart(scope.name(), "biased", average, average.shape());
    localStep = addPart(scope.name(), "local_step", average, {});
  }
  if (!biased.op() || !localStep.op())
    return {};
  Output difference = binary("sub", biased, value);
  Assignment updated = biased.assignSub(difference * decay);
  Assignment counted = localStep.assignAdd(1);
  Output kept = 1.0 - decay;
  Output factor = 1 - ops::pow(kept, counted);
  return ops::assign(average, updated / factor,
                     {.name = GraphBuilder::current().nameScope()});
}

} // namespace

Assignment assignMovingAverage(const Variable &average, const Input &value,
                               const Input &decay,
                               const AssignMovingAverageOptions &options) {
  if (!average.op())
    return {};
  GraphScope current(average.graph());
  NameScope scope(options.name, "AssignMovingAvg");
  std::optional<double> number = numberOf(decay);
  Output rate = GraphBuilder::current().convert(
      number ? Input(1.0 - *number) : binary("sub", 1.0, decay),
      {.name = "decay"});
  if (!rate.node)
    return {};
  if (rate.dtype() != average.dtype())
    rate = ops::cast(rate, average.dtype());
  if (options.zeroDebias)
    return updateDebiased(average, value, rate);
  Output difference = binary("sub", average, value);
  AssignOptions named;
  if (!average.isResource()) // what changes a handle has the op's name
    named.name = scope.name();
  return average.assignSub(difference * rate, named);
}

const Node *ExponentialMovingAverage::apply() {
  return apply(InputList(trainableVariables()));
}

const Node *ExponentialMovingAverage::apply(const InputList &list) {
  std::vector<const Input *> given;
  for (const Input &each : list.list())
    given.push_back(&each);
  GraphBuilder graph = builderOf(std::span<const Input *const>(given));
  GraphScope current(graph);
  std::set<std::pair<const Node *, int>> debiased;
  for (const Input &each : list.list()) {
    Output handle = handleOf(each);
    std::optional<Variable> variable = variableOf(each);
    if (graph.internals().failed() || !handle.node)
      return nullptr;
    if (!isFloating(dtypeOfInput(each))) {
      graph.fail(invalidArgumentError(strCat(
          "The variables must be half, float, or double: ", handle.name())));
      return nullptr;
    }
    std::pair key(handle.node, handle.index);
    if (averages.contains(key))
      continue;
    ControlScope lifted = ControlScope::none();
    Variable average;
    if (variable) {
      std::optional<DeviceScope> device(std::in_place, handle.node->device());
      Output first = variable->initializedValue();
      device.reset();
      average = createSlot(*variable, Initializer(Input(first)), options.name);
      graph.addToCollection(keys::movingAverageVariables, *variable);
    } else {
      std::string_view op = handle.node->op();
      average = createZerosSlot(handle, options.name,
                                op == "Variable" || op == "VariableV2" ||
                                    op == "VarHandleOp");
      if (options.zeroDebias)
        debiased.insert(key);
    }
    if (!average.op())
      return nullptr;
    averages.emplace(key, average);
  }
  NameScope scope(options.name);
  Output rate =
      graph.convert(decay, {.dtype = DType::Float32, .name = "decay"});
  if (options.numUpdates) {
    Output updates =
        ops::cast(*options.numUpdates, DType::Float32, {.name = "num_updates"});
    Output numerator = 1.0 + updates;
    Output denominator = 10.0 + updates;
    rate = ops::minimum(rate, numerator / denominator);
  }
  std::vector<ControlInput> updates;
  for (const Input &each : list.list()) {
    Output handle = handleOf(each);
    std::pair key(handle.node, handle.index);
    updates.emplace_back(
        assignMovingAverage(averages.at(key), each, rate,
                            {.zeroDebias = debiased.contains(key)})
            .operation());
  }
  return ops::group(updates, {.name = scope.name()});
}

Variable ExponentialMovingAverage::average(const Input &of) const {
  Output handle = handleOf(of);
  auto found = averages.find({handle.node, handle.index});
  return found == averages.end() ? Variable() : found->second;
}

std::string ExponentialMovingAverage::averageName(const Input &of) const {
  if (Variable found = average(of); found.op())
    return found.op()->name();
  Output handle = handleOf(of);
  if (!handle.node)
    return {};
  return GraphBuilder::current().uniqueName(
      strCat(handle.node->name(), "/", options.name), false);
}

std::map<std::string, Variable> ExponentialMovingAverage::variablesToRestore(
    std::optional<std::vector<Variable>> averaged) const {
  if (!averaged) {
    averaged = trainableVariables();
    for (const Variable &each : GraphBuilder::current().collectionOf<Variable>(
             keys::movingAverageVariables))
      averaged->push_back(each);
  }
  std::map<std::string, Variable> byName;
  std::set<std::string> names;
  for (const Variable &each : *averaged)
    if (names.insert(each.name()).second)
      byName.emplace(averageName(each), each);
  for (const Variable &each : globalVariables())
    if (!names.contains(each.name()))
      byName.emplace(each.op()->name(), each);
  return byName;
}

} // namespace kiln
