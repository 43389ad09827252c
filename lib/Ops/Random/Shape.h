// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape functions of Random, for its schema table.
#ifndef KILN_LIB_OPS_RANDOM_SHAPE_H
#define KILN_LIB_OPS_RANDOM_SHAPE_H

#include "lib/OpDefs/OpDef.h"

namespace kiln::shapes {

Status inferAccidentalHits(InferenceContext &context);
Status inferBoundedNormal(InferenceContext &context);
Status inferCandidates(InferenceContext &context);
Status inferMultinomial(InferenceContext &context);
Status inferRandom(InferenceContext &context);
Status inferRandomInt(InferenceContext &context);
Status inferSamples(InferenceContext &context);
Status inferShuffle(InferenceContext &context);

} // namespace kiln::shapes

#endif // KILN_LIB_OPS_RANDOM_SHAPE_H
