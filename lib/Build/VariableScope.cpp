// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variable scopes.
#include "kiln/VariableScope.h"

#include "lib/Build/BuildState.h"
#include "lib/Build/VariableData.h"
#include "lib/Build/VariableStore.h"
#include "lib/Support/Strings.h"

namespace kiln {

VariableStore &VariableStore::of(const GraphBuilder &graph) {
  std::shared_ptr<void> &slot = graph.attachment("variable store");
  if (!slot)
    slot = std::make_shared<VariableStore>();
  return *static_cast<VariableStore *>(slot.get());
}

OpenVariableScopes &OpenVariableScopes::of(const GraphBuilder &graph) {
  return VariableStore::of(graph).scopesOfThreads.own();
}

std::string OpenVariableScopes::uniqueDefault(const std::string &prefix) const {
  std::string name =
      current->name.empty() ? prefix : strCat(current->name, "/", prefix);
  auto count = [&](const std::string &scope) {
    auto found = scopeCounts.find(scope);
    return found == scopeCounts.end() ? 0 : found->second;
  };
  if (count(name) == 0)
    return prefix;
  int64_t number = 1;
  while (count(strCat(name, "_", number)) > 0)
    ++number;
  return strCat(prefix, "_", number);
}

void OpenVariableScopes::closeSubscopes(const std::string &name) {
  std::string prefix = name + "/";
  for (auto &[scope, count] : scopeCounts)
    if (scope.starts_with(prefix))
      count = 0;
}

const std::string &VariableScopeHandle::name() const { return data->name; }
const std::string &VariableScopeHandle::originalNameScope() const {
  return data->nameScope;
}
Reuse VariableScopeHandle::reuse() const { return data->reuse; }
void VariableScopeHandle::reuseVariables() const { data->reuse = true; }
VariableScopeDefaults VariableScopeHandle::defaults() const { return *data; }
void VariableScopeHandle::setDefaults(VariableScopeDefaults defaults) const {
  static_cast<VariableScopeDefaults &>(*data) = std::move(defaults);
}

VariableScopeHandle currentVariableScope() {
  return VariableScopeHandle(
      OpenVariableScopes::of(GraphBuilder::current()).current);
}

namespace {

/// A custom getter whose getter is the one of the scope outside. **Source**:
/// variable_scope._maybe_wrap_custom_getter.
CustomGetter around(const CustomGetter &outer, const CustomGetter &inner) {
  if (!outer || !inner)
    return inner ? inner : outer;
  return [outer, inner](const VariableGetter &getter, const std::string &name,
                        const GetVariableOptions &options) {
    VariableGetter next = [&](const std::string &name,
                              const GetVariableOptions &options) {
      return outer(getter, name, options);
    };
    return inner(next, name, options);
  };
}

} // namespace

struct VariableScope::Saved {
  bool entersAgain = false;
  std::map<std::string, int64_t> scopeCounts;
};

VariableScope::VariableScope(std::optional<std::string_view> name,
                             const VariableScopeOptions &options)
    : graph(GraphBuilder::current()) {
  if (!name && options.defaultName.empty()) {
    graph.fail(invalidArgumentError(
        "If default_name is None then name_or_scope is required"));
  } else if (!name && options.reuse != Reuse(false)) {
    graph.fail(invalidArgumentError(
        "reuse=True cannot be used without a name_or_scope"));
  }
  enter(name, name ? *name : std::string_view(options.defaultName), nullptr,
        options);
}

VariableScope::VariableScope(const VariableScopeHandle &scope,
                             const VariableScopeOptions &options)
    : graph(GraphBuilder::current()) {
  std::string_view name = scope.name();
  size_t slash = name.rfind('/');
  enter(name, slash == std::string_view::npos ? name : name.substr(slash + 1),
        &scope, options);
}

void VariableScope::enter(std::optional<std::string_view> name,
                          std::string_view nameScope,
                          const VariableScopeHandle *again,
                          const VariableScopeOptions &options) {
  OpenVariableScopes &scopes = OpenVariableScopes::of(graph);
  saved = std::make_unique<Saved>();
  outer = scopes.current;
  std::string opened(nameScope);
  if (!options.auxiliaryNameScope)
    names.emplace(graph, graph.nameScope());
  else if (!nameScope.empty())
    names.emplace(graph, nameScope);
  if (names)
    opened = names->name();

  const VariableScopeData &base = again ? *again->internals() : *outer;
  entered = std::make_shared<VariableScopeData>(base);
  if (again) {
    saved->entersAgain = true;
    saved->scopeCounts = scopes.scopeCounts;
  } else {
    std::string own =
        name ? std::string(*name) : scopes.uniqueDefault(options.defaultName);
    entered->name = outer->name.empty() ? own : strCat(outer->name, "/", own);
    entered->nameScope = opened;
  }
  if (options.reuse != Reuse(false))
    entered->reuse = options.reuse;
  if (options.initializer)
    entered->initializer = options.initializer;
  if (options.regularizer)
    entered->regularizer = *options.regularizer;
  if (options.constraint)
    entered->constraint = *options.constraint;
  if (options.partitioner)
    entered->partitioner = *options.partitioner;
  if (options.dtype != DType::Invalid)
    entered->dtype = options.dtype;
  if (options.useResource)
    entered->useResource = options.useResource;
  if (options.customGetter)
    entered->customGetter = around(base.customGetter, *options.customGetter);
  ++scopes.scopeCounts[entered->name];
  if (again) // as it was before this opening
    saved->scopeCounts[entered->name] = scopes.scopeCounts[entered->name];
  scopes.current = entered;
  handleName = entered->name;
}

VariableScope::~VariableScope() {
  OpenVariableScopes &scopes = OpenVariableScopes::of(graph);
  if (scopes.current != entered)
    graph.fail(failedPreconditionError("Improper nesting of variable_scope."));
  if (saved->entersAgain)
    scopes.scopeCounts = std::move(saved->scopeCounts);
  else
    scopes.closeSubscopes(entered->name);
  scopes.current = outer;
}

void VariableScopeHandle::cacheReads() const {
  BuildState &state = GraphBuilder::current().internals();
  if (!state.scopes().context || !state.scopes().context->whileContext())
    data->cachesReads = true;
}

std::map<std::string, Variable> namedVariables() {
  return VariableStore::of(GraphBuilder::current()).variables;
}

} // namespace kiln
