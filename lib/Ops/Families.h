// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The list of op families.
#ifndef KILN_LIB_OPS_FAMILIES_H
#define KILN_LIB_OPS_FAMILIES_H

#include "lib/Ops/OpDef.h"

namespace kiln {

struct OpFamily {
  std::string_view name;
  std::string_view purpose;
  std::span<const OpRecord> records;
};

#define KILN_OP_SCHEMAS(family) OpFamily family##Family();
#include "lib/Ops/Families.def"

} // namespace kiln

#endif // KILN_LIB_OPS_FAMILIES_H
