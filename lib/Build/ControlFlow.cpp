// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditionals and loops.
#include "kiln/ControlFlow.h"

#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/ControlOps.h"
#include "kiln/ops/Math.h"
#include "lib/Build/ControlFlowContext.h"
#include "lib/Build/FunctionBranches.h"
#include "lib/Build/FunctionCalls.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Build/UnpublishedNodes.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln::ops {

BranchResult::BranchResult(const Input &value) : outputs(valueOf(value)) {}

namespace {

std::shared_ptr<CondContext> enterBranch(BuildState &state, const Output &pred,
                                         const Output &pivot, int branch) {
  auto context = std::make_shared<CondContext>(pred, pivot, branch);
  context->name = state.uniqueName("cond_text", true);
  context->outer = state.scopes().context;
  state.contexts.emplace(pivot.node, context);
  return context;
}

std::vector<Output> branchResults(BuildState &state,
                                  const std::shared_ptr<CondContext> &context,
                                  const Branch &function) {
  ContextScope inside(state, context);
  BranchResult given = function();
  std::vector<Output> results;
  for (size_t i = 0; i < given.outputs.size(); ++i)
    if (const Node *operation = given.operationAt(i))
      results.push_back(withDependencies({operation}, context->pivotTensor));
    else if (given.outputs[i].node)
      results.push_back(context->result(state, given.outputs[i]));
  if (context->outer)
    for (const Output &output : results)
      context->outer->addValue(output);
  return results;
}

} // namespace

Outputs cond(const Input &pred, const Branch &ifTrue, const Branch &ifFalse,
             const OpOptions &options) {
  if (usesFunctions(builderOf(pred)))
    return condOfFunctions(pred, ifTrue, ifFalse, options);
  FunctionScope scope(options.name, "cond", {&pred});
  GraphBuilder graph = GraphBuilder::current();
  BuildState &state = graph.internals();
  if (std::holds_alternative<bool>(pred.value())) {
    failed(invalidArgumentError("'pred' must not be a Python bool."), scope);
    return {};
  }
  Output condition = convert(pred, "pred");
  if (!condition.node)
    return {};
  const Node *both = graph.addOp(
      {.op = "Switch", .inputs = {Input(condition), Input(condition)}});
  if (!both)
    return {};
  Output pivotTrue = {addIdentity({both, 1}, "switch_t"), 0};
  Output pivotFalse = {addIdentity({both, 0}, "switch_f"), 0};
  Output predicate = {addIdentity(condition, "pred_id"), 0};
  if (state.failed())
    return {};
  auto trueContext = enterBranch(state, predicate, pivotTrue, 1);
  std::vector<Output> whenTrue = branchResults(state, trueContext, ifTrue);
  auto falseContext = enterBranch(state, predicate, pivotFalse, 0);
  std::vector<Output> whenFalse = branchResults(state, falseContext, ifFalse);
  if (state.failed())
    return {};
  for (auto [results, function] :
       {std::pair(&whenTrue, "'true_fn'"), std::pair(&whenFalse, "'false_fn'")})
    if (results->empty()) {
      failed(
          invalidArgumentError(strCat(function, " must have a return value.")),
          scope);
      return {};
    }
  if (whenTrue.size() != whenFalse.size()) {
    failed(invalidArgumentError(
               strCat("Incompatible return values of 'true_fn' and 'false_fn': "
                      "The two structures don't have the same nested "
                      "structure: ",
                      whenTrue.size(), " and ", whenFalse.size(), " tensors")),
           scope);
    return {};
  }
  Outputs merged;
  for (size_t i = 0; i < whenTrue.size(); ++i) {
    if (whenTrue[i].dtype() != whenFalse[i].dtype()) {
      failed(invalidArgumentError(strCat(
                 "Outputs of 'true_fn' and 'false_fn' must have the same "
                 "type(s). Received ",
                 dtypeName(whenTrue[i].dtype()), " from 'true_fn' and ",
                 dtypeName(whenFalse[i].dtype()), " from 'false_fn'.")),
             scope);
      return {};
    }
    bool areRefs = whenTrue[i].node->output(whenTrue[i].index).isRef &&
                   whenFalse[i].node->output(whenFalse[i].index).isRef;
    std::vector<Output> pair{whenFalse[i], whenTrue[i]};
    AttrMap attrs{{"T", whenTrue[i].dtype()}, {"N", int64_t{2}}};
    merged.push_back({state.addNode(areRefs ? "RefMerge" : "Merge",
                                    state.uniqueName("Merge", true),
                                    std::move(pair), std::move(attrs)),
                      0});
  }
  if (!trueContext->outer)
    for (const auto &context : {trueContext, falseContext})
      graph.addToCollection(
          keys::condContext,
          CollectionItem{
              context->name,
              std::static_pointer_cast<ControlFlowContext>(context)});
  return merged;
}

namespace {

/// One loop while it is built.
class LoopBuilder {
public:
  LoopBuilder(const GraphBuilder &graph, const std::string &scope,
              const WhileOptions &options)
      : graph(graph), state(graph.internals()), scope(scope), options(options),
        context(std::make_shared<WhileContext>(
            options.parallelIterations, options.backProp, options.swapMemory)),
        seenWhole(state) {
    context->name = state.uniqueName("while_context", true);
    context->outer = state.scopes().context;
    if (options.maximumIterations && options.maximumIterations->output())
      context->maximumIterations = *options.maximumIterations->output();
  }

  Outputs build(const std::vector<Output> &variables,
                const std::function<Output(const Outputs &)> &condition,
                const std::function<Outputs(const Outputs &)> &body) {
    ContextScope inside(state, context);
    for (const Output &variable : variables)
      context->addValue(variable);
    std::vector<Output> enters = addEnters(variables);
    // What a variable starts with may be used in the body too: then it enters
    // once more.
    context->knowOnly(enters);
    Outputs merges;
    for (const Output &entered : enters)
      merges.push_back(
          {addFlowNode(state, "Merge", "", {entered, entered}), 0});
    if (state.failed())
      return {};
    context->loopEnters = enters;
    context->pivotForPred = merges[0];
    Output goesOn = valueOf(condition(merges));
    if (!goesOn.node)
      return {};
    context->loopCond = {
        graph.addOp({.op = "LoopCond", .inputs = {Input(goesOn)}}), 0};
    std::vector<const Node *> switches;
    Outputs insideBody;
    for (const Output &merge : merges)
      switches.push_back(addSwitch(state, merge, context->loopCond));
    for (const Node *node : switches)
      insideBody.push_back(
          {node ? addFlowNode(state, "Identity", "", {{node, 1}}) : nullptr,
           0});
    if (state.failed())
      return {};
    context->pivotForBody = insideBody[0];
    Outputs results = body(insideBody);
    if (state.failed() || !closeLoops(variables, merges, results))
      return {};
    Outputs exits;
    for (const Node *node : switches)
      exits.push_back({addFlowNode(state, "Exit", "", {{node, 0}}), 0});
    context->loopExits = exits;
    if (context->outer)
      for (const Output &output : exits)
        context->outer->addValue(output);
    else
      graph.addToCollection(
          keys::whileContext,
          CollectionItem{
              context->name,
              std::static_pointer_cast<ControlFlowContext>(context)});
    return state.failed() ? Outputs() : exits;
  }

private:
  std::vector<Output> addEnters(const std::vector<Output> &variables) {
    std::vector<Output> enters;
    for (size_t i = 0; i < variables.size(); ++i) {
      Output real = context->outer ? context->outer->enter(state, variables[i])
                                   : variables[i];
      Output entered = context->addEnter(state, real, /*isConstant=*/false);
      if (!entered.node)
        return {};
      if (i < options.shapeInvariants.size())
        declareShape(entered, real, options.shapeInvariants[i]);
      enters.push_back(entered);
    }
    return enters;
  }

  /// The invariant stands for the shape of what enters.
  void declareShape(const Output &entered, const Output &real,
                    const Shape &invariant) {
    if (!isCovered(real.shape(), invariant)) {
      failed(invalidArgumentError(
                 strCat("The shape invariant specified for ", real.name(),
                        " is not compatible with the initial shape of the loop "
                        "variable. It enters the loop with shape ",
                        real.shape().toTupleString(),
                        ", but the specified shape invariant is ",
                        invariant.toTupleString(), ".")),
             scope);
      return;
    }
    setShape(state, entered, invariant);
  }

  bool closeLoops(const std::vector<Output> &variables, const Outputs &merges,
                  const Outputs &results) {
    if (results.size() != merges.size()) {
      failed(invalidArgumentError(strCat(
                 "Number of inputs and outputs of 'body' must match "
                 "'loop_vars'. Got ",
                 merges.size(), " for the number of inputs/outputs, and ",
                 results.size(), " for 'loop_vars'.")),
             scope);
      return false;
    }
    for (size_t i = 0; i < merges.size(); ++i) {
      const Node *next = addFlowNode(state, "NextIteration", "", {results[i]});
      if (!next)
        return false;
      if (!isCovered(next->outputShape(0), merges[i].shape())) {
        failed(invalidArgumentError(strCat(
                   "Input tensor '", variables[i].name(),
                   "' enters the loop with shape ",
                   variables[i].shape().toTupleString(), ", but has shape ",
                   next->outputShape(0).toTupleString(),
                   " after one iteration. To allow the shape to vary across "
                   "iterations, use the `shape_invariants` argument of "
                   "tf.while_loop to specify a less-specific shape.")),
               scope);
        return false;
      }
      if (next->outputDType(0) != merges[i].dtype()) {
        failed(invalidArgumentError(strCat(
                   "Input 1 of node ", merges[i].node->name(), " was passed ",
                   dtypeTfName(next->outputDType(0)), " from ", next->name(),
                   ":0 incompatible with expected ",
                   dtypeTfName(merges[i].dtype()), ".")),
               scope);
        return false;
      }
      if (Status status = graph.graph()->closeLoop(*merges[i].node, *next);
          !status.ok()) {
        failed(status, scope);
        return false;
      }
    }
    return true;
  }

  GraphBuilder graph;
  BuildState &state;
  const std::string &scope;
  const WhileOptions &options;
  std::shared_ptr<WhileContext> context;
  HoldScope seenWhole;
};

} // namespace

BranchResult smartCond(const Input &pred, const Branch &ifTrue,
                       const Branch &ifFalse, const OpOptions &options) {
  if (std::optional<bool> known = knownTruth(pred))
    return *known ? ifTrue() : ifFalse();
  return cond(pred, ifTrue, ifFalse, options);
}

Outputs whileLoop(const std::function<Output(const Outputs &)> &condition,
                  const std::function<Outputs(const Outputs &)> &body,
                  const InputList &loopVariables, const WhileOptions &options) {
  std::vector<const Input *> inputs;
  for (const Input &input : loopVariables.list())
    inputs.push_back(&input);
  GraphScope current(kiln::builderOf(inputs));
  const bool callsFunctions = usesFunctions(GraphBuilder::current());
  if (callsFunctions && loopVariables.size() > 0 &&
      options.parallelIterations >= 1)
    return whileOfFunctions(condition, body, loopVariables, options);
  NameScope scope(options.name, "while");
  if (loopVariables.size() == 0) {
    failed(invalidArgumentError("'loop_vars' must be provided."), scope.name());
    return {};
  }
  if (options.parallelIterations < 1) {
    failed(invalidArgumentError(
               "'parallel_iterations' must be a positive integer."),
           scope.name());
    return {};
  }
  GraphBuilder graph = GraphBuilder::current();
  std::vector<Output> variables;
  Output maximum, counter;
  if (options.maximumIterations) {
    maximum = convert(*options.maximumIterations, "maximum_iterations");
    if (!maximum.node)
      return {};
    counter =
        constant(0, {.dtype = maximum.dtype(), .name = "iteration_counter"});
    variables.push_back(counter);
  }
  WhileOptions all = options;
  if (maximum.node)
    all.maximumIterations = maximum;
  if (maximum.node && !all.shapeInvariants.empty())
    all.shapeInvariants.insert(all.shapeInvariants.begin(), Shape());
  LoopBuilder loop(graph, scope.name(), all);
  for (const Input &input : loopVariables.list())
    variables.push_back(valueOf(input));
  if (graph.internals().failed())
    return {};
  if (!maximum.node)
    return loop.build(variables, condition, body);
  auto rest = [](const Outputs &all) {
    return Outputs(std::vector<Output>(all.begin() + 1, all.end()));
  };
  Outputs results = loop.build(
      variables,
      [&](const Outputs &values) {
        Output isBelow = values[0] < maximum;
        return rawOps::logicalAnd(isBelow, condition(rest(values)));
      },
      [&](const Outputs &values) {
        Outputs next{values[0] + 1};
        for (const Output &output : body(rest(values)))
          next.push_back(output);
        return next;
      });
  return results.empty() ? results : rest(results);
}

} // namespace kiln::ops
