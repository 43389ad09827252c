// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of counts.
#include "lib/Ops/Counting/Shape.h"

#include "lib/Ops/Contents.h"
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

} // namespace kiln::shapes
