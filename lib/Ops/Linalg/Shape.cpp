// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of matrix products.
#include "lib/Ops/Linalg/Shape.h"

#include "lib/Ops/Inference.h"
#include "lib/Shape/Rules.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln::shapes {

Status inferMatMul(InferenceContext &context) {
  SymShape a = context.inputShape(0), b = context.inputShape(1);
  a = a.rankKnown ? a : SymShape::unknownDims(2);
  b = b.rankKnown ? b : SymShape::unknownDims(2);
  KILN_ASSIGN_OR_RETURN(Dims dims,
                        matmulShape(context.dims(), a.dims, b.dims,
                                    context.boolAttr("transpose_a"),
                                    context.boolAttr("transpose_b")));
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
  KILN_ASSIGN_OR_RETURN(Dims dims,
                        batchMatmulShape(context.dims(), a.dims, b.dims,
                                         context.boolAttr("adj_x"),
                                         context.boolAttr("adj_y"),
                                         context.node().op() != "BatchMatMul"));
  context.setOutputShape(0, SymShape::of(std::move(dims)));
  return okStatus();
}

} // namespace kiln::shapes
