// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assignments as functions.
#ifndef KILN_OPS_STATEOPS_H
#define KILN_OPS_STATEOPS_H

#include "kiln/Variable.h"

namespace kiln::ops {

/// As Variable::assign(), but one to a reference holds its lock unless the
/// options say otherwise. **Source**: tf.assign, "Assign".
KILN_EXPORT Assignment assign(const Variable &variable, const Input &value,
                              const AssignOptions &options = {});
/// As Variable::assignAdd(). **Source**: tf.assign_add, "AssignAdd".
KILN_EXPORT Assignment assignAdd(const Variable &variable, const Input &delta,
                                 const AssignOptions &options = {});
/// As Variable::assignSub(). **Source**: tf.assign_sub, "AssignSub".
KILN_EXPORT Assignment assignSub(const Variable &variable, const Input &delta,
                                 const AssignOptions &options = {});

} // namespace kiln::ops

#endif // KILN_OPS_STATEOPS_H
