// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape functions of StatelessRandom, for its schema table, and what other
// families of random numbers share.
#ifndef KILN_LIB_OPS_STATELESSRANDOM_SHAPE_H
#define KILN_LIB_OPS_STATELESSRANDOM_SHAPE_H

#include "lib/OpDefs/Inference.h"
#include "lib/OpDefs/OpDef.h"

namespace kiln::shapes {

Status inferAlgorithm(InferenceContext &context);
Status inferBinomialBySeed(InferenceContext &context);
Status inferBoundedNormalBySeed(InferenceContext &context);
Status inferByKey(InferenceContext &context);
Status inferBySeed(InferenceContext &context);
Status inferIndexShuffle(InferenceContext &context);
Status inferIntegersByKey(InferenceContext &context);
Status inferIntegersBySeed(InferenceContext &context);
Status inferKeyAndCounter(InferenceContext &context);
Status inferMultinomialBySeed(InferenceContext &context);
Status inferSamplesByKey(InferenceContext &context);
Status inferSamplesBySeed(InferenceContext &context);
Status inferShuffleByKey(InferenceContext &context);

/// Bounds of integers, inputs i and i + 1, are scalars.
Status checkBounds(InferenceContext &context, int i);
/// Input i is a scalar; the words are those of TensorFlow's kernel.
Status checkScalar(InferenceContext &context, int i);
inline constexpr std::string_view
    shapeDemand = "shape must be a vector of {int32,int64}, got shape ",
    inputDemand = "Input shape should be a vector, got shape: ";
/// Output 0 is the shape that input i has as elements; otherwise a kernel says
/// `demand`, then the shape of that.
Status setShapeOf(InferenceContext &context, int i,
                  std::string_view demand = shapeDemand);
/// The shape of input i ends with the broadcast one of the inputs from `first`
/// on; a TensorFlow kernel says so with `mismatch` where these do not fit.
Status checkBatch(InferenceContext &context, int i, int first,
                  std::string_view mismatch);

} // namespace kiln::shapes

#endif // KILN_LIB_OPS_STATELESSRANDOM_SHAPE_H
