// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lowerings of all families.
#include "lib/Import/LoweringRegistry.h"
#include "lib/Ops/Families.h"

namespace kiln {

void registerLowerings(LoweringRegistry &registry) {
#define KILN_OP_LOWERINGS(Family) register##Family##Lowerings(registry);
#include "lib/Ops/Families.def"
}

} // namespace kiln
