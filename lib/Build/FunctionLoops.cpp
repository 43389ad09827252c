// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops whose condition and body are functions.
#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/ControlFlow.h"
#include "kiln/ops/Math.h"
#include "lib/Build/ControlFlowContext.h"
#include "lib/Build/FunctionBranches.h"
#include "lib/Build/FunctionCalls.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln::ops {
namespace {

/// What stands before the loop variables: the iterations, and the most of them.
constexpr size_t numCounters = 2;

Outputs withoutCounters(const std::vector<Output> &all) {
  return Outputs(std::vector<Output>(all.begin() + numCounters, all.end()));
}

/// One loop while it is built.
class FunctionLoop {
public:
  FunctionLoop(BuildState &state, std::string scope,
               const WhileOptions &options, std::vector<Output> variables)
      : state(state), scope(std::move(scope)), options(options),
        variables(std::move(variables)) {}

  Outputs build(const std::function<Output(const Outputs &)> &condition,
                const std::function<Outputs(const Outputs &)> &function) {
    conditionName = functionName(state, scope, "cond");
    std::string bodyName = functionName(state, scope, "body");
    addCounters();
    if (state.failed())
      return {};
    for (size_t i = 0; i < variables.size(); ++i)
      shapes.push_back(i >= numCounters && !options.shapeInvariants.empty()
                           ? options.shapeInvariants[i - numCounters]
                           : variables[i].shape());
    auto test = beginFunction(state, conditionName);
    buildCondition(*test, condition);
    if (passError(*test, state))
      return {};
    auto body = beginFunction(state, bodyName);
    buildBody(*body, *test, function);
    if (passError(*body, state))
      return {};
    addBodyCaptures(*test, *body);
    if (passError(*test, state) || !checkResults(*body))
      return {};
    LoopCall call{.inputs = variables,
                  .condition = test,
                  .body = body,
                  .outputShapes = {},
                  .parallelIterations = options.parallelIterations,
                  .name = scope,
                  .numOriginalOutputs = body->function->outputs.size()};
    for (const FunctionGraph::Capture &capture : body->function->captures)
      call.inputs.push_back(capture.outside);
    for (size_t i = 0; i < body->function->outputs.size(); ++i)
      call.outputShapes.push_back(i >= numCounters && i < variables.size()
                                      ? shapes[i]
                                      : body->function->outputs[i].shape());
    const Node *node = addLoop(state, call);
    if (!node)
      return {};
    // A fetch of a result of the loop gets that one alone.
    std::vector<Output> results;
    if (state.function)
      for (size_t i = 0; i < call.inputs.size(); ++i)
        results.push_back({node, static_cast<int>(i)});
    else
      results = identitiesOf(node, call.inputs.size());
    results.resize(variables.size());
    results = withoutCounters(results);
    if (!options.backProp)
      for (Output &result : results)
        result = rawOps::stopGradient(result);
    return state.failed() ? Outputs() : Outputs(results);
  }

private:
  void addCounters() {
    Output most = convert(options.maximumIterations ? *options.maximumIterations
                                                    : Input(-1),
                          "maximum_iterations", DType::Int32);
    Output counter = constant(0, {.name = "loop_counter"});
    variables.insert(variables.begin(), {counter, most});
  }

  Outputs addArguments(BuildState &body) {
    std::vector<Output> all;
    for (size_t i = 0; i < variables.size(); ++i)
      all.push_back(addArgument(body, variables[i], shapes[i],
                                i < numCounters ? variables[i].node->name()
                                                : std::string()));
    return all;
  }

  void buildCondition(BuildState &test,
                      const std::function<Output(const Outputs &)> &condition) {
    GraphScope inside(test.builder());
    Outputs arguments = addArguments(test);
    Output goesOn = condition(withoutCounters(arguments));
    if (goesOn.node && (!goesOn.shape().hasRank() || goesOn.shape().rank()))
      goesOn = squeeze(goesOn);
    if (options.maximumIterations) {
      Output isBelow = arguments[0] < arguments[1];
      goesOn = rawOps::logicalAnd(isBelow, goesOn);
    }
    setOutputs(test, {goesOn});
  }

  void buildBody(BuildState &body, const BuildState &test,
                 const std::function<Outputs(const Outputs &)> &function) {
    GraphScope inside(body.builder());
    Outputs arguments = addArguments(body);
    // What the condition takes comes first.
    for (const FunctionGraph::Capture &capture : test.function->captures)
      captured(body, capture.outside);
    Outputs results = function(withoutCounters(arguments));
    if (body.failed())
      return;
    if (results.size() + numCounters != variables.size())
      return body.fail(invalidArgumentError(
          strCat("The two structures don't have the same nested structure: "
                 "'body' gives ",
                 results.size(), " tensors for ",
                 variables.size() - numCounters, " 'loop_vars'")));
    std::vector<Output> all{arguments[0] + 1, arguments[1]};
    all.insert(all.end(), results.begin(), results.end());
    setOutputs(body, all);
    for (const FunctionGraph::Capture &capture : body.function->captures)
      body.function->outputs.push_back(capture.inside);
  }

  bool checkResults(const BuildState &body) {
    const std::vector<Output> &results = body.function->outputs;
    for (size_t i = numCounters; i < variables.size(); ++i) {
      if (!isCovered(results[i].shape(), shapes[i])) {
        failed(invalidArgumentError(strCat(
                   "Input tensor `", variables[i].name(),
                   "` enters the loop with shape ", shapes[i].toTupleString(),
                   ", but has shape ", results[i].shape().toTupleString(),
                   " after one iteration. To allow the shape to vary across "
                   "iterations, use the `shape_invariants` argument of "
                   "tf.while_loop to specify a less-specific shape.")),
               scope);
        return false;
      }
      if (results[i].dtype() != variables[i].dtype()) {
        failed(invalidArgumentError(strCat(
                   "Loop var ", variables[i].name(),
                   " enters the loop with type <dtype: '",
                   dtypeName(variables[i].dtype()), "'> but has type <dtype: '",
                   dtypeName(results[i].dtype()), "'> after 1 iteration. ",
                   variables[i].name(), " type should remain constant.")),
               scope);
        return false;
      }
    }
    return true;
  }

  BuildState &state;
  std::string scope;
  const WhileOptions &options;
  std::vector<Output> variables;
  std::vector<Shape> shapes;
  std::string conditionName;
};

} // namespace

Outputs
whileOfFunctions(const std::function<Output(const Outputs &)> &condition,
                 const std::function<Outputs(const Outputs &)> &body,
                 const InputList &loopVariables, const WhileOptions &options) {
  std::vector<Output> variables;
  for (const Input &input : loopVariables.list())
    variables.push_back(valueOf(input));
  GraphBuilder graph = GraphBuilder::current();
  NameScope scope(options.name, "while");
  if (graph.internals().failed())
    return {};
  if (!options.shapeInvariants.empty() &&
      options.shapeInvariants.size() != variables.size()) {
    failed(invalidArgumentError(strCat(
               "The two structures don't have the same nested structure: ",
               options.shapeInvariants.size(), " 'shape_invariants' for ",
               variables.size(), " 'loop_vars'")),
           scope.name());
    return {};
  }
  return FunctionLoop(graph.internals(), scope.name(), options,
                      std::move(variables))
      .build(condition, body);
}

} // namespace kiln::ops
