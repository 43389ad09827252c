// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assignments as TensorFlow's Python functions add them.
#include "kiln/ops/StateOps.h"

namespace kiln::ops {

Assignment assign(const Variable &variable, const Input &value,
                  const AssignOptions &options) {
  AssignOptions own = options;
  if (!own.useLocking && !variable.isResource())
    own.useLocking = true;
  return variable.assign(value, own);
}

Assignment assignAdd(const Variable &variable, const Input &delta,
                     const AssignOptions &options) {
  return variable.assignAdd(delta, options);
}

Assignment assignSub(const Variable &variable, const Input &delta,
                     const AssignOptions &options) {
  return variable.assignSub(delta, options);
}

} // namespace kiln::ops
