// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations on several variables at once.
#include "kiln/Variable.h"

#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/ControlOps.h"
#include "kiln/ops/Math.h"

namespace kiln {

const Node *variablesInitializer(const std::vector<Variable> &variables,
                                 std::string_view name) {
  std::vector<ControlInput> initializers;
  for (const Variable &variable : variables)
    initializers.emplace_back(variable.initializer());
  if (variables.empty())
    return GraphBuilder::current().addOp(
        {.op = "NoOp", .name = std::string(name)});
  return ops::group(initializers, {.name = std::string(name)});
}

const Node *globalVariablesInitializer() {
  return variablesInitializer(globalVariables());
}
const Node *localVariablesInitializer() {
  return variablesInitializer(localVariables());
}

Output
reportUninitializedVariables(std::optional<std::vector<Variable>> variables,
                             std::string_view name) {
  if (!variables) {
    variables = globalVariables();
    for (const Variable &local : localVariables())
      variables->push_back(local);
  }
  NameScope scope(name);
  std::vector<Input> states;
  std::vector<std::string> names;
  for (const Variable &variable : *variables) {
    states.push_back(variable.isInitialized());
    names.push_back(variable.op() ? variable.op()->name() : "");
  }
  DeviceScope host("/cpu:0");
  if (variables->empty())
    return ops::constant(Input::List(), {.dtype = DType::String});
  Output missing = rawOps::logicalNot(ops::stack(states));
  return ops::booleanMask(ops::constant(names), missing);
}

} // namespace kiln
