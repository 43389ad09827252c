// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape functions of Parsing, for its schema table.
#ifndef KILN_LIB_OPS_PARSING_SHAPE_H
#define KILN_LIB_OPS_PARSING_SHAPE_H

#include "lib/OpDefs/OpDef.h"

namespace kiln::shapes {

Status inferLikeInput(InferenceContext &context);
Status inferDecodeCsv(InferenceContext &context);
Status inferParseExample(InferenceContext &context);
Status inferParseSequenceExample(InferenceContext &context);

} // namespace kiln::shapes

#endif // KILN_LIB_OPS_PARSING_SHAPE_H
