// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of the conditionals and loops of TensorFlow 1.
#ifndef KILN_LIB_AUTODIFF_CONTROLFLOWGRADIENTS_H
#define KILN_LIB_AUTODIFF_CONTROLFLOWGRADIENTS_H

#include "lib/Autodiff/GradientCall.h"

namespace kiln {

/// The gradient of a Merge: each branch gets what flows back where it was
/// taken; a loop variable's is the end of the backward loop, or its next
/// iteration. **Source**: _MergeGrad.
void mergeGradient(GradientCall &call);

/// The gradient of a Switch: a Merge of what flows back through both branches,
/// or a loop variable of the backward loop. **Source**: _SwitchGrad.
void switchGradient(GradientCall &call);

/// The gradient of an Exit enters the backward loop. **Errors**:
/// INVALID_ARGUMENT for a second derivative of a loop. **Source**: _ExitGrad.
void exitGradient(GradientCall &call);

/// The gradient of an Enter leaves the backward loop; that of a loop constant
/// is summed in it. **Source**: _EnterGrad.
void enterGradient(GradientCall &call);

} // namespace kiln

#endif // KILN_LIB_AUTODIFF_CONTROLFLOWGRADIENTS_H
