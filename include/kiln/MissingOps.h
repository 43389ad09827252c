// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a graph holds that Kiln cannot run.
#ifndef KILN_MISSINGOPS_H
#define KILN_MISSINGOPS_H

#include "kiln/Graph.h"

#include <cstdint>
#include <string>
#include <vector>

namespace kiln {

/// Nodes of a graph that Kiln cannot run, for one reason.
struct MissingOp {
  std::string op;
  /// What Kiln lacks of the op, a dtype; empty: all of it.
  std::string lack;
  std::string node;  ///< the first of the nodes
  int64_t nodes = 0; ///< how many there are
};

/// Lists what Kiln lacks for the nodes of a graph, in the order of the first
/// node of each entry; then what it lacks for its functions, whose nodes are
/// called FUNCTION/NODE: ops alone, since dtypes there follow from the call. A
/// graph with such nodes can be built, loaded and run: a run fails where it
/// reaches one. **Edges**: empty for a graph of which any
/// part can be run, as far as ops and dtypes decide it. **Thread safety**: as
/// Graph's readers. **Cost**: linear in the nodes.
KILN_EXPORT std::vector<MissingOp> findMissingOps(const Graph &graph);

} // namespace kiln

#endif // KILN_MISSINGOPS_H
