// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lowerings of diagonals, bands, patches and data formats.
#ifndef KILN_LIB_OPS_LAYOUT_LOWERING_H
#define KILN_LIB_OPS_LAYOUT_LOWERING_H

#include "lib/Import/LoweringRegistry.h"

namespace kiln {

Status lowerMatrixDiag(LoweringContext &ctx);
Status lowerMatrixSetDiag(LoweringContext &ctx);
Status lowerMatrixDiagPart(LoweringContext &ctx);
Status lowerMatrixBandPart(LoweringContext &ctx);
Status lowerDiag(LoweringContext &ctx);
Status lowerDiagPart(LoweringContext &ctx);
Status lowerDataFormatDimMap(LoweringContext &ctx);
Status lowerDataFormatVecPermute(LoweringContext &ctx);
Status lowerExtractImagePatches(LoweringContext &ctx);
Status lowerExtractVolumePatches(LoweringContext &ctx);

} // namespace kiln

#endif // KILN_LIB_OPS_LAYOUT_LOWERING_H
