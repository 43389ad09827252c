// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lowerings of ops on boxes in images.
#ifndef KILN_LIB_OPS_IMAGE_LOWERINGBOXES_H
#define KILN_LIB_OPS_IMAGE_LOWERINGBOXES_H

#include "lib/Import/LoweringContext.h"

namespace kiln {

Status lowerSampledBox(LoweringContext &ctx);
Status lowerDrawnBoxes(LoweringContext &ctx);
Status lowerCrops(LoweringContext &ctx);
Status lowerCropsOfImage(LoweringContext &ctx);
Status lowerCropsOfBoxes(LoweringContext &ctx);
Status lowerSuppression(LoweringContext &ctx);
Status lowerCombinedSuppression(LoweringContext &ctx);

} // namespace kiln

#endif // KILN_LIB_OPS_IMAGE_LOWERINGBOXES_H
