// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What maps and sets of tensors of a graph are keyed by.
#ifndef KILN_LIB_GRAPH_OUTPUTKEY_H
#define KILN_LIB_GRAPH_OUTPUTKEY_H

#include "kiln/Node.h"

#include <compare>
#include <functional>

namespace kiln {

/// An output of a node as a key: made of the Output wherever one is looked up.
/// The order is that of addresses, which no result may depend on.
struct OutputKey {
  const Node *node = nullptr;
  int index = 0;

  OutputKey() = default;
  OutputKey(const Node *node, int index) : node(node), index(index) {}
  OutputKey(const Output &output) : node(output.node), index(output.index) {}

  Output output() const { return {node, index}; }

  friend bool operator==(const OutputKey &, const OutputKey &) = default;
  friend std::strong_ordering operator<=>(const OutputKey &a,
                                          const OutputKey &b) {
    if (a.node != b.node)
      return std::less<>()(a.node, b.node) ? std::strong_ordering::less
                                           : std::strong_ordering::greater;
    return a.index <=> b.index;
  }
};

} // namespace kiln

#endif // KILN_LIB_GRAPH_OUTPUTKEY_H
