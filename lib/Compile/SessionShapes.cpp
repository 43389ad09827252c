// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Looks at the variables that are there.
#include "lib/Compile/SessionShapes.h"

#include "lib/Exec/Program.h"
#include "lib/Support/StatusMacros.h"
#include "runtime/abi/RunState.h"

namespace kiln {

StatusOr<Shape> SessionShapes::shapeOf(const ImportedVariable &variable) {
  KILN_ASSIGN_OR_RETURN(
      auto slot, resources.findOrCreateVariable(keyOf(variable), variable.dtype,
                                                variable.shape));
  return slot->presentShape();
}

Status SessionShapes::noValue(const ImportedVariable &variable) {
  return errorStatus(noValueKind(variable.isResource, variable.readerOp), {},
                     {}, variable.name);
}

} // namespace kiln
