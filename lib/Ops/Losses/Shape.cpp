// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of cross entropies and of the precision in the first k.
#include "lib/Ops/Losses/Shape.h"

#include "lib/OpDefs/Inference.h"
#include "lib/Shape/Rules.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln::shapes {
namespace {

/// Sets the loss of each row, and the gradient, of the rows' shape.
void setLosses(InferenceContext &context, SymShape rows) {
  context.setOutputShape(
      0, SymShape::of({rows.rankKnown ? rows.dims[0] : Dim::unknown()}));
  if (!rows.rankKnown)
    rows = SymShape::of({Dim::unknown(), Dim::unknown()});
  context.setOutputShape(1, std::move(rows));
}

/// Makes the rows of input 0 as many as the elements of input 1, where both are
/// known.
Status matchRows(InferenceContext &context, SymShape &matrix,
                 const SymShape &vector, const GuardInfo &info) {
  if (!matrix.rankKnown || !vector.rankKnown)
    return okStatus();
  KILN_ASSIGN_OR_RETURN(
      matrix.dims[0],
      context.dims().unify(matrix.dims[0], vector.dims[0], info));
  return okStatus();
}

bool hasOtherRank(const SymShape &shape, int rank) {
  return shape.rankKnown && shape.rank() != rank;
}

} // namespace

Status inferCrossEntropy(InferenceContext &context) {
  const SymShape &logits = context.inputShape(0),
                 &labels = context.inputShape(1);
  SymShape rows = SymShape::unknownRank();
  if (logits.rankKnown && labels.rankKnown) {
    KILN_ASSIGN_OR_RETURN(
        Dims dims, broadcastShapes(context.dims(), logits.dims, labels.dims));
    rows = SymShape::of(std::move(dims));
  }
  if (hasOtherRank(rows, 2) || (logits.rankKnown && logits.rank() > 2) ||
      (labels.rankKnown && labels.rank() > 2))
    return context.error("logits and labels must be either 2-dimensional, or "
                         "broadcasted to be 2-dimensional");
  setLosses(context, std::move(rows));
  return okStatus();
}

Status inferSparseCrossEntropy(InferenceContext &context) {
  SymShape logits = context.inputShape(0);
  const SymShape &labels = context.inputShape(1);
  if (hasOtherRank(logits, 2))
    return context.error(strCat("logits must be 2-D, but got shape ",
                                context.dims().format(logits.dims)));
  if (hasOtherRank(labels, 1))
    return context.error(strCat("labels must be 1-D, but got shape ",
                                context.dims().format(labels.dims)));
  const Dims whole = logits.dims;
  KILN_RETURN_IF_ERROR(
      matchRows(context, logits, labels,
                {.prefix = "logits and labels must have the same first "
                           "dimension, got logits shape ",
                 .joiner = " and labels shape ",
                 .lhs = &whole,
                 .rhs = &labels.dims}));
  if (logits.rankKnown && logits.dims[1].isKnown(0))
    return context.error(
        strCat("Must have at least one class, but got logits shape ",
               context.dims().format(logits.dims)));
  setLosses(context, std::move(logits));
  return okStatus();
}

Status inferInTopK(InferenceContext &context) {
  SymShape predictions = context.inputShape(0);
  const SymShape &targets = context.inputShape(1);
  if (hasOtherRank(predictions, 2))
    return context.error("predictions must be 2-dimensional");
  if (hasOtherRank(targets, 1))
    return context.error("targets must be 1-dimensional");
  if (context.numInputs() > 2 && hasOtherRank(context.inputShape(2), 0))
    return context.error(
        strCat("k must be 0-D, got shape ",
               context.dims().format(context.inputShape(2).dims)));
  const Dims rows = predictions.rankKnown ? Dims{predictions.dims[0]} : Dims();
  KILN_RETURN_IF_ERROR(matchRows(context, predictions, targets,
                                 {.prefix = "First dimension of predictions ",
                                  .joiner = " must match length of targets ",
                                  .lhs = &rows,
                                  .rhs = &targets.dims,
                                  .asNumbers = true}));
  context.setOutputShape(
      0, SymShape::of({predictions.rankKnown ? predictions.dims[0]
                       : targets.rankKnown   ? targets.dims[0]
                                             : Dim::unknown()}));
  return okStatus();
}

} // namespace kiln::shapes
