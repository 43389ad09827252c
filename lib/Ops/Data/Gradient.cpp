// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of placeholders with a default.
#include "lib/Autodiff/GradientCall.h"

namespace kiln {

void registerDataGradients(GradientRegistry &registry) {
  registry.add({"PlaceholderWithDefault"},
               [](GradientCall &call) { call.set(0, call.sparseGrad()); });
}

} // namespace kiln
