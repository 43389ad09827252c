// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of counts.
#include "lib/Ops/Counting/Shape.h"

#include "lib/OpDefs/Contents.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln::shapes {
namespace {

/// How many bins input 1 asks for.
StatusOr<Dim> binCount(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(context.withRank(context.inputShape(1), 0).status());
  const Dim size = scalarSize(context, 1);
  const Dims sizes = {size}, none;
  KILN_RETURN_IF_ERROR(
      context.dims().require(Guard::Kind::NonNegative, size, Dim::known(0),
                             {.prefix = "size (",
                              .suffix = ") must be non-negative",
                              .lhs = &sizes,
                              .rhs = &none,
                              .asNumbers = true}));
  return size;
}

} // namespace

Status inferBuckets(InferenceContext &context) {
  context.setOutputShape(0, context.inputShape(0));
  return okStatus();
}

Status inferBincount(InferenceContext &context) {
  KILN_ASSIGN_OR_RETURN(Dim size, binCount(context));
  context.setOutputShape(0, SymShape::of({size}));
  return okStatus();
}

Status inferDenseBincount(InferenceContext &context) {
  const SymShape &x = context.inputShape(0);
  if (x.rankKnown && x.rank() > 2)
    return context.error(
        strCat("Shape must be at most rank 2 but is rank ", x.rank()));
  KILN_ASSIGN_OR_RETURN(Dim size, binCount(context));
  if (x.rankKnown && x.rank() == 2)
    context.setOutputShape(0, SymShape::of({x.dims[0], size}));
  else if (x.rankKnown)
    context.setOutputShape(0, SymShape::of({size}));
  return okStatus();
}

Status inferHistogram(InferenceContext &context) {
  const SymShape &range = context.inputShape(1);
  if (!context.isBuilding() && range.rankKnown && range.rank() != 1)
    return context.error("value_range should be a vector.");
  KILN_ASSIGN_OR_RETURN(SymShape ends, context.withRank(range, 1));
  const Dims none;
  KILN_RETURN_IF_ERROR(
      context.dims()
          .unify(ends.dims[0], Dim::known(2),
                 {.prefix = "value_range should be a vector of 2 elements.",
                  .lhs = &none,
                  .rhs = &none,
                  .asNumbers = true})
          .status());
  const SymShape &bins = context.inputShape(2);
  if (!context.isBuilding() && bins.rankKnown && bins.rank() != 0)
    return context.error("nbins should be a scalar.");
  KILN_RETURN_IF_ERROR(context.withRank(bins, 0).status());
  const Dim count = scalarAmount(context, 2);
  const Dims counts = {count};
  if (context.isBuilding() && count.isKnown() && count.value <= 0)
    return context.error(strCat("Requires nbins > 0: ", count.value));
  KILN_RETURN_IF_ERROR(context.dims().require(
      Guard::Kind::NonNegative, context.dims().sub(count, Dim::known(1)),
      Dim::known(0),
      {.prefix = "nbins should be a positive number, but got '",
       .suffix = "'",
       .lhs = &counts,
       .rhs = &none,
       .asNumbers = true}));
  context.setOutputShape(0, SymShape::of({count}));
  return okStatus();
}

} // namespace kiln::shapes
