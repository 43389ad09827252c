// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a node is to the graph around it, for tools that look at graphs.
#ifndef KILN_NODETRAITS_H
#define KILN_NODETRAITS_H

#include "kiln/Node.h"

namespace kiln {

/// What the schema of an op says of its nodes.
struct NodeTraits {
  bool isPlaceholder = false; ///< a run may feed the output
  bool isConstant = false;    ///< the output is an attribute's value
  bool isVariable = false;    ///< the output is a variable, or its handle
  bool isUpdate = false;      ///< changes the variable of its first input
  bool readsVariable = false; ///< gives the value of a handle's variable
  bool givesRef = false;      ///< output 0 is a variable, not a value of it
  /// Output 0 is the variable that input 0 is, where that is one: Identity,
  /// Reshape.
  bool forwardsRef = false;
};

/// Looks the node's op up. **Edges**: nothing holds for an op that Kiln does
/// not know. **Thread safety**: any thread. **Cost**: a hash.
KILN_EXPORT NodeTraits traitsOf(const Node &node);

} // namespace kiln

#endif // KILN_NODETRAITS_H
