// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of reads.
#include "lib/Autodiff/GradientCall.h"

namespace kiln {

void registerStateGradients(GradientRegistry &registry) {
  registry.add({"ReadVariableOp"},
               [](GradientCall &call) { call.set(0, call.sparseGrad()); });
}

} // namespace kiln
