// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a graph can be fed with and asked for.
#ifndef KILN_TOOLS_RUN_LISTING_H
#define KILN_TOOLS_RUN_LISTING_H

#include "kiln/Graph.h"

#include <string>
#include <vector>

namespace kiln::run {

/// Nodes by the part they can play in a run, in the order of the graph.
struct Listing {
  std::vector<Output> placeholders;
  std::vector<const Node *> variables;
  /// Tensors that nothing computes with, gradients apart.
  std::vector<Output> fetches;
  /// Operations without a value, or that update variables, that nothing waits
  /// for.
  std::vector<const Node *> targets;
};
Listing listGraph(const Graph &graph);

/// The listing for people, with a command line that would run something.
std::string listingText(const Listing &listing, const std::string &path,
                        int numNodes);

/// The operations that give the variables their first values: the one named, or
/// "init", or every assignment NAME/Assign of a variable NAME. **Errors**:
/// NOT_FOUND.
StatusOr<std::vector<const Node *>> findInitializers(const Graph &graph,
                                                     const std::string &name);

} // namespace kiln::run

#endif // KILN_TOOLS_RUN_LISTING_H
