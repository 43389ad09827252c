// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collections as names and messages.
#include "kiln/QueueRunner.h"
#include "kiln/Saver.h"
#include "lib/Build/VariableData.h"
#include "lib/Graph/Function.h"
#include "lib/IO/Formats.h"
#include "lib/Ops/OpDef.h"
#include "lib/Save/ContextDefs.h"
#include "lib/Save/VariableCollections.h"
#include "lib/Support/StatusMacros.h"

#include <algorithm>
#include <set>

namespace kiln {
namespace {

template <class Dims> std::vector<int64_t> toVector(const Dims &dims) {
  return {dims.begin(), dims.end()};
}

StatusOr<std::string> encode(const Variable &variable) {
  const VariableData &data = *variable.data();
  VariableDef def;
  def.variableName = data.handle.name();
  if (data.initialValue.node)
    def.initialValueName = data.initialValue.name();
  if (data.initializer)
    def.initializerName = data.initializer->name();
  def.snapshotName = data.read.node ? data.read.name() : "";
  def.isResource = data.isResource;
  def.isTrainable = data.isTrainable;
  if (data.slice)
    def.slice = VariableDef::Slice{
        data.slice->fullName, toVector(data.slice->fullShape.dims()),
        data.slice->offset, toVector(data.slice->shape.dims())};
  return encodeVariableDef(def);
}

StatusOr<std::string> encode(const QueueRunner &runner) {
  auto nameOf = [](const Node *node) {
    return node ? node->name() : std::string();
  };
  QueueRunnerDef def;
  def.queueName = nameOf(runner.queue().node);
  // What has a result stands for it: a conditional that enqueues.
  for (const Node *op : runner.enqueueOps())
    def.enqueueOpNames.push_back(
        op && op->numOutputs() > 0 ? Output{op, 0}.name() : nameOf(op));
  def.closeOpName = nameOf(runner.closeOp());
  def.cancelOpName = nameOf(runner.cancelOp());
  def.closedCodes = runner.closedCodes();
  return encodeQueueRunnerDef(def);
}

/// The name of what has one in the graph; empty for other things.
std::string nameOf(const std::any &value) {
  if (const auto *tensor = std::any_cast<Output>(&value))
    return tensor->node ? tensor->name() : "";
  if (const auto *node = std::any_cast<const Node *>(&value))
    return *node ? (*node)->name() : "";
  if (const auto *variable = std::any_cast<Variable>(&value))
    return variable->isValid() ? variable->name() : "";
  return {};
}

/// Nothing for a thing that is no message.
StatusOr<std::optional<std::string>> messageOf(const BuildState &state,
                                               std::string_view key,
                                               const std::any &value) {
  auto some =
      [](StatusOr<std::string> bytes) -> StatusOr<std::optional<std::string>> {
    if (!bytes.ok())
      return bytes.status();
    return std::optional(*std::move(bytes));
  };
  if (const auto *text = std::any_cast<std::string>(&value))
    return std::optional(*text);
  if (const auto *saver = std::any_cast<Saver>(&value))
    return some(encodeSaverDef(saver->def()));
  if (const auto *runner = std::any_cast<QueueRunner>(&value))
    return some(encode(*runner));
  if (const auto *context =
          std::any_cast<std::shared_ptr<ControlFlowContext>>(&value))
    return some(encodeContext(state, **context));
  if (const auto *variable = std::any_cast<Variable>(&value))
    if (holdsVariables(key) && variable->op())
      return some(encode(*variable));
  return std::optional<std::string>();
}

/// The items as the kind that the first of them is, those of other kinds left
/// out; nothing where none is of a kind that can be written.
StatusOr<std::optional<CollectionDef>>
encode(const BuildState &state, std::string_view key,
       const std::vector<CollectionItem> &items) {
  std::vector<std::string> messages;
  NodeNames nodes;
  std::vector<int64_t> integers;
  std::vector<float> floats;
  for (const CollectionItem &item : items) {
    KILN_ASSIGN_OR_RETURN(std::optional<std::string> message,
                          messageOf(state, key, item.value));
    if (message)
      messages.push_back(*std::move(message));
    else if (std::string name = nameOf(item.value); !name.empty())
      nodes.names.push_back(std::move(name));
    else if (const auto *integer = std::any_cast<int64_t>(&item.value))
      integers.push_back(*integer);
    else if (const auto *number = std::any_cast<float>(&item.value))
      floats.push_back(*number);
  }
  std::optional<CollectionDef> collection;
  if (!messages.empty())
    collection = std::move(messages);
  else if (!nodes.names.empty())
    collection = std::move(nodes);
  else if (!integers.empty())
    collection = std::move(integers);
  else if (!floats.empty())
    collection = std::move(floats);
  return collection;
}

/// A copy whose nodes are of no device.
StatusOr<std::shared_ptr<Graph>> withoutDevices(const Graph &graph) {
  auto copy = std::make_shared<Graph>(makeNodeChecker());
  std::vector<NodeSpec> specs = specsOf(graph, {.clearDevices = true});
  KILN_RETURN_IF_ERROR(copy->addNodes(std::move(specs)));
  copy->setVersions(graph.versions());
  if (auto library = graph.functionLibrary())
    copy->setFunctionLibrary(std::move(library));
  return copy;
}

/// The ops of the graph and its functions that have a schema, by name.
StatusOr<std::string> opListOf(const Graph &graph) {
  std::set<std::string> names;
  for (int id = 0; id < graph.numNodes(); ++id)
    names.insert(graph.node(id)->op());
  if (SharedFunctions library = graph.functionLibrary())
    for (const auto &[name, function] : library->all())
      for (const NodeSpec &node : function->nodes)
        names.insert(node.op);
  std::vector<const OpDef *> ops;
  for (const std::string &name : names)
    if (const OpDef *op = lookupOp(name))
      ops.push_back(op);
  return encodeOpList(ops);
}

} // namespace

TensorInfo tensorInfo(const Output &tensor) {
  return {
      .name = tensor.name(), .dtype = tensor.dtype(), .shape = tensor.shape()};
}

StatusOr<MetaGraph> exportMetaGraph(const GraphBuilder &graph,
                                    const ExportMetaGraphOptions &options) {
  KILN_RETURN_IF_ERROR(graph.status());
  MetaGraph metaGraph;
  metaGraph.graph = graph.graph();
  if (options.clearDevices) {
    KILN_ASSIGN_OR_RETURN(metaGraph.graph, withoutDevices(*graph.graph()));
  }
  KILN_ASSIGN_OR_RETURN(metaGraph.opList, opListOf(*metaGraph.graph));
  metaGraph.saver = options.saver;
  for (const std::string &key :
       options.collections.value_or(graph.collectionKeys())) {
    KILN_ASSIGN_OR_RETURN(
        std::optional<CollectionDef> collection,
        encode(graph.internals(), key, graph.collection(key)));
    if (collection)
      metaGraph.collections.emplace(key, *std::move(collection));
  }
  return metaGraph;
}

} // namespace kiln
