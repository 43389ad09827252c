// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lowerings of pools whose windows are of two sizes.
#ifndef KILN_LIB_OPS_POOLING_LOWERINGFRACTIONAL_H
#define KILN_LIB_OPS_POOLING_LOWERINGFRACTIONAL_H

#include "lib/Import/LoweringRegistry.h"

namespace kiln {

Status lowerFractionalPool(LoweringContext &ctx);
Status lowerFractionalMaxPoolGrad(LoweringContext &ctx);
Status lowerFractionalAvgPoolGrad(LoweringContext &ctx);

} // namespace kiln

#endif // KILN_LIB_OPS_POOLING_LOWERINGFRACTIONAL_H
