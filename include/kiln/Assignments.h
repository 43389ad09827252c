// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Resource variables as assignments left them, and assignments alone.
#ifndef KILN_ASSIGNMENTS_H
#define KILN_ASSIGNMENTS_H

#include "kiln/Variable.h"

namespace kiln {

/// The variable as the assignment left it, of a resource; otherwise none. What
/// reads it, and further assignments to it, stand behind the assignment.
/// **Source**: resource_variable_ops._UnreadVariable.
KILN_EXPORT Variable variableBehind(const Assignment &assignment);
/// The node that assigned, of a variable from variableBehind(); null for
/// others.
KILN_EXPORT const Node *assignmentOf(const Variable &variable);

enum class AssignKind { Set, Add, Subtract };
/// Assigns as Variable::assign(), assignAdd() or assignSub(), without a read
/// behind it. Returns the node; null after an error. **Source**:
/// tf.Variable.assign(read_value=False).
KILN_EXPORT const Node *assignOnly(AssignKind kind, const Variable &variable,
                                   const Input &value,
                                   const AssignOptions &options = {});

} // namespace kiln

#endif // KILN_ASSIGNMENTS_H
