// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the generated functions are written with.
#ifndef KILN_LIB_BUILD_RAWOPS_H
#define KILN_LIB_BUILD_RAWOPS_H

#include "kiln/GraphBuilder.h"

namespace kiln {

/// Adds an op to the graph that its inputs are in; null after an error.
const Node *addRawOp(const OpSpec &spec);

/// All outputs; none of a null node.
std::vector<Output> outputsOf(const Node *node);

/// Takes a node's outputs one after the other.
class OutputReader {
public:
  explicit OutputReader(const Node *node) : node(node) {}
  Output next() { return {node, node ? index++ : 0}; }
  /// As many as an int attribute says.
  std::vector<Output> several(std::string_view numberAttr);
  /// As many as a list of types has.
  std::vector<Output> types(std::string_view listAttr);

private:
  std::vector<Output> take(int64_t count);
  const Node *node;
  int index = 0;
};

} // namespace kiln

#endif // KILN_LIB_BUILD_RAWOPS_H
