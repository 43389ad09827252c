// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The global step: found in its collection or by its name.
#include "kiln/GlobalStep.h"

#include "kiln/GraphScopes.h"
#include "kiln/VariableScope.h"
#include "lib/Support/Strings.h"

namespace kiln {

Variable getGlobalStep() {
  GraphBuilder graph = GraphBuilder::current();
  std::vector<Variable> steps = graph.collectionOf<Variable>(keys::globalStep);
  if (steps.empty())
    for (const Variable &variable : globalVariables())
      if (variable.name() == "global_step:0")
        steps.push_back(variable);
  if (steps.size() != 1)
    return {};
  const Variable &step = steps[0];
  auto refuse = [&](std::string text) {
    graph.fail(invalidArgumentError(std::move(text)));
    return Variable();
  };
  if (!isInteger(step.dtype()))
    return refuse(strCat("Existing \"global_step\" does not have integer type: "
                         "<dtype: '",
                         dtypeName(step.dtype()),
                         step.isResource() ? "'>" : "_ref'>"));
  if (step.shape().isFullyDefined() && step.shape().rank() != 0)
    return refuse(strCat("Existing \"global_step\" is not scalar: ",
                         step.shape().toTupleString()));
  return step;
}

Variable createGlobalStep() {
  GraphBuilder graph = GraphBuilder::current();
  if (getGlobalStep().isValid()) {
    graph.fail(invalidArgumentError("\"global_step\" already exists."));
    return {};
  }
  NameScope root(graph, "");
  return getVariable("global_step", {.shape = {},
                                     .dtype = DType::Int64,
                                     .initializer = zerosInitializer(),
                                     .trainable = false,
                                     .collections = std::vector<std::string>{
                                         std::string(keys::globalVariables),
                                         std::string(keys::globalStep)}});
}

Variable getOrCreateGlobalStep() {
  Variable found = getGlobalStep();
  return found.isValid() ? found : createGlobalStep();
}

} // namespace kiln
