// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape functions of Collective, for its schema table.
#ifndef KILN_LIB_OPS_COLLECTIVE_SHAPE_H
#define KILN_LIB_OPS_COLLECTIVE_SHAPE_H

#include "lib/OpDefs/OpDef.h"

namespace kiln::shapes {

/// Each output as its input.
Status inferReduced(InferenceContext &context);
/// The same with as many rows as the run finds out.
Status inferGathered(InferenceContext &context);
/// inferGathered() that refuses scalars.
Status inferScattered(InferenceContext &context);
Status inferExchanged(InferenceContext &context);
Status inferRankNumber(InferenceContext &context);

} // namespace kiln::shapes

#endif // KILN_LIB_OPS_COLLECTIVE_SHAPE_H
