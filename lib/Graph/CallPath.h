// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a function's nodes are run from.
#ifndef KILN_LIB_GRAPH_CALLPATH_H
#define KILN_LIB_GRAPH_CALLPATH_H

#include <cstddef>
#include <string>

namespace kiln {

/// The calls around the nodes of a body; empty for those of the graph.
struct CallPath {
  /// Put before the names of its nodes: the names of the calls, each followed
  /// by "/".
  std::string name;
  /// The same with the number of the body in each call, so that nodes of one
  /// name in the branches of a call, or in the condition and the body of a
  /// loop, differ. What belongs to one node alone, as its random stream, is
  /// found by it.
  std::string place;

  /// That of the bodies that a node calls.
  CallPath inside(const std::string &caller, size_t body) const {
    return {name + caller + "/",
            // No node's name has a colon.
            place + caller + ":" + std::to_string(body) + "/"};
  }
  bool operator==(const CallPath &) const = default;
};

} // namespace kiln

#endif // KILN_LIB_GRAPH_CALLPATH_H
