// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of images.
#include "lib/Ops/Image/Shape.h"

#include "lib/OpDefs/Contents.h"
#include "lib/OpDefs/Inference.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln::shapes {
namespace {

/// Input i as an image of four dimensions, which has elements; channels where
/// they are demanded.
StatusOr<SymShape> imageAt(InferenceContext &context, int i,
                           bool demandsChannels = false) {
  const SymShape &image = context.inputShape(i);
  if (!image.rankKnown)
    return SymShape::unknownDims(4);
  if (image.rank() != 4)
    return context.error(strCat("input must be 4-dimensional",
                                context.dims().format(image.dims)));
  if (demandsChannels)
    KILN_RETURN_IF_ERROR(context.dims().require(
        Guard::Kind::LessEqual, Dim::known(1), image.dims[3],
        {.prefix = "image must have at least one channel"}));
  for (size_t dim : {1, 2})
    KILN_RETURN_IF_ERROR(context.dims().require(
        Guard::Kind::LessEqual, Dim::known(1), image.dims[dim],
        {.prefix = "input image must be of non-zero size"}));
  return image;
}

Status checkCenters(const InferenceContext &context) {
  return context.boolAttr("half_pixel_centers") &&
                 context.boolAttr("align_corners")
             ? context.error("If half_pixel_centers is True, align_corners "
                             "must be False.")
             : okStatus();
}

} // namespace

Status inferResize(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkCenters(context));
  KILN_ASSIGN_OR_RETURN(SymShape image, imageAt(context, 0, true));
  const Dims *size = context.inputAmounts(1);
  // Known where they are asked for.
  const SymShape shape = context.dims().resolve(context.inputShape(1));
  if (shape.rankKnown && shape.rank() != 1)
    return context.error(strCat("shape_t must be 1-dimensional",
                                context.dims().format(shape.dims)));
  if ((size && size->size() != 2) ||
      (shape.rankKnown && shape.dims[0].isKnown() && !shape.dims[0].isKnown(2)))
    return context.error(strCat("shape_t must have two elements",
                                context.dims().format(shape.dims)));
  for (size_t i = 0; i < 2; ++i) {
    Dim &extent = image.dims[i + 1];
    extent = size ? (*size)[i] : Dim::unknown();
    KILN_RETURN_IF_ERROR(
        context.dims().require(Guard::Kind::LessEqual, Dim::known(1), extent,
                               {.prefix = "output dimensions must be "
                                          "positive"}));
  }
  KILN_RETURN_IF_ERROR(checkElementCount(context, image.dims));
  context.setOutputShape(0, std::move(image));
  return okStatus();
}

Status inferResizeLike(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkCenters(context));
  KILN_ASSIGN_OR_RETURN(SymShape gradient, imageAt(context, 0));
  KILN_ASSIGN_OR_RETURN(SymShape image, imageAt(context, 1));
  // The kernel takes the image's height and width alone.
  image.dims.front() = gradient.dims.front();
  image.dims.back() = gradient.dims.back();
  context.setOutputShape(0, std::move(image));
  return okStatus();
}

Status inferResizeGradient(InferenceContext &context) {
  return inferResize(context);
}

} // namespace kiln::shapes
