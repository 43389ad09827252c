// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a graph can be fed with and asked for.
#ifndef KILN_LISTING_H
#define KILN_LISTING_H

#include "kiln/Graph.h"

#include <string>
#include <vector>

namespace kiln {

/// Nodes by the part they can play in a run, in the order of the graph: guesses
/// from its edges at what its author meant to run.
struct Listing {
  std::vector<Output> placeholders;
  std::vector<const Node *> variables;
  /// Tensors that nothing computes with, gradients apart.
  std::vector<Output> fetches;
  /// Operations without a value, or that update variables, that nothing waits
  /// for.
  std::vector<const Node *> targets;
};
/// **Thread safety**: as Graph's readers. **Cost**: linear in the nodes.
KILN_EXPORT Listing listGraph(const Graph &graph);

/// What listingText() writes above the four lists.
struct ListingHeadings {
  std::string placeholders = "placeholders, to be fed";
  std::string variables = "variables";
  std::string fetches = "likely fetches";
  std::string targets = "likely targets";
};
/// The lists for people: a heading each, then a line an entry with dtype and
/// shape. **Edges**: empty lists are left out, long ones shortened.
KILN_EXPORT std::string listingText(const Listing &listing,
                                    const ListingHeadings &headings = {});

/// The operations that give the variables their first values: the one named, or
/// "init", or every assignment NAME/Assign of a variable NAME. **Errors**:
/// NOT_FOUND.
KILN_EXPORT StatusOr<std::vector<const Node *>>
findInitializers(const Graph &graph, const std::string &name = {});

} // namespace kiln

#endif // KILN_LISTING_H
