// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape functions of Pipeline, for its schema table.
#ifndef KILN_LIB_OPS_PIPELINE_SHAPE_H
#define KILN_LIB_OPS_PIPELINE_SHAPE_H

#include "lib/OpDefs/OpDef.h"

namespace kiln::shapes {

/// Of a dataset, of an iterator and of its name.
Status inferPlace(InferenceContext &context);
Status inferNextElement(InferenceContext &context);
Status inferPipelineNone(InferenceContext &context);

} // namespace kiln::shapes

#endif // KILN_LIB_OPS_PIPELINE_SHAPE_H
