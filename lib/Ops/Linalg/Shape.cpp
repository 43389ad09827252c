// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of matrix products.
#include "lib/Ops/Linalg/Shape.h"

#include "lib/OpDefs/Inference.h"
#include "lib/OpDefs/Ranks.h"
#include "lib/Ops/Linalg/Einsum.h"
#include "lib/Shape/Rules.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <map>

namespace kiln::shapes {

Status inferMatMul(InferenceContext &context) {
  SymShape a = context.inputShape(0), b = context.inputShape(1);
  a = a.rankKnown ? a : SymShape::unknownDims(2);
  b = b.rankKnown ? b : SymShape::unknownDims(2);
  const bool transposeA = context.boolAttr("transpose_a"),
             transposeB = context.boolAttr("transpose_b");
  if (a.rank() == 2 && b.rank() == 2)
    KILN_RETURN_IF_ERROR(sameExtent(context,
                                    extentOf(context, 0, transposeA ? 0 : 1),
                                    extentOf(context, 1, transposeB ? 1 : 0))
                             .status());
  KILN_ASSIGN_OR_RETURN(Dims dims, matmulShape(context.dims(), a.dims, b.dims,
                                               transposeA, transposeB));
  context.setOutputShape(0, SymShape::of(std::move(dims)));
  return okStatus();
}

Status inferBatchMatMul(InferenceContext &context) {
  const SymShape &a = context.inputShape(0), &b = context.inputShape(1);
  for (const SymShape *operand : {&a, &b})
    if (operand->rankKnown && operand->rank() < 2)
      return context.error(strCat("In[", operand == &a ? 0 : 1,
                                  "] ndims must be >= 2: ", operand->rank()));
  if (!a.rankKnown || !b.rankKnown)
    return okStatus();
  const bool adjointX = context.boolAttr("adj_x"),
             adjointY = context.boolAttr("adj_y"),
             broadcasts = context.node().op() != "BatchMatMul";
  const SymShape batchA = SymShape::of({a.dims.begin(), a.dims.end() - 2}),
                 batchB = SymShape::of({b.dims.begin(), b.dims.end() - 2});
  KILN_RETURN_IF_ERROR(broadcasts
                           ? demandBroadcast(context, batchA.dims, batchB.dims)
                           : demandSameShape(context, batchA, batchB));
  KILN_RETURN_IF_ERROR(
      sameExtent(context, extentOf(context, 0, a.rank() - (adjointX ? 2 : 1)),
                 extentOf(context, 1, b.rank() - (adjointY ? 1 : 2)))
          .status());
  KILN_ASSIGN_OR_RETURN(Dims dims,
                        batchMatmulShape(context.dims(), a.dims, b.dims,
                                         adjointX, adjointY, broadcasts));
  context.setOutputShape(0, SymShape::of(std::move(dims)));
  return okStatus();
}

Status inferEinsum(InferenceContext &context) {
  StatusOr<EinsumEquation> parsed =
      parseEinsum(context.stringAttr("equation"), context.numInputs());
  if (!parsed.ok())
    return context.error(std::string(parsed.status().message()));
  std::map<int, Dim> dims;
  int ellipsisDims = 0;
  for (int i = 0; i < context.numInputs(); ++i) {
    const SymShape &shape = context.inputShape(i);
    if (!shape.rankKnown)
      return okStatus();
    const std::string &text = parsed->inputs[static_cast<size_t>(i)];
    StatusOr<int> count = einsumEllipsisDims(text, i, shape.rank());
    if (!count.ok())
      return context.error(std::string(count.status().message()));
    ellipsisDims = std::max(ellipsisDims, *count);
    const EinsumLabels labels = einsumLabels(text, *count);
    for (size_t axis = 0; axis < labels.size(); ++axis) {
      auto [at, isNew] = dims.try_emplace(labels[axis], shape.dims[axis]);
      if (isNew)
        continue;
      const Dims seen = {at->second}, own = {shape.dims[axis]};
      const std::string joiner =
          strCat(" at axis ", axis, " of input ", i, " but got dimension ");
      const GuardInfo info{.prefix = "Expected dimension ",
                           .joiner = joiner,
                           .lhs = &seen,
                           .rhs = &own,
                           .asNumbers = true};
      KILN_ASSIGN_OR_RETURN(
          at->second, labels[axis] >= ellipsisLabel
                          ? context.dims().broadcast(seen[0], own[0], info)
                          : context.dims().unify(seen[0], own[0], info));
    }
  }
  if (ellipsisDims > 0 && parsed->output.find('.') == std::string::npos)
    return context.error(
        strCat("Output contains ", ellipsisDims,
               " broadcasting dimension(s) but no ellipsis (...) was found in "
               "the output subscripts."));
  Dims result;
  for (int label : einsumLabels(parsed->output, ellipsisDims))
    result.push_back(dims.at(label));
  context.setOutputShape(0, SymShape::of(std::move(result)));
  return okStatus();
}

} // namespace kiln::shapes
