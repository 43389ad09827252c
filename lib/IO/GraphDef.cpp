// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs from and to GraphDef.
#include "kiln/GraphDef.h"

#include "lib/Graph/ProgramShapes.h"
#include "lib/IO/AttrCodec.h"
#include "lib/IO/FunctionCodec.h"
#include "lib/IO/GraphCodec.h"
#include "lib/IO/Wire.h"
#include "lib/IO/proto/Graph.pb.h"
#include "lib/Support/DataMemory.h"
#include "lib/Support/File.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <google/protobuf/arena.h>
#include <new>

namespace kiln {

namespace {

Status tooManyNodes(int64_t nodes, const GraphLimits &limits) {
  return resourceExhaustedError(strCat(
      "the GraphDef has ", nodes, " nodes, the limit is ", limits.maxNodes));
}

Status parseGraph(std::string_view bytes, const GraphLoadOptions &options,
                  proto::GraphDef &graphDef) {
  if (bytes.size() > options.maxFileBytes)
    return resourceExhaustedError(strCat("the GraphDef has ", bytes.size(),
                                         " bytes, the limit is ",
                                         options.maxFileBytes));
  if (io::looksLikeText(bytes))
    return io::parseText(bytes, options.maxDepth, graphDef);
  // An empty node takes two bytes in the file and a hundred in memory: counted
  // before they are built.
  int64_t nodes =
      io::countTopLevelField(bytes, proto::GraphDef::kNodeFieldNumber);
  if (nodes > options.limits.maxNodes)
    return tooManyNodes(nodes, options.limits);
  return io::parseBinary(bytes, options.maxDepth, graphDef);
}

GraphVersions decodeVersions(const proto::GraphDef &graphDef) {
  const proto::VersionDef &versions = graphDef.versions();
  GraphVersions decoded;
  decoded.producer = versions.producer();
  decoded.minConsumer = versions.min_consumer();
  decoded.badConsumers.assign(versions.bad_consumers().begin(),
                              versions.bad_consumers().end());
  return decoded;
}

/// Before this version a placeholder of any shape said that it was a scalar.
constexpr int firstWithUnknownRanks = 22;

/// Takes away a shape that says nothing.
void forgetScalarShape(NodeSpec &spec) {
  if (spec.op != "Placeholder")
    return;
  const AttrValue *shape = spec.attrs.find("shape");
  if (const Shape *known = shape ? shape->getIf<Shape>() : nullptr;
      known && known->hasRank() && known->rank() == 0)
    spec.attrs.erase("shape");
}

/// Bytes that a node's constants take in a message, at least.
uint64_t constantBytes(const Node &node) {
  uint64_t bytes = 0;
  for (const NamedAttr &attr : node.attrs()) {
    const auto *constant = attr.value.getIf<TensorConstant>();
    if (!constant)
      continue;
    if (constant->opaque)
      bytes += constant->opaque->size();
    else if (constant->dtype == DType::String && constant->value.isValid())
      for (const String &text : constant->value.data<String>())
        bytes += text.size();
    else if (constant->value.isValid())
      bytes += constant->value.byteSize();
  }
  return bytes;
}

void encodeFields(const Graph &graph, const Node &node,
                  proto::NodeDef &nodeDef) {
  nodeDef.set_name(node.name());
  nodeDef.set_op(node.op());
  nodeDef.set_device(node.device());
  for (const Output &input : node.inputs())
    nodeDef.add_input(input.index == 0 ? input.node->name() : input.name());
  // In order of their names, as TensorFlow writes them.
  std::vector<std::string_view> controls;
  for (const Node *control : node.controlInputs())
    controls.push_back(control->name());
  std::ranges::sort(controls);
  for (std::string_view control : controls)
    nodeDef.add_input(strCat("^", control));
  for (const NamedAttr &attr : node.attrs())
    if (attr.name != programShapesAttr)
      io::encodeAttr(attr.value, (*nodeDef.mutable_attr())[attr.name]);
  if (graph.isControlSource(node))
    io::encodeAttr(
        AttrValue(true),
        (*nodeDef.mutable_attr())["_has_manual_control_dependencies"]);
}

/// **Errors**: RESOURCE_EXHAUSTED, with the node, where its constants do not
/// fit into memory a second time.
Status encodeNodeOf(const Graph &graph, const Node &node,
                    proto::NodeDef &nodeDef) {
  uint64_t bytes = constantBytes(node);
  auto outOf = [&] {
    return outOfMemory("a node's constants in a GraphDef", bytes)
        .withNode(node.name());
  };
  if (bytes > 0 && !mayAllocateData(bytes))
    return outOf();
  try {
    encodeFields(graph, node, nodeDef);
    return okStatus();
  } catch (const std::bad_alloc &) {
    return outOf();
  }
}

} // namespace

NodeChecker (*io::makeDefaultChecker)() = makeNodeChecker;

Status io::decodeGraph(const proto::GraphDef &graphDef,
                       const GraphLoadOptions &options, Graph &graph) {
  if (graphDef.node_size() > options.limits.maxNodes)
    return tooManyNodes(graphDef.node_size(), options.limits);
  io::ByteBudget budget(options.maxConstantBytes);
  const bool isFirst = graph.numNodes() == 0;
  const GraphVersions versions =
      isFirst ? decodeVersions(graphDef) : graph.versions();
  const bool isOld =
      versions.producer > 0 && versions.producer < firstWithUnknownRanks;
  std::vector<NodeSpec> specs;
  specs.reserve(static_cast<size_t>(graphDef.node_size()));
  for (const proto::NodeDef &nodeDef : graphDef.node()) {
    KILN_ASSIGN_OR_RETURN(NodeSpec spec, io::decodeNode(nodeDef, budget));
    if (isOld)
      forgetScalarShape(spec);
    specs.push_back(std::move(spec));
  }
  std::shared_ptr<const FunctionLibrary> library;
  if (graphDef.has_library()) {
    KILN_ASSIGN_OR_RETURN(
        library, io::decodeLibrary(graphDef.library(), budget, options.limits));
  }
  if (options.edit)
    KILN_RETURN_IF_ERROR(options.edit(specs));
  // Checkers may ask for the functions that the nodes call.
  const SharedFunctions before = graph.functionLibrary();
  if (library)
    io::addLibrary(std::move(library), graph);
  if (Status added = graph.addNodes(std::move(specs)); !added.ok()) {
    graph.setFunctionLibrary(before);
    return added;
  }
  if (isFirst)
    graph.setVersions(versions);
  return okStatus();
}

void io::encodeVersions(const GraphVersions &versions,
                        proto::VersionDef &message) {
  message.set_producer(versions.producer);
  message.set_min_consumer(versions.minConsumer);
  for (int consumer : versions.badConsumers)
    message.add_bad_consumers(consumer);
}

Status io::encodeGraph(const Graph &graph, proto::GraphDef &graphDef) {
  for (int id = 0, end = graph.numNodes(); id < end; ++id)
    KILN_RETURN_IF_ERROR(
        encodeNodeOf(graph, *graph.node(id), *graphDef.add_node()));
  if (GraphVersions versions = graph.versions(); !(versions == GraphVersions()))
    encodeVersions(versions, *graphDef.mutable_versions());
  if (auto library = graph.functionLibrary())
    return io::encodeLibrary(*library, *graphDef.mutable_library());
  return okStatus();
}

uint64_t io::graphBytes(const Graph &graph) {
  uint64_t bytes = 0;
  for (int id = 0, end = graph.numNodes(); id < end; ++id)
    bytes += graph.node(id)->name().size() + constantBytes(*graph.node(id));
  return bytes;
}

namespace {

Status extend(Graph &graph, std::string_view bytes,
              const GraphLoadOptions &options) {
  google::protobuf::Arena arena;
  auto &graphDef =
      *google::protobuf::Arena::CreateMessage<proto::GraphDef>(&arena);
  KILN_RETURN_IF_ERROR(parseGraph(bytes, options, graphDef));
  return io::decodeGraph(graphDef, options, graph);
}

StatusOr<std::shared_ptr<Graph>> load(std::string_view bytes,
                                      const GraphLoadOptions &options) {
  auto graph = std::make_shared<Graph>(
      options.checker ? options.checker : io::makeDefaultChecker(),
      options.limits);
  KILN_RETURN_IF_ERROR(extend(*graph, bytes, options));
  return graph;
}

StatusOr<std::string> print(const Graph &graph, GraphDefFormat format) {
  google::protobuf::Arena arena;
  auto &graphDef =
      *google::protobuf::Arena::CreateMessage<proto::GraphDef>(&arena);
  KILN_RETURN_IF_ERROR(io::encodeGraph(graph, graphDef));
  return io::serialize(graphDef, format);
}

} // namespace

StatusOr<std::shared_ptr<Graph>> loadGraphDef(std::string_view bytes,
                                              const GraphLoadOptions &options) {
  return io::withoutExceptions<StatusOr<std::shared_ptr<Graph>>>(
      "a graph from a GraphDef", bytes.size(),
      [&] { return load(bytes, options); });
}

Status extendGraphDef(Graph &graph, std::string_view bytes,
                      const GraphLoadOptions &options) {
  return io::withoutExceptions<Status>(
      "nodes from a GraphDef", bytes.size(),
      [&] { return extend(graph, bytes, options); });
}

StatusOr<std::shared_ptr<Graph>>
loadGraphDefFile(const std::string &path, const GraphLoadOptions &options) {
  KILN_ASSIGN_OR_RETURN(FileBytes bytes, readFile(path, options.maxFileBytes));
  auto graph = loadGraphDef(bytes.view(), options);
  if (!graph.ok())
    return Status(graph.status().code(),
                  strCat(path, ": ", graph.status().message()),
                  std::string(graph.status().node()));
  return graph;
}

StatusOr<std::string> toGraphDef(const Graph &graph, GraphDefFormat format) {
  return io::withoutExceptions<StatusOr<std::string>>(
      "a GraphDef", io::graphBytes(graph),
      [&] { return print(graph, format); });
}

StatusOr<std::string> toNodeDef(const Graph &graph, const Node &node) {
  return io::withoutExceptions<StatusOr<std::string>>(
      "a NodeDef", constantBytes(node), [&] {
        proto::NodeDef nodeDef;
        encodeFields(graph, node, nodeDef);
        return io::serialize(nodeDef, GraphDefFormat::Binary);
      });
}

Status saveGraphDefFile(const Graph &graph, const std::string &path,
                        GraphDefFormat format) {
  auto bytes = toGraphDef(graph, format);
  if (!bytes.ok())
    return Status(bytes.status().code(),
                  strCat(path, ": ", bytes.status().message()),
                  std::string(bytes.status().node()));
  return writeFileAtomically(path, *bytes);
}

} // namespace kiln
