// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowerings of TensorLists for ops that take lists among others.
#ifndef KILN_LIB_OPS_TENSORLIST_LOWERING_H
#define KILN_LIB_OPS_TENSORLIST_LOWERING_H

#include "lib/Import/LoweringContext.h"

namespace kiln {

Status lowerListZerosLike(LoweringContext &ctx);
Status lowerListAddN(LoweringContext &ctx);
/// Lists as a vector, and such a vector as lists.
Status lowerListPack(LoweringContext &ctx);
Status lowerListUnpack(LoweringContext &ctx);

} // namespace kiln

#endif // KILN_LIB_OPS_TENSORLIST_LOWERING_H
