// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lowering of ops on slots, for ops that take lists among others, too.
#ifndef KILN_LIB_OPS_TENSORARRAY_LOWERING_H
#define KILN_LIB_OPS_TENSORARRAY_LOWERING_H

#include "lib/Import/LoweringContext.h"

namespace kiln {

/// Lowers a node that slotCallsOf() knows.
Status lowerSlotOp(LoweringContext &ctx);

} // namespace kiln

#endif // KILN_LIB_OPS_TENSORARRAY_LOWERING_H
