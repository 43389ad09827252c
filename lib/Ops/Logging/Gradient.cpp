// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of what is checked and printed on its way.
#include "lib/Autodiff/GradientCall.h"

namespace kiln {

void registerLoggingGradients(GradientRegistry &registry) {
  registry.add({"CheckNumerics", "CheckNumericsV2"}, [](GradientCall &call) {
    std::string message =
        "Not a number (NaN) or infinity (Inf) values detected in gradient. " +
        call.attr<std::string>("message");
    call.set(0, addOp(call.node.op(), {call.grad()}, {{"message", message}}));
  });
  registry.add({"Print"},
               [](GradientCall &call) { call.set(0, call.sparseGrad()); });
}

} // namespace kiln
