// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape functions of Queue, for its schema table.
#ifndef KILN_LIB_OPS_QUEUE_SHAPE_H
#define KILN_LIB_OPS_QUEUE_SHAPE_H

#include "lib/OpDefs/OpDef.h"

namespace kiln::shapes {

Status inferQueue(InferenceContext &context);
Status inferQueueScalar(InferenceContext &context);
Status inferQueueNone(InferenceContext &context);
Status inferAccumulator(InferenceContext &context);
Status inferBarrier(InferenceContext &context);
Status inferTakenElements(InferenceContext &context);
Status inferTakenGradient(InferenceContext &context);
Status inferTakenRows(InferenceContext &context);
Status inferUnstage(InferenceContext &context);
Status inferDequeue(InferenceContext &context);
Status inferDequeueMany(InferenceContext &context);
Status inferDequeueUpTo(InferenceContext &context);

} // namespace kiln::shapes

#endif // KILN_LIB_OPS_QUEUE_SHAPE_H
