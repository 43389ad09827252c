// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape functions of Generators, for its schema table.
#ifndef KILN_LIB_OPS_GENERATORS_SHAPE_H
#define KILN_LIB_OPS_GENERATORS_SHAPE_H

#include "lib/OpDefs/OpDef.h"

namespace kiln::shapes {

Status inferGenerated(InferenceContext &context);
Status inferGeneratedBinomial(InferenceContext &context);
Status inferGeneratedByTag(InferenceContext &context);
Status inferGeneratedIntegers(InferenceContext &context);
Status inferReadAndSkip(InferenceContext &context);
Status inferSkip(InferenceContext &context);
Status inferSystemNumbers(InferenceContext &context);

} // namespace kiln::shapes

#endif // KILN_LIB_OPS_GENERATORS_SHAPE_H
