// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the export and the import of MetaGraphs share.
#ifndef KILN_LIB_SAVE_VARIABLECOLLECTIONS_H
#define KILN_LIB_SAVE_VARIABLECOLLECTIONS_H

#include "kiln/Graph.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// Whether a collection has its variables as messages; others name them.
/// **Source**: ops.register_proto_function.
bool holdsVariables(std::string_view key);

struct CopyOptions {
  /// Stands before all names; empty or with a slash at its end.
  std::string scope = {};
  bool clearDevices = false;
  /// Tensors of another graph in place of inputs, by their names; may be null.
  const std::map<std::string, Output> *inputMap = nullptr;
};

/// A graph's nodes to be added to another one.
std::vector<NodeSpec> specsOf(const Graph &graph, const CopyOptions &options);

} // namespace kiln

#endif // KILN_LIB_SAVE_VARIABLECOLLECTIONS_H
