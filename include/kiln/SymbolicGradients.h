// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients as TensorFlow's C and C++ interfaces add them.
#ifndef KILN_SYMBOLICGRADIENTS_H
#define KILN_SYMBOLICGRADIENTS_H

#include "kiln/GraphBuilder.h"

#include <optional>
#include <string>
#include <vector>

namespace kiln {

struct SymbolicGradientOptions {
  /// One for each y; empty: ones for all.
  std::vector<Output> gradYs = {};
  /// The scope of the nodes, which nothing may be in yet. Without it
  /// "gradients", made unique.
  std::optional<std::string> prefix = {};
};

/// Adds the derivatives of the sum of the ys with respect to each x, one after
/// the other in one scope, and returns them; one without a node where nothing
/// flows to an x. Rows of a tensor are summed into a whole one. Integers have
/// derivatives, too. **Errors**, with TensorFlow's texts: INVALID_ARGUMENT for
/// a prefix in use, an x that no y depends on and another number of gradYs than
/// of ys; NOT_FOUND for an op that has no gradient; what went wrong before
/// stays in the graph. **Thread safety**: as Graph::addNode(). **Source**:
/// TF_AddGradientsWithPrefix, AddSymbolicGradients; differs: ops may have other
/// gradient nodes, with the same values.
KILN_EXPORT StatusOr<std::vector<Output>>
symbolicGradients(GraphBuilder graph, const std::vector<Output> &ys,
                  const std::vector<Output> &xs,
                  const SymbolicGradientOptions &options = {});

} // namespace kiln

#endif // KILN_SYMBOLICGRADIENTS_H
