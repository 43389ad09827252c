// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handles are scalars; what is behind them the run finds out.
#include "lib/Ops/Stored/Shape.h"

#include "lib/OpDefs/Ranks.h"
#include "lib/Support/StatusMacros.h"

namespace kiln::shapes {

Status inferStoredScalar(InferenceContext &context) {
  context.setOutputShape(0, SymShape::scalar());
  return okStatus();
}

Status inferStoredTensor(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(demandRanks(context, {0}));
  context.setOutputShape(0, SymShape::unknownRank());
  return okStatus();
}

Status inferStoredNothing(InferenceContext &context) {
  return demandRanks(context, {0});
}

Status inferStoredSparse(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(demandRanks(context, {2, 1, 1}));
  return inferStoredScalar(context);
}

Status inferStoredSparses(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(demandRanks(context, {2, 1, 1}));
  context.setOutputShape(0, SymShape::of({Dim::unknown()}));
  return okStatus();
}

Status inferTakenSparses(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(demandRanks(context, {1}));
  context.setOutputShape(0, SymShape::of({Dim::unknown(), Dim::unknown()}));
  context.setOutputShape(1, SymShape::of({Dim::unknown()}));
  context.setOutputShape(2, SymShape::of({Dim::unknown()}));
  return okStatus();
}

} // namespace kiln::shapes
