// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape functions of Spectral, for its schema table.
#ifndef KILN_LIB_OPS_SPECTRAL_SHAPE_H
#define KILN_LIB_OPS_SPECTRAL_SHAPE_H

#include "lib/OpDefs/OpDef.h"

namespace kiln::shapes {

/// Of as many last dimensions: kept, halved, and as input 1 says.
Status inferTransformOf(InferenceContext &context, int rank);
Status inferRealTransformOf(InferenceContext &context, int rank,
                            bool givesReal);

template <int rank> Status inferTransform(InferenceContext &context) {
  return inferTransformOf(context, rank);
}
template <int rank> Status inferRealTransform(InferenceContext &context) {
  return inferRealTransformOf(context, rank, /*givesReal=*/false);
}
template <int rank>
Status inferInverseRealTransform(InferenceContext &context) {
  return inferRealTransformOf(context, rank, /*givesReal=*/true);
}

} // namespace kiln::shapes

#endif // KILN_LIB_OPS_SPECTRAL_SHAPE_H
