// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of a library as values: made of a part of a graph, to and from
// bytes.
#ifndef KILN_FUNCTIONSPEC_H
#define KILN_FUNCTIONSPEC_H

#include "kiln/Graph.h"
#include "kiln/OpSchema.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// **Source**: FunctionDef.
struct FunctionSpec {
  /// Name, arguments, results, attributes and whether a node keeps state.
  OpSchema signature;
  std::string description = {};
  AttrMap attrs = {};
  /// What is known of each argument; none, or one for each.
  std::vector<AttrMap> argAttrs = {};
  /// Inputs are "arg", "node:output:0" and "^node".
  std::vector<NodeSpec> nodes = {};
  /// The tensor that each result is.
  std::map<std::string, std::string> returns = {};
  /// The node that each control output is.
  std::map<std::string, std::string> controlReturns = {};
};

/// Which part of a graph becomes a function.
struct GraphPart {
  /// Without a list: all nodes, but for those that the arguments stand for.
  std::optional<std::vector<const Node *>> body = {};
  /// What the arguments stand for.
  std::vector<Output> inputs = {};
  std::vector<Output> outputs = {};
  /// One for each output; empty: made of the nodes' names.
  std::vector<std::string> outputNames = {};
  std::vector<const Node *> controlOutputs = {};
  /// One for each of them; empty: the nodes' names.
  std::vector<std::string> controlOutputNames = {};
};

/// Returns a part of a graph as a function, whose names are in lower case and
/// unique. Attributes whose values are placeholders become its own. **Errors**:
/// INVALID_ARGUMENT with TensorFlow's texts for tensors that the graph does not
/// have (OUT_OF_RANGE by their index) or that are references, names that come
/// twice and what the body takes from outside; UNIMPLEMENTED for placeholders
/// of attributes that no op has.
/// **Thread safety**: as Graph's readers. **Source**: TF_GraphToFunction.
KILN_EXPORT StatusOr<FunctionSpec> functionFromGraph(const Graph &graph,
                                                     const std::string &name,
                                                     const GraphPart &part);

// Bytes: as kiln/Messages.h says.

/// Serializes a FunctionDef.
KILN_EXPORT StatusOr<std::string> encodeFunctionDef(const FunctionSpec &spec);
/// Eleven letters and digits that TensorFlow puts behind a function's name: its
/// FunctionDefHash.
KILN_EXPORT StatusOr<std::string> functionDefHash(const FunctionSpec &spec);

/// What is read of a FunctionDef without its body.
struct FunctionHead {
  std::string name;
  AttrMap attrs;
};
KILN_EXPORT StatusOr<FunctionHead> decodeFunctionHead(std::string_view bytes);
/// Returns the FunctionDef with another value for one of its attributes.
KILN_EXPORT StatusOr<std::string> setFunctionAttr(std::string_view bytes,
                                                  std::string_view name,
                                                  const AttrValue &value);
/// Notes in the graph's library which function is the gradient of another.
/// **Edges**: nothing where it is already. **Errors**: INVALID_ARGUMENT, with
/// TensorFlow's text, where it has another one. **Thread safety**: as
/// Graph::addNode().
KILN_EXPORT Status addFunctionGradient(Graph &graph, std::string_view function,
                                       std::string_view gradient);

} // namespace kiln

#endif // KILN_FUNCTIONSPEC_H
