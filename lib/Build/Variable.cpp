// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables: how they are declared, read and assigned.
#include "kiln/Assignments.h"

#include "kiln/GraphScopes.h"
#include "lib/Build/BuildState.h"
#include "lib/Build/FunctionGraph.h"
#include "lib/Build/Literal.h"
#include "lib/Build/VariableData.h"
#include "lib/Build/VariableStore.h"
#include "lib/Graph/TensorText.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln {
namespace {

constexpr std::string_view resourceFlag = "resource variables";

bool usesResource(const GraphBuilder &graph, const VariableOptions &options) {
  return options.useResource.value_or(graph.attachment(resourceFlag) !=
                                      nullptr);
}

Output output(const Node *node) { return {node, 0}; }

/// What a ColocationScope takes to forget the ones around it.
constexpr const Node *nowhere = nullptr;

/// Declares one variable. The state holds for one declaration.
class Declaration {
public:
  Declaration(GraphBuilder graph, const VariableOptions &options)
      : graph(graph), state(graph.internals()), options(options),
        data(std::make_shared<VariableData>(graph)) {}

  std::shared_ptr<const VariableData> declare(const Input *value,
                                              const InitialValue *function) {
    if (state.failed())
      return data;
    std::optional<NameScope> ofBody = scopeOfBody();
    data->isResource = usesResource(graph, options);
    data->isTrainable = options.trainable;
    data->constraint = options.constraint;
    GraphScope current(graph);
    {
      ControlScope lifted = ControlScope::none();
      NameScope scope(options.name, "Variable");
      if (data->isResource)
        declareResource(scope.name(), value, function);
      else
        declareReference(scope.name(), value, function);
    }
    if (!state.failed())
      collect();
    return data;
  }

private:
  /// A variable that the body of a function declares stands outside of it, in
  /// the body's name scope. **Source**: ops.init_scope.
  std::optional<NameScope> scopeOfBody() {
    GraphBuilder here = GraphBuilder::current();
    if (!here.internals().function)
      return std::nullopt;
    return std::optional<NameScope>(std::in_place, graph, here.nameScope());
  }

  void setInitialValue(const Input *value, const InitialValue *function) {
    data->initialValue =
        graph.convert(function ? Input((*function)()) : *value,
                      {.dtype = options.dtype, .name = "initial_value"});
  }

  /// Makes what stands in the scope belong to the variable, which is not there
  /// yet.
  static AttrMap placedAt(std::string_view scope) {
    return {
        {"_class", std::vector<std::string>{"loc:@" + withoutSlash(scope)}}};
  }

  void declareReference(const std::string &scope, const Input *value,
                        const InitialValue *function) {
    if (function) {
      AttributeScope place(placedAt(scope));
      {
        NameScope initializer("Initializer");
        DeviceScope anywhere("");
        setInitialValue(value, function);
      }
      addReference(scope);
    } else {
      setInitialValue(value, function);
      refuseControlFlow(scope);
      addReference(scope);
    }
    if (state.failed() || !checkShape())
      return;
    AttrMap attrs{{"validate_shape", options.validateShape}};
    data->initializer =
        graph.addOp({.op = "Assign",
                     .inputs = {data->handle,
                                guardedInitialValue(state, withoutSlash(scope),
                                                    data->initialValue)},
                     .attrs = std::move(attrs)});
    std::optional<ColocationScope> place;
    if (!OpenVariableScopes::of(graph).cachesRead)
      place.emplace(data->handle.node);
    data->read = output(graph.addOp(
        {.op = "Identity", .name = "read", .inputs = {data->handle}}));
  }

  void refuseControlFlow(const std::string &scope) {
    if (state.contexts.contains(data->initialValue.node))
      state.fail(invalidArgumentError(
          strCat("Initializer for variable ", scope,
                 " is from inside a control-flow construct, such as a loop or "
                 "conditional. When creating a variable inside a loop or "
                 "conditional, use a lambda as the initializer.")));
  }

  void setDeclared() {
    data->dtype = data->initialValue.dtype();
    data->shape = options.shape.hasRank() ? options.shape
                  : options.validateShape ? data->initialValue.shape()
                                          : Shape::unknownRank();
  }

  void addReference(const std::string &scope) {
    if (state.failed())
      return;
    setDeclared();
    data->handle = output(graph.addOp(
        {.op = "VariableV2",
         .name = scope,
         .attrs = {{"dtype", data->dtype}, {"shape", data->shape}}}));
  }

  bool checkShape() {
    if (!options.validateShape || data->initialValue.shape().isFullyDefined())
      return true;
    state.fail(invalidArgumentError(
                   strCat("initial_value must have a shape specified: ",
                          tensorText(data->initialValue)))
                   .withNode(data->handle.node->name()));
    return false;
  }

  void declareResource(const std::string &scope, const Input *value,
                       const InitialValue *function) {
    std::string name = withoutSlash(scope);
    {
      AttributeScope place(placedAt(scope));
      {
        NameScope initializer("Initializer");
        DeviceScope anywhere("");
        setInitialValue(value, function);
      }
      if (state.failed())
        return;
      setDeclared();
      data->handle = output(graph.addOp({.op = "VarHandleOp",
                                         .name = scope,
                                         .attrs = {{"dtype", data->dtype},
                                                   {"shape", data->shape},
                                                   {"debug_name", scope},
                                                   {"shared_name", name}}}));
    }
    refuseControlFlow(scope);
    if (state.failed())
      return;
    {
      NameScope inner("IsInitialized");
      data->initialized = output(
          graph.addOp({.op = "VarIsInitializedOp", .inputs = {data->handle}}));
    }
    {
      NameScope inner("Assign");
      ColocationScope anywhere(nowhere, true);
      DeviceScope device(data->handle.node->device());
      data->initializer = graph.addOp(
          {.op = "AssignVariableOp",
           .name = inner.name(),
           .inputs = {data->handle,
                      guardedInitialValue(state, name, data->initialValue)}});
    }
    DeviceScope device(data->handle.node->device());
    NameScope inner("Read");
    data->read = output(graph.addOp({.op = "ReadVariableOp",
                                     .inputs = {data->handle},
                                     .attrs = {{"dtype", data->dtype}}}));
    if (OpenVariableScopes::of(graph).cachesRead)
      data->cached =
          output(graph.addOp({.op = "Identity", .inputs = {data->read}}));
  }

  void collect() {
    std::vector<std::string> keys = options.collections.value_or(
        std::vector<std::string>{std::string(keys::globalVariables)});
    std::string trainable(keys::trainableVariables);
    if (options.trainable && std::ranges::find(keys, trainable) == keys.end())
      keys.push_back(trainable);
    for (const std::string &key : keys)
      graph.addToCollection(key, Variable::of(data));
  }

  GraphBuilder graph;
  BuildState &state;
  const VariableOptions &options;
  std::shared_ptr<VariableData> data;
};

/// A read of a resource, behind the assignment where there is one.
Output readResource(const VariableData &data, std::string_view name = {}) {
  std::optional<ControlScope> after;
  std::optional<GraphScope> current;
  GraphBuilder graph = workingGraph(data.graph());
  if (data.assignment) {
    current.emplace(graph);
    after.emplace({ControlInput(data.assignment)});
  }
  return output(graph.addOp({.op = "ReadVariableOp",
                             .name = std::string(name),
                             .inputs = {data.handle},
                             .attrs = {{"dtype", data.dtype}}}));
}

/// A read that stands where no other operation does. **Source**:
/// BaseResourceVariable.value.
Output readAnywhere(const VariableData &data) {
  if (data.assignment)
    return readResource(data);
  if (data.cached.node)
    return data.cached;
  GraphScope current(workingGraph(data.graph()));
  ColocationScope anywhere(nowhere, true);
  return readResource(data);
}

/// A resource as a node left it.
Assignment behind(const VariableData &data, const BuildState &state,
                  const Node *change) {
  auto unread = std::make_shared<VariableData>(data);
  unread->assignment = change;
  // In the body of a function each use of the value reads it.
  unread->read = state.function ? Output() : readResource(*unread);
  return {{}, std::move(unread), change};
}

Assignment assignWith(const VariableData &data, std::string_view refOp,
                      std::string_view resourceOp, const Input &value,
                      const AssignOptions &options, bool readValue = true) {
  GraphBuilder graph = workingGraph(data.graph());
  BuildState &state = graph.internals();
  if (state.failed() || !data.handle.node)
    return {};
  if (!data.isResource) {
    AttrMap attrs;
    if (refOp == "Assign")
      attrs.set("validate_shape", options.validateShape);
    attrs.set("use_locking", options.useLocking.value_or(false));
    const Node *assigned = graph.addOp({.op = std::string(refOp),
                                        .name = options.name,
                                        .inputs = {data.handle, value},
                                        .attrs = std::move(attrs)});
    return {output(assigned), nullptr, assigned};
  }
  GraphScope current(graph);
  std::optional<ControlScope> after;
  if (data.assignment)
    after.emplace({ControlInput(data.assignment)});
  Output converted = graph.convert(value, {.dtype = data.dtype});
  if (state.failed())
    return {};
  if (resourceOp == "AssignVariableOp" &&
      !data.shape.isCompatibleWith(converted.shape())) {
    state.fail(invalidArgumentError(
        strCat("Cannot assign value to variable ' ", data.handle.name(),
               "': Shape mismatch.The variable shape ",
               data.shape.toTupleString(), ", and the assigned value shape ",
               converted.shape().toTupleString(), " are incompatible.")));
    return {};
  }
  AttrMap attrs;
  if (resourceOp == "AssignVariableOp")
    attrs.set("validate_shape",
              options.validateShape && data.shape.isFullyDefined());
  const Node *assigned = graph.addOp({.op = std::string(resourceOp),
                                      .name = options.name,
                                      .inputs = {data.handle, converted},
                                      .attrs = std::move(attrs)});
  if (!assigned || !readValue)
    return {{}, nullptr, assigned};
  return behind(data, state, assigned);
}

} // namespace

static GraphBuilder rootGraph(const GraphBuilder &graph) {
  return rootOf(graph.internals()).builder();
}

DType variableType(const VariableData &variable) { return variable.dtype; }

Output variableAsTensor(BuildState &state, const VariableData &variable,
                        bool asRef) {
  if (!variable.handle.node) {
    state.fail(invalidArgumentError("expected a variable, got none"));
    return {};
  }
  if (variable.isResource)
    return asRef ? variable.handle : readAnywhere(variable);
  return asRef ? variable.handle : variable.read;
}

Output Assignment::value() const {
  return unread ? readResource(*unread) : reference;
}
Output Assignment::graphElement() const {
  return unread && unread->read.node ? unread->read : value();
}
Input Assignment::input() const {
  return unread ? Input(Variable::of(unread)) : Input(reference);
}
Variable variableBehind(const Assignment &assignment) {
  const Input left = assignment.input();
  const auto *data =
      std::get_if<std::shared_ptr<const VariableData>>(&left.value());
  return data ? Variable::of(*data) : Variable();
}

Variable::Variable(const Input &initialValue, const VariableOptions &options)
    : stored(
          Declaration(rootGraph(initialValue.output()
                                    ? GraphBuilder::of(*initialValue.output())
                                    : GraphBuilder::current()),
                      options)
              .declare(&initialValue, nullptr)) {}
Variable::Variable(const InitialValue &initialValue,
                   const VariableOptions &options)
    : stored(Declaration(rootGraph(GraphBuilder::current()), options)
                 .declare(nullptr, &initialValue)) {}

std::string Variable::name() const {
  return op() ? stored->handle.name() : std::string();
}
const Node *Variable::op() const noexcept {
  return stored ? stored->handle.node : nullptr;
}
Output Variable::handle() const { return stored ? stored->handle : Output(); }
bool Variable::isResource() const noexcept {
  return stored && stored->isResource;
}
DType Variable::dtype() const noexcept {
  return stored ? stored->dtype : DType::Invalid;
}
const Shape &Variable::shape() const {
  static const Shape unknown = Shape::unknownRank();
  return stored ? stored->shape : unknown;
}
bool Variable::isTrainable() const noexcept {
  return stored && stored->isTrainable;
}
GraphBuilder VariableData::graph() const {
  if (auto lives = state.lock())
    return lives->builder();
  GraphBuilder current = GraphBuilder::current();
  current.fail(failedPreconditionError(
      "a variable is used whose graph does not exist any more"));
  return current;
}
GraphBuilder Variable::graph() const {
  return stored ? stored->graph() : GraphBuilder::current();
}

const Constraint &Variable::constraint() const noexcept {
  static const Constraint none;
  return stored ? stored->constraint : none;
}
const VariableSlice *Variable::slice() const noexcept {
  return stored && stored->slice ? &*stored->slice : nullptr;
}

std::string VariableSlice::spec() const {
  std::string dims, parts;
  for (int i = 0; i < fullShape.rank(); ++i) {
    dims += strCat(fullShape.dim(i), " ");
    parts += strCat(i > 0 ? ":" : "", offset[static_cast<size_t>(i)], ",",
                    shape.dim(i));
  }
  return dims + parts;
}

Output Variable::value() const {
  if (!op())
    return {};
  return stored->isResource ? readAnywhere(*stored) : stored->read;
}

Output Variable::readValue() const {
  if (!op())
    return {};
  GraphBuilder graph = workingGraph(stored->graph());
  if (!stored->isResource)
    return output(graph.addOp(
        {.op = "Identity", .name = "read", .inputs = {stored->handle}}));
  if (stored->assignment)
    return readResource(*stored);
  Output read;
  {
    NameScope scope(graph, "Read");
    read = readResource(*stored);
  }
  return output(graph.addOp({.op = "Identity", .inputs = {read}}));
}

Output Variable::graphElement() const {
  if (!op())
    return {};
  if (!stored->isResource)
    return stored->handle;
  return stored->read.node ? stored->read : readAnywhere(*stored);
}

Output Variable::initialValue() const {
  return stored ? stored->initialValue : Output();
}
void Variable::setInitializer(const Node *initializer,
                              const Output &initialValue) const {
  // Made without const by whoever made the variable.
  auto &changed = const_cast<VariableData &>(*stored);
  changed.initializer = initializer;
  changed.initialValue = initialValue;
}

const Node *Variable::initializer() const noexcept {
  return stored ? stored->initializer : nullptr;
}

Output Variable::isInitialized(std::string_view name) const {
  if (!op())
    return {};
  return output(workingGraph(stored->graph())
                    .addOp({.op = stored->isResource ? "VarIsInitializedOp"
                                                     : "IsVariableInitialized",
                            .name = std::string(name),
                            .inputs = {stored->handle}}));
}

Assignment Variable::assign(const Input &value,
                            const AssignOptions &options) const {
  return op()
             ? assignWith(*stored, "Assign", "AssignVariableOp", value, options)
             : Assignment();
}
Assignment Variable::assignAdd(const Input &delta,
                               const AssignOptions &options) const {
  return op() ? assignWith(*stored, "AssignAdd", "AssignAddVariableOp", delta,
                           options)
              : Assignment();
}
Assignment Variable::assignSub(const Input &delta,
                               const AssignOptions &options) const {
  return op() ? assignWith(*stored, "AssignSub", "AssignSubVariableOp", delta,
                           options)
              : Assignment();
}

const Node *assignmentOf(const Variable &variable) {
  return variable.isValid() ? variable.data()->assignment : nullptr;
}

const Node *assignOnly(AssignKind kind, const Variable &variable,
                       const Input &value, const AssignOptions &options) {
  static constexpr std::pair<std::string_view, std::string_view> ops[] = {
      {"Assign", "AssignVariableOp"},
      {"AssignAdd", "AssignAddVariableOp"},
      {"AssignSub", "AssignSubVariableOp"}};
  if (!variable.op())
    return nullptr;
  auto [refOp, resourceOp] = ops[static_cast<size_t>(kind)];
  return assignWith(*variable.data(), refOp, resourceOp, value, options, false)
      .operation();
}

Assignment Variable::after(const Node *change) const {
  if (!op() || !change)
    return {};
  GraphBuilder graph = workingGraph(stored->graph());
  GraphScope current(graph);
  return behind(*stored, graph.internals(), change);
}

void useResourceVariables(bool use) {
  GraphBuilder::current().attachment(resourceFlag) =
      use ? std::make_shared<bool>(true) : nullptr;
}

bool usesResourceVariables() {
  return GraphBuilder::current().attachment(resourceFlag) != nullptr;
}

std::vector<Variable> globalVariables(std::string_view scope) {
  return GraphBuilder::current().collectionOf<Variable>(keys::globalVariables,
                                                        scope);
}
std::vector<Variable> trainableVariables(std::string_view scope) {
  return GraphBuilder::current().collectionOf<Variable>(
      keys::trainableVariables, scope);
}
std::vector<Variable> localVariables(std::string_view scope) {
  return GraphBuilder::current().collectionOf<Variable>(keys::localVariables,
                                                        scope);
}

} // namespace kiln
