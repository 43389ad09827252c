// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds the nodes of a MetaGraph to a graph, and makes its collections again.
#include "kiln/GraphScopes.h"
#include "kiln/ImportGraph.h"
#include "kiln/QueueRunner.h"
#include "kiln/Saver.h"
#include "lib/Build/BuildState.h"
#include "lib/Build/VariableData.h"
#include "lib/Graph/Function.h"
#include "lib/IO/Formats.h"
#include "lib/Save/ContextDefs.h"
#include "lib/Save/VariableCollections.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <array>

namespace kiln {

bool holdsVariables(std::string_view key) {
  static constexpr std::array names{keys::globalVariables,
                                    keys::trainableVariables,
                                    keys::localVariables,
                                    keys::modelVariables,
                                    keys::globalStep,
                                    keys::movingAverageVariables,
                                    std::string_view("metric_variables")};
  return std::ranges::find(names, key) != names.end();
}

namespace {

Shape shapeOf(const Node &variable) {
  return variable.attrOr<Shape>("shape", Shape::unknownRank());
}

/// Makes what collections hold, of a graph whose names have got a scope.
class Decoder {
public:
  Decoder(const GraphBuilder &graph, std::string scope)
      : graph(graph), scope(std::move(scope)) {}

  StatusOr<std::vector<CollectionItem>>
  decode(std::string_view key, const CollectionDef &collection) {
    std::vector<CollectionItem> items;
    if (const auto *nodes = std::get_if<NodeNames>(&collection)) {
      for (const std::string &name : nodes->names) {
        KILN_ASSIGN_OR_RETURN(items.emplace_back(), element(name));
      }
    } else if (const auto *texts =
                   std::get_if<std::vector<std::string>>(&collection)) {
      for (const std::string &text : *texts) {
        KILN_ASSIGN_OR_RETURN(items.emplace_back(), message(key, text));
      }
    } else if (const auto *integers =
                   std::get_if<std::vector<int64_t>>(&collection)) {
      for (int64_t number : *integers)
        items.push_back({"", number});
    } else if (const auto *floats =
                   std::get_if<std::vector<float>>(&collection)) {
      for (float number : *floats)
        items.push_back({"", number});
    }
    return items;
  }

  /// The variable that a message means, whose nodes are there.
  StatusOr<Variable> make(const VariableDef &def) const {
    auto data = std::make_shared<VariableData>(graph);
    KILN_ASSIGN_OR_RETURN(data->handle, tensor(def.variableName));
    KILN_ASSIGN_OR_RETURN(data->initializer,
                          graph.graph()->findNode(scope + def.initializerName));
    if (!def.initialValueName.empty()) {
      KILN_ASSIGN_OR_RETURN(data->initialValue, tensor(def.initialValueName));
    }
    KILN_ASSIGN_OR_RETURN(data->read, tensor(def.snapshotName));
    data->isResource = def.isResource;
    data->isTrainable = def.isTrainable;
    data->dtype = data->handle.node->attrOr<DType>("dtype", DType::Invalid);
    data->shape = shapeOf(*data->handle.node);
    if (data->dtype == DType::Invalid)
      return invalidArgumentError(
          strCat(data->handle.name(), " is no variable"));
    if (def.isResource)
      data->initialized = initializedOf(*data->handle.node);
    if (def.slice) {
      const VariableDef::Slice &slice = *def.slice;
      KILN_ASSIGN_OR_RETURN(Shape full, Shape::fromDims(slice.fullShape));
      KILN_ASSIGN_OR_RETURN(Shape part, Shape::fromDims(slice.shape));
      if (full.rank() != part.rank() ||
          slice.offset.size() != slice.shape.size())
        return invalidArgumentError(
            strCat(data->handle.name(), " is no part of ", slice.fullName));
      data->slice =
          VariableSlice{scope + slice.fullName, full, slice.offset, part};
    }
    return Variable::of(std::move(data));
  }

private:
  StatusOr<CollectionItem> element(const std::string &name) const {
    std::string full = scope + name;
    if (name.find(':') == name.npos) {
      KILN_ASSIGN_OR_RETURN(const Node *node, graph.graph()->findNode(full));
      return CollectionItem{full, node};
    }
    KILN_ASSIGN_OR_RETURN(Output tensor, graph.graph()->findTensor(full));
    // A reference is what a variable is in collections that name it.
    return CollectionItem{full, tensor};
  }

  StatusOr<CollectionItem> message(std::string_view key,
                                   const std::string &bytes) {
    if (holdsVariables(key))
      return variable(bytes);
    if (key == keys::savers) {
      KILN_ASSIGN_OR_RETURN(SaverDef def, decodeSaverDef(bytes));
      for (std::string *name :
           {&def.filenameTensorName, &def.saveTensorName, &def.restoreOpName})
        *name = scope + *name;
      return CollectionItem{"", Saver::fromDef(std::move(def), graph)};
    }
    if (key == keys::queueRunners)
      return queueRunner(bytes);
    if (key == keys::condContext || key == keys::whileContext) {
      KILN_ASSIGN_OR_RETURN(auto context,
                            decodeContext(graph.internals(), bytes,
                                          key == keys::whileContext, scope));
      return CollectionItem{context->name, context};
    }
    return CollectionItem{"", bytes};
  }

  StatusOr<CollectionItem> queueRunner(const std::string &bytes) const {
    KILN_ASSIGN_OR_RETURN(QueueRunnerDef def, decodeQueueRunnerDef(bytes));
    KILN_ASSIGN_OR_RETURN(const Node *queue, node(def.queueName));
    std::vector<const Node *> enqueues;
    for (const std::string &name : def.enqueueOpNames) {
      KILN_ASSIGN_OR_RETURN(enqueues.emplace_back(), node(name));
    }
    QueueRunnerOptions options;
    KILN_ASSIGN_OR_RETURN(options.closeOp, node(def.closeOpName));
    KILN_ASSIGN_OR_RETURN(options.cancelOp, node(def.cancelOpName));
    if (!def.closedCodes.empty())
      options.closedCodes = def.closedCodes;
    if (enqueues.empty() || queue->numOutputs() < 1)
      return invalidArgumentError("Must provide queue and enqueue_ops.");
    return CollectionItem{
        "", QueueRunner({queue, 0}, std::move(enqueues), options)};
  }

  /// A node by its name, or by a tensor's of it.
  StatusOr<const Node *> node(const std::string &name) const {
    return graph.graph()->findNode(scope + name.substr(0, name.find(':')));
  }

  /// One variable for the same message in several collections.
  StatusOr<CollectionItem> variable(const std::string &bytes) {
    auto [known, isNew] = variables.try_emplace(bytes);
    if (isNew) {
      KILN_ASSIGN_OR_RETURN(VariableDef def, decodeVariableDef(bytes));
      KILN_ASSIGN_OR_RETURN(known->second, make(def));
    }
    return CollectionItem{known->second.name(), known->second};
  }

  StatusOr<Output> tensor(const std::string &name) const {
    return graph.graph()->findTensor(scope + name);
  }

  /// The op that tells whether the resource has a value, where there is one.
  Output initializedOf(const Node &handle) const {
    const Node *found = graph.graph()->lookup(
        handle.name() + "/IsInitialized/VarIsInitializedOp");
    return found ? Output{found, 0} : Output();
  }

  GraphBuilder graph;
  std::string scope;
  std::map<std::string, Variable> variables;
};

/// The nodes that stand for tensors from outside, in whose place the import has
/// others. **Source**: import_scoped_meta_graph.
StatusOr<std::set<std::string>>
nodesFromOutside(const MetaGraph &metaGraph,
                 const ImportMetaGraphOptions &options) {
  auto found = metaGraph.collections.find(std::string(unboundInputs));
  const auto *names =
      found == metaGraph.collections.end()
          ? nullptr
          : std::get_if<std::vector<std::string>>(&found->second);
  std::set<std::string> nodes;
  if (!names)
    return nodes;
  std::vector<std::string> missing;
  for (const std::string &name : *names) {
    if (!options.inputMap.contains(name) &&
        !options.inputMap.contains(name + ":0"))
      missing.push_back(name);
    nodes.insert(name.starts_with('^') ? name.substr(1) : name);
  }
  if (!missing.empty())
    return invalidArgumentError(
        strCat("Graph contains unbound inputs: ", strJoin(missing, ","),
               ". Must provide these inputs through input_map."));
  return nodes;
}

/// Adds the nodes under names of a scope; returns that, with a slash, or
/// nothing.
StatusOr<std::string> addNodes(const MetaGraph &metaGraph,
                               const GraphBuilder &graph,
                               const ImportMetaGraphOptions &options) {
  GraphScope current(graph);
  ImportGraphOptions import{.name = options.importScope,
                            .clearDevices = options.clearDevices};
  KILN_ASSIGN_OR_RETURN(import.without, nodesFromOutside(metaGraph, options));
  for (const auto &[name, tensor] : options.inputMap)
    import.inputMap.emplace(name, tensor);
  std::string scope = import.name;
  if (scope.empty())
    scope = import.name = graph.nameScope();
  else if (!scope.ends_with('/'))
    scope = graph.uniqueName(scope, false) + "/";
  importGraphDef(*metaGraph.graph, import);
  KILN_RETURN_IF_ERROR(GraphBuilder(graph).takeStatus());
  return scope;
}

} // namespace

StatusOr<std::string> importMetaGraph(const MetaGraph &metaGraph,
                                      const GraphBuilder &graph,
                                      const ImportMetaGraphOptions &options) {
  KILN_RETURN_IF_ERROR(graph.status());
  if (!metaGraph.graph)
    return invalidArgumentError("expected a MetaGraph with a graph");
  if (graph.isFinalized())
    return failedPreconditionError(
        "Graph is finalized and cannot be modified.");
  // What is wrong with the collections is found before anything is added.
  Decoder alone(GraphBuilder(metaGraph.graph), "");
  for (const auto &[key, collection] : metaGraph.collections)
    if (key != unboundInputs)
      KILN_RETURN_IF_ERROR(alone.decode(key, collection).status());
  Graph &target = *graph.graph();
  const bool isFirst = target.numNodes() == 0;
  KILN_ASSIGN_OR_RETURN(std::string scope, addNodes(metaGraph, graph, options));
  if (isFirst)
    target.setVersions(metaGraph.graph->versions());
  Decoder decoder(graph, scope);
  std::map<std::string, std::vector<CollectionItem>> collections;
  for (const auto &[key, collection] : metaGraph.collections) {
    if (key == unboundInputs)
      continue;
    KILN_ASSIGN_OR_RETURN(collections[key], decoder.decode(key, collection));
  }
  for (auto &[key, items] : collections)
    for (CollectionItem &item : items)
      graph.addToCollection(key, std::move(item));
  return scope;
}

StatusOr<Variable> variableFromDef(const std::string &bytes,
                                   const GraphBuilder &graph,
                                   const std::string &scope) {
  KILN_RETURN_IF_ERROR(graph.status());
  KILN_ASSIGN_OR_RETURN(VariableDef def, decodeVariableDef(bytes));
  return Decoder(graph, scope).make(def);
}

} // namespace kiln
