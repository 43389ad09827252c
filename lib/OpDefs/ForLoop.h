// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A For as a While: its counter as functions that are written here.
#ifndef KILN_LIB_OPDEFS_FORLOOP_H
#define KILN_LIB_OPDEFS_FORLOOP_H

#include "kiln/Graph.h"

#include <vector>

namespace kiln {

/// The nodes of three functions. Arguments are placeholders, all of a For's
/// inputs (`check` of the first three): "start", "limit", "delta" and "x0",
/// "x1", ...; "start" is the counter.
struct ForLoop {
  std::vector<NodeSpec> check;     ///< result "ends": the limit can be met
  std::vector<NodeSpec> condition; ///< result "continues"
  /// Results "next", "limit", "delta" and those of "call".
  std::vector<NodeSpec> iteration;
};

/// **Errors**: INVALID_ARGUMENT for a node without its attributes.
StatusOr<ForLoop> makeForLoop(const Node &node);

} // namespace kiln

#endif // KILN_LIB_OPDEFS_FORLOOP_H
