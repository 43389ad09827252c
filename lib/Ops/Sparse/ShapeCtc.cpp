// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of connectionist temporal classification and of beam search.
#include "lib/OpDefs/Ranks.h"
#include "lib/Ops/Sparse/Shape.h"
#include "lib/Support/StatusMacros.h"

namespace kiln::shapes {

Status inferCtcLoss(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(demandRanks(context, {3, 2, 1, 1}));
  KILN_RETURN_IF_ERROR(
      sameExtent(context, extentOf(context, 1, 0), extentOf(context, 2, 0))
          .status());
  KILN_ASSIGN_OR_RETURN(Dim batch, sameExtent(context, extentOf(context, 0, 1),
                                              extentOf(context, 3, 0)));
  context.setOutputShape(0, SymShape::of({batch}));
  context.setOutputShape(1, SymShape::of({extentOf(context, 0, 0), batch,
                                          extentOf(context, 0, 2)}));
  return okStatus();
}

/// Sparse tensors of sequences, one a path, and the paths' scores.
static Status inferPaths(InferenceContext &context, int paths) {
  KILN_RETURN_IF_ERROR(demandRanks(context, {3, 1}));
  KILN_ASSIGN_OR_RETURN(Dim batch, sameExtent(context, extentOf(context, 0, 1),
                                              extentOf(context, 1, 0)));
  for (int p = 0; p < paths; ++p) {
    context.setOutputShape(p, SymShape::of({Dim::unknown(), Dim::known(2)}));
    context.setOutputShape(paths + p, SymShape::of({Dim::unknown()}));
    context.setOutputShape(2 * paths + p, SymShape::of({Dim::known(2)}));
  }
  context.setOutputShape(3 * paths, SymShape::of({batch, Dim::known(paths)}));
  return okStatus();
}

Status inferCtcGreedy(InferenceContext &context) {
  return inferPaths(context, 1);
}

Status inferCtcBeam(InferenceContext &context) {
  return inferPaths(context, (context.numOutputs() - 1) / 3);
}

Status inferGatherTree(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(demandRanks(context, {3, 3, 1, 0}));
  Dims extents;
  for (int d = 0; d < 3; ++d) {
    KILN_ASSIGN_OR_RETURN(
        Dim extent,
        sameExtent(context, extentOf(context, 0, d), extentOf(context, 1, d)));
    extents.push_back(extent);
  }
  KILN_ASSIGN_OR_RETURN(
      extents[1], sameExtent(context, extents[1], extentOf(context, 2, 0)));
  context.setOutputShape(0, SymShape::of(std::move(extents)));
  return okStatus();
}

} // namespace kiln::shapes
