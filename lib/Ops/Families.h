// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the folder of a family defines, for the lists of all families.
#ifndef KILN_LIB_OPS_FAMILIES_H
#define KILN_LIB_OPS_FAMILIES_H

#include "lib/OpDefs/OpDef.h"

namespace kiln {

class GradientRegistry;
class LoweringRegistry;

#define KILN_OP_SCHEMAS(family) OpFamily family##Family();
#define KILN_OP_LOWERINGS(Family)                                              \
  void register##Family##Lowerings(LoweringRegistry &registry);
#define KILN_OP_GRADIENTS(Family)                                              \
  void register##Family##Gradients(GradientRegistry &registry);
#include "lib/Ops/Families.def"

} // namespace kiln

#endif // KILN_LIB_OPS_FAMILIES_H
