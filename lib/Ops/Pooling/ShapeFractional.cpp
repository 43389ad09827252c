// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of pools whose windows are of two sizes.
#include "lib/OpDefs/Contents.h"
#include "lib/Ops/Pooling/Shape.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <array>
#include <cmath>

namespace kiln::shapes {
namespace {

/// Input i has four dimensions. **Errors**: "out_backprop must be
/// 4-dimensional".
StatusOr<SymShape> images(InferenceContext &context, int i,
                          std::string_view name) {
  const SymShape &shape = context.inputShape(i);
  if (!context.isBuilding() && shape.rankKnown && shape.rank() != 4)
    return context.error(strCat(name, " must be 4-dimensional"));
  return context.withRank(shape, 4);
}

/// Vectors that say where windows begin.
Status checkSequences(InferenceContext &context, int first) {
  for (int i = first; i < first + 2; ++i) {
    const SymShape &shape = context.inputShape(i);
    if (!context.isBuilding() && shape.rankKnown && shape.rank() != 1)
      return context.error(
          strCat(context.def().inputs[static_cast<size_t>(i)].name,
                 " must be a vector, but got shape ",
                 context.dims().format(shape.dims)));
    KILN_RETURN_IF_ERROR(context.withRank(shape, 1).status());
  }
  return okStatus();
}

/// Equal extents of two tensors, in a run.
Status sameImages(InferenceContext &context, const SymShape &a,
                  const SymShape &b, std::initializer_list<size_t> axes,
                  std::string_view message) {
  for (size_t axis : axes)
    if (!context.isBuilding())
      KILN_RETURN_IF_ERROR(
          context.dims()
              .unify(a.dims[axis], b.dims[axis], {.prefix = message})
              .status());
  return okStatus();
}

} // namespace

Status inferFractionalPool(InferenceContext &context) {
  KILN_ASSIGN_OR_RETURN(SymShape shape, images(context, 0, "tensor_in"));
  const auto ratio = context.node().attrOr<std::vector<float>>(
      "pooling_ratio", std::vector<float>());
  if (ratio.size() != 4)
    return context.error("pooling_ratio field must specify 4 dimensions");
  for (float number : ratio)
    if (!(number >= 1))
      return context.error(
          strCat("pooling_ratio cannot be smaller than 1, got: ", number));
  // Those of the sequences are not computed from the others: a kernel binds all
  // sizes of its outputs.
  const bool areKnown = shape.dims[1].isKnown() && shape.dims[2].isKnown();
  std::array<Dim, 4> sizes;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const size_t axis = i % 2 + 1;
    const auto extent =
        std::floor(static_cast<float>(shape.dims[axis].value) / ratio[axis]);
    sizes[i] = areKnown ? Dim::known(static_cast<int64_t>(extent) + (i > 1))
                        : context.dims().runDim(static_cast<int>(i),
                                                /*isSize=*/true);
  }
  for (size_t i = 0; i < 2; ++i) {
    shape.dims[i + 1] = sizes[i];
    context.setOutputShape(static_cast<int>(i) + 1,
                           SymShape::of({sizes[i + 2]}));
  }
  context.setOutputShape(0, std::move(shape));
  return okStatus();
}

Status inferFractionalMaxPoolGrad(InferenceContext &context) {
  KILN_ASSIGN_OR_RETURN(SymShape input, images(context, 0, "orig_input"));
  KILN_ASSIGN_OR_RETURN(SymShape output, images(context, 1, "orig_output"));
  KILN_ASSIGN_OR_RETURN(SymShape grad, images(context, 2, "out_backprop"));
  KILN_RETURN_IF_ERROR(checkSequences(context, 3));
  KILN_RETURN_IF_ERROR(
      sameImages(context, output, grad, {0, 1, 2, 3},
                 "out_backprop must have the shape of orig_output"));
  KILN_RETURN_IF_ERROR(
      sameImages(context, input, grad, {0, 3},
                 "out_backprop must have the batch and depth of orig_input"));
  context.setOutputShape(0, std::move(input));
  return okStatus();
}

Status inferFractionalAvgPoolGrad(InferenceContext &context) {
  const SymShape &sizes = context.inputShape(0);
  if (!context.isBuilding() && sizes.rankKnown && sizes.rank() != 1)
    return context.error("original input tensor shape must be1-dimensional and "
                         "4 elements");
  KILN_ASSIGN_OR_RETURN(SymShape grad, images(context, 1, "out_backprop"));
  KILN_RETURN_IF_ERROR(checkSequences(context, 2));
  KILN_ASSIGN_OR_RETURN(SymShape input, shapeFromContents(context, 0));
  if (!input.rankKnown) {
    context.setOutputShape(0, SymShape::unknownDims(4));
    return okStatus();
  }
  if (input.rank() != 4)
    return context.error("original input tensor shape must be1-dimensional and "
                         "4 elements");
  KILN_RETURN_IF_ERROR(
      sameImages(context, input, grad, {0, 3},
                 "out_backprop must have the batch and depth of the input"));
  context.setOutputShape(0, std::move(input));
  return okStatus();
}

} // namespace kiln::shapes
