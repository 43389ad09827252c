// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of nodes that call functions.
#ifndef KILN_LIB_AUTODIFF_FUNCTIONGRADIENTS_H
#define KILN_LIB_AUTODIFF_FUNCTIONGRADIENTS_H

#include "lib/Autodiff/GradientCall.h"

namespace kiln {

/// The gradient of an If or a Case: another one of the gradients of its
/// branches. What they look at in the branches becomes results of the node, as
/// optionals, for only one branch was taken. **Source**: _IfGrad, _CaseGrad.
void branchGradient(GradientCall &call);

/// The gradient of a While: another one, which goes back through as many
/// iterations. What its body looks at is pushed to lists in the forward loop,
/// which are more loop variables of the node, and popped. **Errors**:
/// UNIMPLEMENTED for a loop whose first variable does not count its iterations.
/// **Source**: _WhileGrad.
void loopGradient(GradientCall &call);

/// The gradient of a PartitionedCall: a call of the function's gradient. What
/// it looks at becomes results of the node.
void partitionedCallGradient(GradientCall &call);

/// The gradient of a call by the function's name: a call of a function that
/// computes it again. **Source**: SymbolicGradient.
void namedCallGradient(GradientCall &call);

} // namespace kiln

#endif // KILN_LIB_AUTODIFF_FUNCTIONGRADIENTS_H
