// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scopes of graph construction.
#include "kiln/GraphScopes.h"

#include "kiln/Assignments.h"
#include "lib/Build/BuildState.h"
#include "lib/Build/DefaultGraphs.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln {
namespace {

/// As a node's name, but inside of a scope any of its characters may come
/// first.
bool isValidScopeName(std::string_view name, bool isRoot) {
  if (isRoot)
    return isValidNodeName(name);
  return !name.empty() && isValidNodeName(strCat("a", name));
}

Status scopeNameError(std::string_view name, bool isRoot) {
  if (isRoot)
    return invalidArgumentError(
        strCat("'", name,
               "' is not a valid root scope name. A root scope name has to "
               "match the following pattern: "
               "^[A-Za-z0-9.][A-Za-z0-9_.\\\\/>-]*$"));
  return invalidArgumentError(
      strCat("'", name,
             "' is not a valid scope name. A scope name has to match the "
             "following pattern: ^[A-Za-z0-9_.\\\\/>-]*$"));
}

} // namespace

GraphScope::GraphScope(GraphBuilder graph) : graph(std::move(graph)) {
  graphStack().push_back(this->graph);
}
GraphScope::~GraphScope() {
  // Objects end in the reverse order of their beginning, unless they are kept
  // elsewhere.
  auto &stack = graphStack();
  if (!stack.empty() && !(stack.back() == graph))
    graph.fail(failedPreconditionError(
        "Nesting violated for default stack of graphs"));
  auto found = std::find(stack.rbegin(), stack.rend(), graph);
  if (found != stack.rend())
    stack.erase(std::next(found).base());
}

NameScope::NameScope(std::string_view name)
    : NameScope(GraphBuilder::current(), name) {}
NameScope::NameScope(std::string_view name, std::string_view defaultName)
    : NameScope(name.empty() ? defaultName : name) {}
NameScope::NameScope(const GraphBuilder &graph, std::string_view name)
    : graph(graph), outer(graph.internals().scopes().nameScope) {
  enter(name);
}

void NameScope::enter(std::string_view name) {
  BuildState &state = graph.internals();
  if (!name.empty() && !isValidScopeName(name, outer.empty()))
    return state.fail(scopeNameError(name, outer.empty()));
  if (name.empty()) {
    state.scopes().nameScope.clear();
  } else if (name.ends_with('/')) {
    state.scopes().nameScope = withoutSlash(name);
    scopeName = name;
  } else {
    state.scopes().nameScope = state.uniqueName(name, true);
    scopeName = state.scopes().nameScope + "/";
  }
}

NameScope::~NameScope() {
  graph.internals().scopes().nameScope = std::move(outer);
}

FunctionScope::FunctionScope(std::string_view name,
                             std::string_view defaultName,
                             std::initializer_list<const Input *> inputs) {
  GraphBuilder builder =
      builderOf(std::span<const Input *const>(inputs.begin(), inputs.size()));
  graph.emplace(builder);
  names.emplace(builder, name.empty() ? defaultName : name);
}
FunctionScope::~FunctionScope() {
  names.reset();
  graph.reset();
}

ControlInput::ControlInput(const Variable &variable)
    : node(assignmentOf(variable) ? assignmentOf(variable) : variable.op()) {}
ControlInput::ControlInput(const Assignment &assignment)
    : node(assignment.operation()) {}

struct ControlScope::Saved {
  bool clears = false;
  std::vector<ControlFrame> controls;
  std::shared_ptr<ControlFlowContext> context;
};

ControlScope::ControlScope(std::initializer_list<ControlInput> inputs)
    : ControlScope(
          std::span<const ControlInput>(inputs.begin(), inputs.size())) {}

ControlScope::ControlScope(std::span<const ControlInput> inputs)
    : graph(GraphBuilder::current()), saved(std::make_unique<Saved>()) {
  BuildState &state = graph.internals();
  ControlFrame frame;
  for (const ControlInput &input : inputs)
    if (const Node *node = input.operation();
        node && std::ranges::find(frame.inputs, node) == frame.inputs.end()) {
      frame.inputs.push_back(node);
      // Also where nothing comes to wait for it, as TensorFlow does.
      if (state.graph->contains(node))
        state.graph->markControlSource(*node);
    }
  state.scopes().controls.push_back(std::move(frame));
}

ControlScope::ControlScope(Clear)
    : graph(GraphBuilder::current()), saved(std::make_unique<Saved>()) {
  BuildState &state = graph.internals();
  saved->clears = true;
  saved->controls = std::move(state.scopes().controls);
  saved->context = std::move(state.scopes().context);
  state.scopes().controls.clear();
  state.scopes().context = nullptr;
}

ControlScope::~ControlScope() {
  BuildState &state = graph.internals();
  if (!saved->clears) {
    // Another thread that leaves the scope has none of its own.
    if (!state.scopes().controls.empty())
      state.scopes().controls.pop_back();
    return;
  }
  state.scopes().controls = std::move(saved->controls);
  state.scopes().context = std::move(saved->context);
}

struct ColocationScope::Saved {
  DeviceFrames devices;
  std::vector<const Node *> colocations;
};

ColocationScope::ColocationScope(ControlInput operation, bool ignoreExisting)
    : graph(GraphBuilder::current()), saved(std::make_unique<Saved>()) {
  BuildState &state = graph.internals();
  saved->colocations = state.placement().colocations;
  // Stronger than the devices of the scopes around it.
  saved->devices = std::move(state.placement().devices);
  state.placement().devices.clear();
  if (ignoreExisting)
    state.placement().colocations.clear();
  if (operation.operation())
    state.placement().colocations.push_back(operation.operation());
}
ColocationScope::~ColocationScope() {
  BuildState &state = graph.internals();
  state.placement().devices = std::move(saved->devices);
  state.placement().colocations = std::move(saved->colocations);
}

AttributeScope::AttributeScope(AttrMap attrs)
    : graph(GraphBuilder::current()), outer(graph.internals().attributes) {
  for (const NamedAttr &attr : attrs)
    graph.internals().attributes.set(attr.name, attr.value);
}
AttributeScope::~AttributeScope() {
  graph.internals().attributes = std::move(outer);
}

GradientOverrideScope::GradientOverrideScope(
    std::vector<std::pair<std::string, std::string>> opToGradient)
    : graph(GraphBuilder::current()),
      outer(graph.internals().gradientOverrides) {
  // The innermost wins: it comes first.
  auto &all = graph.internals().gradientOverrides;
  all.insert(all.begin(), opToGradient.begin(), opToGradient.end());
}
GradientOverrideScope::~GradientOverrideScope() {
  graph.internals().gradientOverrides = std::move(outer);
}

} // namespace kiln
