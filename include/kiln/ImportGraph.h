// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes of one graph added to another, with other tensors for some of them.
#ifndef KILN_IMPORTGRAPH_H
#define KILN_IMPORTGRAPH_H

#include "kiln/GraphBuilder.h"

#include <map>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace kiln {

/// A tensor, or an operation.
using GraphElement = std::variant<Output, const Node *>;

struct ImportGraphOptions {
  /// What nodes take in place of tensors of the imported graph: "op:1", "op"
  /// for its first; "^op" for what they wait for.
  std::map<std::string, Input> inputMap = {};
  /// "op:1": a tensor, "op": an operation.
  std::vector<std::string> returnElements = {};
  /// The scope of the nodes, made unique; where it is empty they have their own
  /// names, made unique.
  std::string name = "import";
  /// Nodes that are not added, whose tensors `inputMap` has.
  std::set<std::string> without = {};
  /// Nodes ask for no devices of their own.
  bool clearDevices = false;
};

/// Adds the nodes of a graph, all or none, and returns the elements that are
/// asked for, in their order; nothing after an error. Of scopes, devices,
/// control dependencies, the branch or the loop hold; a node's own device is
/// the innermost, and one beside another node has that one's. **Errors** of the
/// graph,
/// with TensorFlow's texts: INVALID_ARGUMENT for inputs and elements that the
/// imported graph does not have, another dtype, and a graph for later versions
/// alone; UNIMPLEMENTED for functions where the graph has other ones.
/// **Source**: tf.import_graph_def; differs: op types that are not known are
/// accepted.
KILN_EXPORT std::vector<GraphElement>
importGraphDef(const Graph &imported, const ImportGraphOptions &options = {});

} // namespace kiln

#endif // KILN_IMPORTGRAPH_H
