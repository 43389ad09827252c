// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collections as names and messages.
#include "kiln/Messages.h"
#include "kiln/QueueRunner.h"
#include "kiln/Saver.h"
#include "lib/Build/VariableData.h"
#include "lib/Graph/Function.h"
#include "lib/Graph/ProgramShapes.h"
#include "lib/IO/Formats.h"
#include "lib/OpDefs/OpDef.h"
#include "lib/Save/ContextDefs.h"
#include "lib/Save/VariableCollections.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <set>

namespace kiln {
namespace {

template <class Dims> std::vector<int64_t> toVector(const Dims &dims) {
  return {dims.begin(), dims.end()};
}

/// Makes messages and names of what collections hold, of a part of the graph:
/// what stands below a scope, whose name is taken away.
class Encoder {
public:
  Encoder(const BuildState &state, const std::string &scope)
      : state(state), scope(scope) {}

  /// The items as the kind that the first of them is, those of other kinds left
  /// out; nothing where none is of a kind that can be written.
  StatusOr<std::optional<CollectionDef>>
  encode(std::string_view key, const std::vector<CollectionItem> &items) const {
    std::vector<std::string> messages;
    NodeNames nodes;
    std::vector<int64_t> integers;
    std::vector<float> floats;
    for (const CollectionItem &item : items) {
      std::string name = nameOf(item.value);
      // A text may be a name; what has none is of no scope.
      if (const auto *text = std::any_cast<std::string>(&item.value))
        name = *text;
      if (!name.starts_with(scope))
        continue;
      KILN_ASSIGN_OR_RETURN(std::optional<std::string> message,
                            messageOf(key, item.value));
      if (message)
        messages.push_back(*std::move(message));
      else if (!name.empty())
        nodes.names.push_back(below(std::move(name)));
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

private:
  std::string below(std::string name) const {
    return nameBelow(std::move(name), scope);
  }
  std::string below(const Node *node) const {
    return node ? below(node->name()) : std::string();
  }
  std::string below(const Output &tensor) const {
    return tensor.node ? below(tensor.name()) : std::string();
  }

  StatusOr<std::string> encode(const Variable &variable) const {
    const VariableData &data = *variable.data();
    VariableDef def;
    def.variableName = below(data.handle);
    def.initialValueName = below(data.initialValue);
    def.initializerName = below(data.initializer);
    def.snapshotName = below(data.read);
    def.isResource = data.isResource;
    def.isTrainable = data.isTrainable;
    if (data.slice)
      def.slice = VariableDef::Slice{
          below(data.slice->fullName), toVector(data.slice->fullShape.dims()),
          data.slice->offset, toVector(data.slice->shape.dims())};
    return encodeVariableDef(def);
  }

  StatusOr<std::string> encode(const QueueRunner &runner) const {
    QueueRunnerDef def;
    def.queueName = below(runner.queue().node);
    // What has a result stands for it: a conditional that enqueues.
    for (const Node *op : runner.enqueueOps())
      def.enqueueOpNames.push_back(
          op && op->numOutputs() > 0 ? below(Output{op, 0}) : below(op));
    def.closeOpName = below(runner.closeOp());
    def.cancelOpName = below(runner.cancelOp());
    def.closedCodes = runner.closedCodes();
    return encodeQueueRunnerDef(def);
  }

  StatusOr<std::string> encode(const Saver &saver) const {
    SaverDef def = saver.def();
    for (std::string *name :
         {&def.filenameTensorName, &def.saveTensorName, &def.restoreOpName})
      *name = below(std::move(*name));
    return encodeSaverDef(def);
  }

  /// The name of what has one in the graph; empty for other things.
  static std::string nameOf(const std::any &value) {
    if (const auto *tensor = std::any_cast<Output>(&value))
      return tensor->node ? tensor->name() : "";
    if (const auto *node = std::any_cast<const Node *>(&value))
      return *node ? (*node)->name() : "";
    if (const auto *variable = std::any_cast<Variable>(&value))
      return variable->isValid() ? variable->name() : "";
    if (const auto *runner = std::any_cast<QueueRunner>(&value))
      return runner->queue().node ? runner->queue().name() : "";
    if (const auto *saver = std::any_cast<Saver>(&value))
      return saver->def().filenameTensorName;
    if (const auto *context =
            std::any_cast<std::shared_ptr<ControlFlowContext>>(&value))
      return (*context)->pivot() ? (*context)->pivot()->name() : "";
    return {};
  }

  /// Nothing for a thing that is no message.
  StatusOr<std::optional<std::string>> messageOf(std::string_view key,
                                                 const std::any &value) const {
    auto some = [](StatusOr<std::string> bytes)
        -> StatusOr<std::optional<std::string>> {
      if (!bytes.ok())
        return bytes.status();
      return std::optional(*std::move(bytes));
    };
    if (const auto *text = std::any_cast<std::string>(&value))
      return std::optional(below(*text));
    if (const auto *saver = std::any_cast<Saver>(&value))
      return some(encode(*saver));
    if (const auto *runner = std::any_cast<QueueRunner>(&value))
      return some(encode(*runner));
    if (const auto *context =
            std::any_cast<std::shared_ptr<ControlFlowContext>>(&value))
      return some(encodeContext(state, **context, scope));
    if (const auto *variable = std::any_cast<Variable>(&value))
      if (holdsVariables(key) && variable->op())
        return some(encode(*variable));
    return std::optional<std::string>();
  }

  const BuildState &state;
  const std::string &scope;
};

/// The places of nodes that go along.
std::vector<std::string> placesBelow(const std::vector<std::string> &places,
                                     const std::string &scope) {
  std::vector<std::string> kept;
  for (const std::string &place : places)
    if (!place.starts_with("loc:@"))
      kept.push_back(place);
    else if (std::string node = place.substr(5); node.starts_with(scope))
      kept.push_back("loc:@" + nameBelow(node, scope));
  return kept;
}

/// Copies the nodes below a scope, whose name is taken away. What they take
/// from outside are placeholders, which imports put other tensors in place of.
class PartCopy {
public:
  PartCopy(const std::string &scope, bool clearDevices)
      : scope(scope), clearDevices(clearDevices) {}

  StatusOr<std::shared_ptr<Graph>> copy(const Graph &graph) {
    for (int id = 0; id < graph.numNodes(); ++id)
      if (graph.node(id)->name().starts_with(scope))
        specs.push_back(specOf(*graph.node(id)));
    auto copy = std::make_shared<Graph>(makeNodeChecker());
    KILN_RETURN_IF_ERROR(copy->addNodes(std::move(specs)));
    copy->setVersions(graph.versions());
    if (auto library = graph.functionLibrary())
      copy->setFunctionLibrary(std::move(library));
    return copy;
  }
  /// The placeholders; "^name" of one that is waited for.
  std::vector<std::string> unbound() const {
    return {names.begin(), names.end()};
  }

private:
  NodeSpec specOf(const Node &node) {
    NodeSpec spec{.name = nameBelow(node.name(), scope),
                  .op = node.op(),
                  .attrs = node.attrs(),
                  .device = clearDevices ? "" : node.device()};
    for (const Output &input : node.inputs())
      spec.inputs.emplace_back(input.node->name().starts_with(scope)
                                   ? nameBelow(input.name(), scope)
                                   : outside(input, ""));
    for (const Node *control : node.controlInputs())
      spec.inputs.emplace_back(control->name().starts_with(scope)
                                   ? "^" + nameBelow(control->name(), scope)
                                   : outside({control, -1}, "^"));
    // What is known of the shapes goes along.
    if (const AttrValue *shapes = spec.attrs.find(programShapesAttr)) {
      spec.attrs.set("_output_shapes", AttrValue(*shapes));
      spec.attrs.erase(programShapesAttr);
    }
    if (const AttrValue *places = spec.attrs.find("_class"))
      if (const auto *list = places->getIf<std::vector<std::string>>())
        spec.attrs.set("_class", placesBelow(*list, scope));
    return spec;
  }

  /// The input that stands for one from outside. mark: "^" where it is waited
  /// for.
  std::string outside(const Output &tensor, std::string_view mark) {
    const bool isControl = !mark.empty();
    std::string name = strCat("unbound_inputs/", tensor.node->name(),
                              isControl           ? "_control"
                              : tensor.index == 0 ? std::string()
                                                  : strCat("_", tensor.index));
    if (names.insert(strCat(mark, name)).second)
      specs.push_back({.name = name,
                       .op = isControl ? "NoOp" : "Placeholder",
                       .attrs = isControl
                                    ? AttrMap()
                                    : AttrMap{{"dtype", tensor.dtype()},
                                              {"shape", tensor.shape()}}});
    return strCat(mark, name);
  }

  const std::string &scope;
  const bool clearDevices;
  std::vector<NodeSpec> specs;
  std::set<std::string> names;
};

/// The ops of the graph and its functions that have a schema, by name.
StatusOr<std::string> opListOf(const Graph &graph) {
  std::set<std::string> names;
  for (int id = 0; id < graph.numNodes(); ++id)
    names.insert(graph.node(id)->op());
  if (SharedFunctions library = graph.functionLibrary())
    for (const auto &[name, function] : library->all())
      for (const NodeSpec &node : function->nodes)
        names.insert(node.op);
  std::vector<const OpSchema *> ops;
  for (const std::string &name : names)
    if (const OpSchema *op = findOpSchema(name))
      ops.push_back(op);
  return encodeOpList(ops);
}

} // namespace

TensorInfo tensorInfo(const Output &tensor) {
  return {
      .name = tensor.name(), .dtype = tensor.dtype(), .shape = tensor.shape()};
}

SignatureDef predictSignature(const std::map<std::string, Output> &inputs,
                              const std::map<std::string, Output> &outputs) {
  SignatureDef signature{.methodName = "tensorflow/serving/predict"};
  for (const auto &[name, tensor] : inputs)
    signature.inputs.emplace(name, tensorInfo(tensor));
  for (const auto &[name, tensor] : outputs)
    signature.outputs.emplace(name, tensorInfo(tensor));
  return signature;
}

StatusOr<MetaGraph> exportMetaGraph(const GraphBuilder &graph,
                                    const ExportMetaGraphOptions &options) {
  KILN_RETURN_IF_ERROR(graph.status());
  MetaGraph metaGraph;
  metaGraph.graph = graph.graph();
  std::string scope = options.exportScope;
  if (!scope.empty() && !scope.ends_with('/'))
    scope += '/';
  if (options.clearDevices || !scope.empty()) {
    PartCopy part(scope, options.clearDevices);
    KILN_ASSIGN_OR_RETURN(metaGraph.graph, part.copy(*graph.graph()));
    if (std::vector<std::string> unbound = part.unbound(); !unbound.empty())
      metaGraph.collections.emplace(unboundInputs, std::move(unbound));
  }
  KILN_ASSIGN_OR_RETURN(metaGraph.opList, opListOf(*metaGraph.graph));
  metaGraph.saver = options.saver;
  metaGraph.stripsDefaultAttrs = options.stripDefaultAttrs;
  Encoder encoder(graph.internals(), scope);
  for (const std::string &key :
       options.collections.value_or(graph.collectionKeys())) {
    KILN_ASSIGN_OR_RETURN(std::optional<CollectionDef> collection,
                          encoder.encode(key, graph.collection(key)));
    if (collection)
      metaGraph.collections.emplace(key, *std::move(collection));
  }
  return metaGraph;
}

} // namespace kiln
