// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemas of all families.
#include "lib/Ops/Families.h"

namespace kiln {

std::span<const OpFamily> opFamilies() {
  static const OpFamily families[] = {
#define KILN_OP_SCHEMAS(family) family##Family(),
#include "lib/Ops/Families.def"
  };
  return families;
}

} // namespace kiln
