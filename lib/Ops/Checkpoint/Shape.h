// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of the ops on checkpoints.
#ifndef KILN_LIB_OPS_CHECKPOINT_SHAPE_H
#define KILN_LIB_OPS_CHECKPOINT_SHAPE_H

#include "lib/OpDefs/Inference.h"

namespace kiln::shapes {

Status inferSave(InferenceContext &context);
Status inferRestore(InferenceContext &context);
Status inferRestoreOne(InferenceContext &context);
Status inferSaveWhole(InferenceContext &context);
Status inferMergeCheckpoints(InferenceContext &context);
Status inferShardedName(InferenceContext &context);
Status inferVocabularyRemapping(InferenceContext &context);
Status inferRemappedMatrix(InferenceContext &context);

} // namespace kiln::shapes

#endif // KILN_LIB_OPS_CHECKPOINT_SHAPE_H
