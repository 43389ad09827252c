// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables by name: made once and found again, as their variable scope says.
#include "kiln/VariableScope.h"

#include "lib/Build/BuildState.h"
#include "lib/Build/VariableData.h"
#include "lib/Build/VariableStore.h"
#include "lib/Support/Strings.h"

namespace kiln {
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
  VariableOptions made{.trainable = options.trainable.value_or(true),
                       .name = name,
                       .validateShape = options.validateShape,
                       .collections = options.collections,
                       .useResource = options.useResource,
                       .constraint = options.constraint.value_or(Constraint())};
  struct Caching {
    explicit Caching(OpenVariableScopes &scopes) : scopes(scopes) {
      scopes.cachesRead = scopes.current->cachesReads;
    }
    ~Caching() { scopes.cachesRead = false; }
    OpenVariableScopes &scopes;
  } caching(OpenVariableScopes::of(graph));
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
  const Reuse reuse = options.reuse.value_or(false);
  auto refuse = [&](Status error) {
    graph.fail(error.withNode(full));
    return Variable();
  };
  std::optional<Initializer> initializer = options.initializer;
  if (initializer && initializer->value() && options.shape.hasRank())
    return refuse(invalidArgumentError(
        "If initializer is a constant, do not specify shape."));
  if (auto found = store.variables.find(full); found != store.variables.end()) {
    if (reuse.kind == Reuse::Kind::Inherit)
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
  if (reuse.kind == Reuse::Kind::Always)
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

GetVariableOptions completed(const GetVariableOptions &options,
                             const VariableScopeData &scope) {
  GetVariableOptions own = options;
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
  if (!own.partitioner)
    own.partitioner = scope.partitioner;
  if (!own.reuse)
    own.reuse = scope.reuse;
  if (!own.customGetter)
    own.customGetter = scope.customGetter;
  return own;
}

namespace {

/// An initial value has the dtype that the options name. **Source**:
/// VariableScope.get_variable.
Status checkInitialDType(const GraphBuilder &graph,
                         const GetVariableOptions &options) {
  if (!options.initializer || !options.initializer->value() ||
      options.dtype == DType::Invalid)
    return okStatus();
  Output converted = GraphBuilder(graph).convert(*options.initializer->value());
  if (!converted.node || converted.dtype() == options.dtype)
    return okStatus();
  return invalidArgumentError(
      strCat("Initializer type '<dtype: '", dtypeName(converted.dtype()),
             "'>' and explicit dtype '<dtype: '", dtypeName(options.dtype),
             "'>' don't match."));
}

Status foundInParts(const std::string &full) {
  return invalidArgumentError(
             strCat("No partitioner was provided, but a partitioned version of "
                    "the variable was found: ",
                    full,
                    "/part_0. Perhaps a variable of the same name was already "
                    "created with partitioning?"))
      .withNode(full);
}

/// Whether what the options ask for is cut into parts; a shape without axes
/// never is.
bool isCut(const GetVariableOptions &options) {
  return options.partitioner && *options.partitioner &&
         options.shape.rank() != 0;
}

/// **Source**: _true_getter of _VariableStore.get_variable.
Weight findOrMake(const GraphBuilder &graph, const std::string &full,
                  const GetVariableOptions &options) {
  VariableStore &store = VariableStore::of(graph);
  if (graph.internals().failed())
    return {};
  NameScope root(graph, "");
  bool isInParts = store.partitioned.contains(full);
  if (isCut(options))
    return getParts(graph, full, *options.partitioner, options);
  if (isInParts && options.reuse == Reuse(true))
    return getParts(graph, full, {}, options);
  if (isInParts) {
    graph.fail(foundInParts(full));
    return {};
  }
  return getSingleVariable(graph, full, options);
}

std::string fullNameOf(const VariableScopeData &scope, std::string_view name) {
  return scope.name.empty() ? std::string(name) : strCat(scope.name, "/", name);
}

} // namespace

Weight getWeight(std::string_view name, const GetVariableOptions &options) {
  GraphBuilder graph = GraphBuilder::current();
  if (graph.internals().failed())
    return {};
  const VariableScopeData &scope = *OpenVariableScopes::of(graph).current;
  const std::string full = fullNameOf(scope, name);
  NameScope root(graph, "");
  if (Status status = checkInitialDType(graph, options); !status.ok()) {
    graph.fail(status.withNode(full));
    return {};
  }
  GetVariableOptions own = completed(options, scope);
  CustomGetter custom = own.customGetter.value_or(CustomGetter());
  own.customGetter.reset();
  if (!custom)
    return findOrMake(graph, full, own);
  return custom(
      [graph](const std::string &name, const GetVariableOptions &options) {
        return findOrMake(graph, name, options);
      },
      full, own);
}

Variable getVariable(std::string_view name, const GetVariableOptions &options) {
  GraphBuilder graph = GraphBuilder::current();
  if (graph.internals().failed())
    return {};
  VariableStore &store = VariableStore::of(graph);
  const VariableScopeData &scope = *OpenVariableScopes::of(graph).current;
  const std::string full = fullNameOf(scope, name);
  auto refuse = [&](Status error) {
    graph.fail(error.withNode(full));
    return Variable();
  };
  GetVariableOptions own = completed(options, scope);
  if (!own.customGetter || !*own.customGetter) {
    if (store.partitioned.contains(full))
      return refuse(foundInParts(full));
    if (isCut(own) && own.shape.hasRank())
      return refuse(invalidArgumentError(
          strCat("expected getPartitionedVariable() for the variable ", full,
                 ", as its scope cuts variables into parts")));
    own = options;
    own.partitioner = Partitioner();
  } else {
    own = options;
  }
  Weight made = getWeight(name, own);
  if (graph.internals().failed())
    return {};
  if (!made.variable() || !made.isValid())
    return refuse(invalidArgumentError(
        strCat("expected a variable from the custom getter for ", full)));
  return *made.variable();
}

bool Weight::isValid() const {
  if (const Variable *one = variable())
    return one->isValid();
  if (const PartitionedVariable *parts = partitioned())
    return !parts->parts().empty();
  return tensor()->node;
}

std::vector<Variable> Weight::variables() const {
  if (const Variable *one = variable(); one && one->isValid())
    return {*one};
  if (const PartitionedVariable *parts = partitioned())
    return parts->parts();
  return {};
}

const Shape &Weight::shape() const {
  static const Shape unknown = Shape::unknownRank();
  if (!isValid())
    return unknown;
  if (const Variable *one = variable())
    return one->shape();
  if (const PartitionedVariable *parts = partitioned())
    return parts->shape();
  return tensor()->shape();
}

DType Weight::dtype() const {
  if (!isValid())
    return DType::Invalid;
  if (const Variable *one = variable())
    return one->dtype();
  if (const PartitionedVariable *parts = partitioned())
    return parts->dtype();
  return tensor()->dtype();
}

Input Weight::input() const {
  if (const Variable *one = variable())
    return *one;
  if (const PartitionedVariable *parts = partitioned())
    return parts->asTensor();
  return *tensor();
}

} // namespace kiln
