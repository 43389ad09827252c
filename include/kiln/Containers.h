// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Containers that resources stand in.
#ifndef KILN_CONTAINERS_H
#define KILN_CONTAINERS_H

#include "kiln/GraphBuilder.h"

#include <string>

namespace kiln {

/// Variables, queues, tables and what else keeps a state stand in a container
/// of this name, which Session::reset() can clear apart from others: ops that
/// are added get it as their attribute `container` where they have none. An
/// empty name is the default container. It holds in the bodies of functions,
/// too. **Source**: tf.container.
class [[nodiscard]] KILN_EXPORT ContainerScope {
public:
  explicit ContainerScope(std::string_view name,
                          const GraphBuilder &graph = GraphBuilder::current());
  ~ContainerScope();
  ContainerScope(const ContainerScope &) = delete;
  ContainerScope &operator=(const ContainerScope &) = delete;

private:
  GraphBuilder graph;
  std::string outer;
};

/// The container of what is added; empty: the default one.
KILN_EXPORT std::string
currentContainer(const GraphBuilder &graph = GraphBuilder::current());

} // namespace kiln

#endif // KILN_CONTAINERS_H
