// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the lowerings of convolutions share.
#ifndef KILN_LIB_OPS_CONVOLUTION_LOWERINGGROUPS_H
#define KILN_LIB_OPS_CONVOLUTION_LOWERINGGROUPS_H

#include "lib/Ops/Convolution/LoweringOpen.h"

namespace kiln {

class LoweringRegistry;

// LoweringInputGradient.cpp, LoweringDepthwise.cpp
void registerInputGradientLowerings(LoweringRegistry &registry);
void registerDepthwiseLowerings(LoweringRegistry &registry);

inline Value zeroLike(IrBuilder &ir, Value value) {
  return ir.scalar(IrBuilder::elementOf(value), 0);
}

/// Part number i of n equal ones along the last dimension.
Shaped partOf(WindowLowering &w, const Shaped &x, int64_t i, int64_t n);

/// Channels are split among groups, each with filters of its own: how many,
/// where that is known before the run. **Edges**: 0 where there are no
/// channels.
std::optional<int64_t> groupsOf(WindowLowering &w, const Dims &image,
                                const Dims &filter);

/// What `part` gives for each group, joined along the last dimension to a
/// tensor of these dimensions; zeros where there is no group.
Value joinGroups(WindowLowering &w, int64_t groups, const Dims &dims,
                 mlir::Type element, llvm::function_ref<Value(int64_t)> part);

} // namespace kiln

#endif // KILN_LIB_OPS_CONVOLUTION_LOWERINGGROUPS_H
