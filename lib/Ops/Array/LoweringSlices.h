// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lowerings of ops that cut pieces out of a tensor.
#ifndef KILN_LIB_OPS_ARRAY_LOWERINGSLICES_H
#define KILN_LIB_OPS_ARRAY_LOWERINGSLICES_H

#include "lib/Import/LoweringRegistry.h"

namespace kiln {

/// A slice whose starts are numbers or symbols; symbols become an i64 tensor
/// beside the constant starts.
Value sliceAt(LoweringContext &ctx, Value x, const Dims &starts,
              llvm::ArrayRef<int64_t> strides, RankedTensorType type);

/// x in a tensor of the type that is the padding elsewhere: behind `low` places
/// of each dimension, numbers or symbols.
Value padTo(LoweringContext &ctx, Value x, const Dims &low, Value padding,
            RankedTensorType type);

Status lowerSlice(LoweringContext &ctx);
Status lowerStridedSlice(LoweringContext &ctx);
Status lowerStridedSliceGrad(LoweringContext &ctx);
Status lowerStridedSliceAssign(LoweringContext &ctx);
Status lowerStridedSliceUpdate(LoweringContext &ctx);
Status lowerSplit(LoweringContext &ctx);
Status lowerSplitV(LoweringContext &ctx);
Status lowerUnpack(LoweringContext &ctx);
Status lowerReverse(LoweringContext &ctx);

} // namespace kiln

#endif // KILN_LIB_OPS_ARRAY_LOWERINGSLICES_H
