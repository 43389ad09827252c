// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lowerings of ops on the colors of images.
#ifndef KILN_LIB_OPS_IMAGE_LOWERINGCOLORS_H
#define KILN_LIB_OPS_IMAGE_LOWERINGCOLORS_H

#include "lib/Import/LoweringContext.h"

namespace kiln {

Status lowerRgbToHsv(LoweringContext &ctx);
Status lowerHsvToRgb(LoweringContext &ctx);
Status lowerAdjustHue(LoweringContext &ctx);
Status lowerAdjustSaturation(LoweringContext &ctx);
Status lowerAdjustContrast(LoweringContext &ctx);

} // namespace kiln

#endif // KILN_LIB_OPS_IMAGE_LOWERINGCOLORS_H
