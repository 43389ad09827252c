// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the attributes of nodes that declare variables.
#include "lib/OpDefs/DeclaredVariables.h"

#include "lib/OpDefs/OpDef.h"
#include "runtime/abi/Container.h"

namespace kiln {

DeclaredVariable declaredVariable(const Node &node, const CallPath &path) {
  DeclaredVariable variable;
  variable.container =
      canonicalContainer(node.attrOr<std::string>("container", {}));
  variable.name = node.attrOr<std::string>("shared_name", {});
  if (node.op() == "TemporaryVariable") {
    variable.container = temporaryContainer;
    variable.name = node.attrOr<std::string>("var_name", {});
  }
  if (variable.name.empty())
    variable.name = node.name();
  if (variable.container == temporaryContainer)
    variable.name.insert(0, path.place); // calls of a function have their own
  const OpDef &def = *lookupOp(node.op());
  variable.isResource = !def.outputs[0].isRef;
  variable.dtype = node.attrOr<DType>("dtype", DType::Invalid);
  variable.shape = node.attrOr<Shape>("shape", Shape::unknownRank());
  // Graphs of Variable's time wrote a scalar's shape for an unknown one.
  if (def.name != def.canonicalName && variable.shape.rank() == 0)
    variable.shape = Shape::unknownRank();
  return variable;
}

} // namespace kiln
