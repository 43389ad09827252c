// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variable scopes and the variables in them.
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

std::string VariableStore::uniqueDefault(const std::string &prefix) const {
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

void VariableStore::closeSubscopes(const std::string &name) {
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

VariableScopeHandle currentVariableScope() {
  return VariableScopeHandle(
      VariableStore::of(GraphBuilder::current()).current);
}

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
  VariableStore &store = VariableStore::of(graph);
  saved = std::make_unique<Saved>();
  outer = store.current;
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
    saved->scopeCounts = store.scopeCounts;
  } else {
    std::string own =
        name ? std::string(*name) : store.uniqueDefault(options.defaultName);
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
  ++store.scopeCounts[entered->name];
  if (again) // as it was before this opening
    saved->scopeCounts[entered->name] = store.scopeCounts[entered->name];
  store.current = entered;
  handleName = entered->name;
}

VariableScope::~VariableScope() {
  VariableStore &store = VariableStore::of(graph);
  if (store.current != entered)
    graph.fail(failedPreconditionError("Improper nesting of variable_scope."));
  if (saved->entersAgain)
    store.scopeCounts = std::move(saved->scopeCounts);
  else
    store.closeSubscopes(entered->name);
  store.current = outer;
}

void cacheReads(const VariableScopeHandle &scope) {
  BuildState &state = GraphBuilder::current().internals();
  if (!state.context || !state.context->whileContext())
    scope.internals()->cachesReads = true;
}

namespace {

Status sharingError(const std::string &name, std::string_view what,
                    std::string_view specified, std::string_view found) {
  return invalidArgumentError(strCat("Trying to share variable ", name,
                                     ", but specified ", what, " ", specified,
                                     " and found ", what, " ", found, "."));
}

/// Checks a variable that is to be shared.
Status checkShared(const std::string &name, const Variable &found,
                   const Shape &shape, DType dtype) {
  if (!shape.isCompatibleWith(found.shape()))
    return sharingError(name, "shape", shape.toTupleString(),
                        found.shape().toTupleString());
  if (dtype != found.dtype())
    return sharingError(
        name, "dtype", dtypeName(dtype),
        strCat(dtypeName(found.dtype()), found.isResource() ? "" : "_ref"));
  return okStatus();
}

std::optional<Initializer> defaultInitializer(DType dtype) {
  if (isFloating(dtype))
    return glorotUniformInitializer();
  if (isInteger(dtype) || dtype == DType::Bool || dtype == DType::String)
    return zerosInitializer();
  return std::nullopt;
}

Variable makeVariable(const GraphBuilder &graph, const std::string &name,
                      DType dtype, const Initializer &initializer,
                      const GetVariableOptions &options,
                      const PartitionInfo *partition) {
  VariableOptions made{.trainable = options.trainable,
                       .name = name,
                       .validateShape = options.validateShape,
                       .collections = options.collections,
                       .useResource = options.useResource,
                       .constraint = options.constraint.value_or(Constraint())};
  VariableStore &store = VariableStore::of(graph);
  struct Caching {
    explicit Caching(VariableStore &store) : store(store) {
      store.cachesRead = store.current->cachesReads;
    }
    ~Caching() { store.cachesRead = false; }
    VariableStore &store;
  } caching(store);
  if (initializer.value())
    return Variable(*initializer.value(), made);
  if (!initializer.needsShape())
    return Variable(InitialValue([&] { return initializer(Shape(), dtype); }),
                    made);
  if (!options.shape.isFullyDefined()) {
    graph.fail(invalidArgumentError(
        "The initializer passed is not valid. It should be a callable with no "
        "arguments and the shape should not be provided or an instance of "
        "`tf.keras.initializers.*' and `shape` should be fully defined."));
    return {};
  }
  made.dtype = dtype;
  Shape shape = options.shape;
  return Variable(
      InitialValue([&] { return initializer(shape, dtype, partition); }), made);
}

/// TensorFlow 2.21 calls the regularizer once more for each use of the loss;
/// here as in 1.15 the loss is one tensor.
void addRegularization(const GraphBuilder &graph, const std::string &full,
                       const Variable &variable,
                       const Regularizer &regularizer) {
  ColocationScope place(variable.op());
  NameScope scope(graph, full + "/Regularizer/");
  Output loss = regularizer(variable);
  if (loss.node)
    graph.addToCollection(keys::regularizationLosses, loss);
}

} // namespace

Variable getSingleVariable(const GraphBuilder &graph, const std::string &full,
                           const GetVariableOptions &options,
                           const PartitionInfo *partition,
                           const VariableSlice *slice) {
  VariableStore &store = VariableStore::of(graph);
  const VariableScopeData &scope = *store.current;
  auto refuse = [&](Status error) {
    graph.fail(error.withNode(full));
    return Variable();
  };
  std::optional<Initializer> initializer = options.initializer;
  if (initializer && initializer->value() && options.shape.hasRank())
    return refuse(invalidArgumentError(
        "If initializer is a constant, do not specify shape."));
  if (auto found = store.variables.find(full); found != store.variables.end()) {
    if (scope.reuse.kind == Reuse::Kind::Inherit)
      return refuse(invalidArgumentError(
          strCat("Variable ", full,
                 " already exists, disallowed. Did you mean to set reuse=True "
                 "or reuse=tf.AUTO_REUSE in VarScope?")));
    if (Status status =
            checkShared(full, found->second, options.shape, options.dtype);
        !status.ok())
      return refuse(status);
    return found->second;
  }
  if (scope.reuse.kind == Reuse::Kind::Always)
    return refuse(invalidArgumentError(
        strCat("Variable ", full,
               " does not exist, or was not created with tf.get_variable(). "
               "Did you mean to set reuse=tf.AUTO_REUSE in VarScope?")));
  if (!initializer) {
    if (!options.shape.hasRank())
      return refuse(invalidArgumentError(
          strCat("Variable ", full,
                 " did not get an initializer, so its `shape` argument must be "
                 "specified.")));
    initializer = defaultInitializer(options.dtype);
    if (!initializer)
      return refuse(invalidArgumentError(
          strCat("An initializer for variable ", full, " of <dtype: '",
                 dtypeName(options.dtype), "'> is required")));
  }
  Variable made = makeVariable(graph, full, options.dtype, *initializer,
                               options, partition);
  if (!made.op())
    return made;
  if (slice) // nothing has seen it yet but the collections, which share it
    const_cast<VariableData &>(*made.data()).slice = *slice;
  store.variables.emplace(full, made);
  if (options.regularizer && *options.regularizer)
    addRegularization(graph, full, made, *options.regularizer);
  return made;
}

Variable getVariable(std::string_view name, const GetVariableOptions &options) {
  GraphBuilder graph = GraphBuilder::current();
  if (graph.internals().failed())
    return {};
  VariableStore &store = VariableStore::of(graph);
  const VariableScopeData &scope = *store.current;
  std::string full =
      scope.name.empty() ? std::string(name) : strCat(scope.name, "/", name);
  NameScope root(graph, "");
  GetVariableOptions own = options;
  if (own.initializer && own.initializer->value() &&
      own.dtype != DType::Invalid) {
    Output converted = graph.convert(*own.initializer->value());
    if (converted.node && converted.dtype() != own.dtype) {
      graph.fail(
          invalidArgumentError(strCat("Initializer type '<dtype: '",
                                      dtypeName(converted.dtype()),
                                      "'>' and explicit dtype '<dtype: '",
                                      dtypeName(own.dtype), "'>' don't match."))
              .withNode(full));
      return {};
    }
  }
  if (!own.initializer)
    own.initializer = scope.initializer;
  if (!own.regularizer)
    own.regularizer = scope.regularizer;
  if (!own.constraint)
    own.constraint = scope.constraint;
  if (own.dtype == DType::Invalid)
    own.dtype = scope.dtype;
  if (!own.useResource)
    own.useResource = scope.useResource;
  if (store.partitioned.contains(full)) {
    graph.fail(
        invalidArgumentError(
            strCat("No partitioner was provided, but a partitioned version of "
                   "the variable was found: ",
                   full,
                   "/part_0. Perhaps a variable of the same name was already "
                   "created with partitioning?"))
            .withNode(full));
    return {};
  }
  if (scope.partitioner && own.shape.rank() > 0) {
    graph.fail(invalidArgumentError(
                   strCat("expected getPartitionedVariable() for the variable ",
                          full, ", as its scope cuts variables into parts"))
                   .withNode(full));
    return {};
  }
  return getSingleVariable(graph, full, own);
}

} // namespace kiln
