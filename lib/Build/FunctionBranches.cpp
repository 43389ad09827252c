// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditionals whose branches are functions.
#include "lib/Build/FunctionBranches.h"
#include "kiln/GraphScopes.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/ControlFlow.h"
#include "lib/Build/FunctionCalls.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln::ops {
namespace {

/// [<tensor>, ...], as errors show what a branch gives.
std::string resultsText(const BuildState &body) {
  std::string text;
  for (const Output &output : body.function->outputs)
    text += strCat(text.empty() ? "" : ", ", "<tf.Tensor '", output.name(),
                   "' shape=", output.shape().toTupleString(),
                   " dtype=", dtypeName(output.dtype()), ">");
  return strCat("[", text, "]");
}

/// **Source**: _check_same_outputs.
Status checkSameOutputs(const Bodies &bodies, bool isCase) {
  auto error = [&](size_t branch, std::string_view detail) {
    std::string first = isCase ? "branches[0]" : "true_fn";
    std::string other =
        isCase ? strCat("branches[", branch, "]") : std::string("false_fn");
    return invalidArgumentError(strCat(
        first, " and ", other, " arguments to ",
        isCase ? "tf.switch_case" : "tf.cond",
        " must have the same number, type, and overall structure of return "
        "values.\n\n",
        first, " output: ", resultsText(*bodies[0]), "\n", other, " output: ",
        resultsText(*bodies[branch]), "\n\nError details:\n", detail));
  };
  const std::vector<Output> &wanted = bodies[0]->function->outputs;
  for (size_t branch = 1; branch < bodies.size(); ++branch) {
    const std::vector<Output> &given = bodies[branch]->function->outputs;
    if (given.size() != wanted.size())
      return error(branch,
                   strCat("The two structures don't have the same number of "
                          "elements: ",
                          wanted.size(), " and ", given.size()));
    for (size_t i = 0; i < given.size(); ++i)
      if (given[i].dtype() != wanted[i].dtype())
        return error(branch, strCat("Tensor(\"", wanted[i].name(),
                                    "\", dtype=", dtypeName(wanted[i].dtype()),
                                    ") and Tensor(\"", given[i].name(),
                                    "\", dtype=", dtypeName(given[i].dtype()),
                                    ") have different types"));
  }
  return okStatus();
}

/// **Source**: verify_captures.
Status checkCaptures(const Bodies &bodies, bool isCase) {
  auto nameOf = [&](size_t i) {
    return isCase ? strCat("branch ", i)
                  : std::string(i == 0 ? "true_fn" : "false_fn");
  };
  for (size_t i = 0; i < bodies.size(); ++i)
    for (const FunctionGraph::Capture &capture : bodies[i]->function->captures)
      for (size_t k = 0; k < bodies.size(); ++k)
        if (bodies[k]->graph->contains(capture.outside.node))
          return invalidArgumentError(
              strCat("Tensor ", capture.outside.name(), " in ", nameOf(k),
                     " is accessed from ", nameOf(i), "."));
  return okStatus();
}

/// Builds what a branch adds. `selector` stands for operations that it gives.
std::shared_ptr<BuildState> buildBranch(BuildState &state, std::string name,
                                        const Branch &function,
                                        const Output &selector) {
  auto body = beginFunction(state, std::move(name));
  GraphScope inside(body->builder());
  BranchResult given = function();
  std::vector<Output> outputs;
  for (size_t i = 0; i < given.outputs.size(); ++i) {
    const Node *operation = given.operationAt(i);
    if (!operation) {
      outputs.push_back(given.outputs[i]);
      continue;
    }
    ControlScope after({operation});
    outputs.push_back(identity(selector));
  }
  setOutputs(*body, outputs);
  return body;
}

Outputs select(BuildState &state, const Output &selector,
               const std::vector<Branch> &functions,
               const std::vector<std::string> &names, const std::string &scope,
               bool isCase) {
  Bodies bodies;
  for (size_t i = 0; i < functions.size(); ++i) {
    bodies.push_back(buildBranch(state, names[i], functions[i], selector));
    if (passError(*bodies.back(), state))
      return {};
  }
  for (auto check : {checkCaptures, checkSameOutputs})
    if (Status status = check(bodies, isCase); !status.ok()) {
      failed(std::move(status), scope);
      return {};
    }
  size_t count = bodies[0]->function->outputs.size();
  const Node *node =
      addBranches(state, selector, bodies, capturesOf(bodies), scope, isCase);
  return node ? Outputs(identitiesOf(node, count)) : Outputs();
}

} // namespace

Outputs condOfFunctions(const Input &pred, const Branch &ifTrue,
                        const Branch &ifFalse, const OpOptions &options) {
  FunctionScope scope(options.name, "cond", {&pred});
  BuildState &state = GraphBuilder::current().internals();
  if (std::holds_alternative<bool>(pred.value())) {
    failed(invalidArgumentError("pred must not be a Python bool"), scope);
    return {};
  }
  std::vector<std::string> names{functionName(state, scope.name(), "true"),
                                 functionName(state, scope.name(), "false")};
  Output selector = valueOf(pred);
  if (selector.node && (!selector.shape().hasRank() || selector.shape().rank()))
    selector = squeeze(selector);
  if (!selector.node)
    return {};
  return select(state, selector, {ifTrue, ifFalse}, names, scope.name(),
                /*isCase=*/false);
}

Outputs switchCase(const Input &branchIndex,
                   const std::vector<Branch> &branches,
                   const SwitchCaseOptions &options) {
  FunctionScope outer(options.name, "switch_case", {&branchIndex});
  const Output *given = branchIndex.output();
  if (!given) {
    failed(invalidArgumentError("'branch_index' must be a Tensor"),
           outer.name());
    return {};
  }
  if (!isInteger(given->dtype())) {
    failed(invalidArgumentError(
               strCat("'branch_index' must be an integer Tensor, got <dtype: '",
                      dtypeName(given->dtype()), "'>")),
           outer.name());
    return {};
  }
  if (branches.empty()) {
    failed(
        invalidArgumentError("Must provide at least one item in 'branch_fns'"),
        outer.name());
    return {};
  }
  NameScope scope("indexed_case");
  BuildState &state = GraphBuilder::current().internals();
  std::vector<Branch> functions = branches;
  if (options.otherwise)
    functions.push_back(options.otherwise);
  std::vector<std::string> names;
  for (size_t i = 0; i < functions.size(); ++i)
    names.push_back(functionName(state, scope.name(), strCat("branch", i)));
  return select(state, *given, functions, names, scope.name(),
                /*isCase=*/true);
}

} // namespace kiln::ops
