// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The place of a variable in a session's table, as the nodes that declare it
// say it.
#ifndef KILN_LIB_OPDEFS_DECLAREDVARIABLES_H
#define KILN_LIB_OPDEFS_DECLAREDVARIABLES_H

#include "kiln/Node.h"
#include "lib/Graph/CallPath.h"

#include <string>

namespace kiln {

struct DeclaredVariable {
  /// TensorFlow finds a variable by kind, container (in canonical form) and
  /// name (shared_name, or the node's).
  std::string container;
  std::string name;
  bool isResource = false;
  DType dtype = DType::Invalid;
  Shape shape;
};

/// `node` is one of an op that has the flag `variable`; `path` is where its
/// graph is called from.
DeclaredVariable declaredVariable(const Node &node, const CallPath &path);

} // namespace kiln

#endif // KILN_LIB_OPDEFS_DECLAREDVARIABLES_H
