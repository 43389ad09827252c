// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading and writing TensorFlow's GraphDef, binary and text.
#ifndef KILN_GRAPHDEF_H
#define KILN_GRAPHDEF_H

#include "kiln/Ops.h"

namespace kiln {

/// How to load a GraphDef and how much of it to accept.
struct GraphLoadOptions {
  /// Empty: a new makeNodeChecker().
  NodeChecker checker = {};
  GraphLimits limits = {};
  /// Bytes of the file or string.
  size_t maxFileBytes = size_t{2} << 30;
  /// Bytes of all constants as they are kept in memory: a splat counts one
  /// element.
  size_t maxConstantBytes = size_t{2} << 30;
  /// Nesting of protobuf messages.
  int maxDepth = 100;
  /// Called with the nodes of the message before they are added, to give them
  /// other names and inputs. What it fails with, loading fails with.
  std::function<Status(std::vector<NodeSpec> &nodes)> edit = {};
  /// Whether MetaGraphs keep the message that they were read from.
  bool keepMessage = false;
};

enum class GraphDefFormat { Binary, Text };

/// Parses a GraphDef, binary or text (told by the bytes). **Errors**:
/// INVALID_ARGUMENT for bytes that are no GraphDef and for a graph that
/// Graph::addNodes refuses (with the node's name), RESOURCE_EXHAUSTED beyond a
/// limit. **Edges**: no bytes give an empty graph; a node that fits its op, but
/// that no run can compute, is an error of the runs that reach it. **Thread
/// safety**: free.
/// **Source**: import_graph_def; differs: unknown op types are accepted, debug
/// information is dropped.
KILN_EXPORT StatusOr<std::shared_ptr<Graph>>
loadGraphDef(std::string_view bytes, const GraphLoadOptions &options = {});
/// As loadGraphDef(), from a file. **Errors**: also NOT_FOUND and the like,
/// with the path, when it cannot be read.
KILN_EXPORT StatusOr<std::shared_ptr<Graph>>
loadGraphDefFile(const std::string &path, const GraphLoadOptions &options = {});

/// Adds the nodes of a GraphDef, whose inputs may be in the graph already, all
/// or none; adds its functions, which, where one has the name of one that is
/// there, take the place of all that are there, and takes its versions over
/// when the graph is empty. Of the options the checker and the limits on nodes
/// are the graph's own. **Errors**: as loadGraphDef() and Graph::addNodes().
/// **Thread safety**: as Graph::addNodes(). **Cost**: of the new nodes, not of
/// the graph.
KILN_EXPORT Status extendGraphDef(Graph &graph, std::string_view bytes,
                                  const GraphLoadOptions &options = {});

/// Serializes the graph; deterministic. **Errors**: RESOURCE_EXHAUSTED beyond
/// protobuf's 2 GiB.
KILN_EXPORT StatusOr<std::string>
toGraphDef(const Graph &graph, GraphDefFormat format = GraphDefFormat::Binary);
/// Serializes one node as a binary NodeDef. **Errors**: as toGraphDef().
KILN_EXPORT StatusOr<std::string> toNodeDef(const Graph &graph,
                                            const Node &node);
/// As toGraphDef(), to a file that is replaced in one step: a reader, and a
/// crash, see the old or the new one.
/// **Errors**: also PERMISSION_DENIED and the like, with the path; the old file
/// stays.
KILN_EXPORT Status
saveGraphDefFile(const Graph &graph, const std::string &path,
                 GraphDefFormat format = GraphDefFormat::Binary);

} // namespace kiln

#endif // KILN_GRAPHDEF_H
