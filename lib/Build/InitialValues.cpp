// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Initial values that depend on other variables: each read of another variable
// is replaced by its value if it has one, otherwise by its own first value.
#include "lib/Build/VariableData.h"

#include "kiln/ControlFlow.h"
#include "kiln/GraphScopes.h"
#include "lib/Build/BuildState.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace kiln {
namespace {

bool isVariable(const Node &node) {
  return node.op() == "Variable" || node.op() == "VariableV2" ||
         node.op() == "VarHandleOp";
}

/// Rebuilds what a value is computed from. **Source**:
/// variables._safe_initial_value_from_tensor.
class SafeValue {
public:
  SafeValue(BuildState &state, std::string_view variable)
      : state(state), variable(variable) {}

  Output of(const Output &value) {
    // Nodes are given a replacement after their inputs: an explicit stack, for
    // graphs may be deep.
    std::vector<std::pair<const Node *, bool>> todo{{value.node, false}};
    while (!todo.empty()) {
      auto [node, inputsDone] = todo.back();
      todo.pop_back();
      if (replacement.contains(node))
        continue;
      if (!inputsDone && !isLeaf(*node)) {
        todo.emplace_back(node, true);
        // The first input is to be replaced first.
        for (int i = node->numInputs(); i-- > 0;)
          if (!replacement.contains(node->input(i).node))
            todo.emplace_back(node->input(i).node, false);
        continue;
      }
      replacement.emplace(node, replaced(*node));
    }
    return {replacement.at(value.node), value.index};
  }

private:
  static bool isLeaf(const Node &node) {
    return isVariable(node) || node.op() == "IsVariableInitialized" ||
           node.op() == "VarIsInitializedOp" || node.op() == "ReadVariableOp" ||
           node.op() == "If";
  }

  const Node *replaced(const Node &node) {
    if (isVariable(node)) {
      for (std::string_view key : {keys::globalVariables, keys::localVariables})
        for (const Variable &each : state.builder().collectionOf<Variable>(key))
          if (each.op() == &node || each.op()->name() == node.name())
            return each.initializedValue().node;
      return &node;
    }
    if (isLeaf(node))
      return &node;
    std::vector<Output> inputs;
    bool changed = false;
    for (const Output &input : node.inputs()) {
      const Node *found = replacement.at(input.node);
      inputs.push_back({found, input.index});
      changed |= found != input.node;
    }
    if (!changed || state.failed())
      return &node;
    // As it is, in no scope.
    std::string name = strCat(node.name(), "_", variable);
    if (state.graph->lookup(name))
      name = state.uniqueName(name, true);
    std::string op = node.op() == "RefSwitch" ? "Switch" : node.op();
    const Node *made = state.addNode(op, name, std::move(inputs), node.attrs());
    return made ? made : &node;
  }

  BuildState &state;
  std::string_view variable;
  std::unordered_map<const Node *, const Node *> replacement;
};

/// Whether a loop leads to the value.
bool hasCycle(const Node *value) {
  std::unordered_set<const Node *> seen{value};
  std::vector<const Node *> todo{value};
  while (!todo.empty()) {
    const Node *node = todo.back();
    todo.pop_back();
    if (node->op().ends_with("NextIteration"))
      return true;
    auto visit = [&](const Node *input) {
      if (seen.insert(input).second)
        todo.push_back(input);
    };
    for (const Output &input : node->inputs())
      visit(input.node);
    for (const Node *input : node->controlInputs())
      visit(input);
  }
  return false;
}

} // namespace

Output guardedInitialValue(BuildState &state, std::string_view name,
                           const Output &value) {
  if (state.failed() || !value.node || hasCycle(value.node))
    return value;
  return SafeValue(state, name).of(value);
}

Output Variable::initializedValue() const {
  if (!op())
    return {};
  Variable self = *this;
  ControlScope lifted = ControlScope::none();
  return ops::cond(
      isInitialized(), [self] { return ops::BranchResult(self.readValue()); },
      [self] { return ops::BranchResult(self.initialValue()); });
}

} // namespace kiln
