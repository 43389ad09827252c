// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lowerings of morphological dilation.
#ifndef KILN_LIB_OPS_POOLING_LOWERINGDILATION_H
#define KILN_LIB_OPS_POOLING_LOWERINGDILATION_H

#include "lib/Import/LoweringContext.h"

namespace kiln {

Status lowerDilation(LoweringContext &ctx);
Status lowerDilationOfImage(LoweringContext &ctx);
Status lowerDilationOfFilter(LoweringContext &ctx);

} // namespace kiln

#endif // KILN_LIB_OPS_POOLING_LOWERINGDILATION_H
