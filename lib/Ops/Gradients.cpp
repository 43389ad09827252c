// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gradients of all families.
#include "lib/Autodiff/GradientRegistry.h"
#include "lib/Ops/Families.h"

namespace kiln {

void registerGradients(GradientRegistry &registry) {
#define KILN_OP_GRADIENTS(Family) register##Family##Gradients(registry);
#include "lib/Ops/Families.def"
}

} // namespace kiln
