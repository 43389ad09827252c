// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of ops that look at images from elsewhere. In a run they have
// their own words for wrong shapes.
#include "lib/OpDefs/Inference.h"
#include "lib/Ops/Image/Shape.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln::shapes {
namespace {

Status checkRank(InferenceContext &context, int i, int rank) {
  return context.isBuilding()
             ? context.withRank(context.inputShape(i), rank).status()
             : okStatus();
}

/// Input 0 as images of the height and width that another input has.
Status giveSized(InferenceContext &context, int sizeInput, int64_t least) {
  KILN_RETURN_IF_ERROR(checkRank(context, 0, 4));
  KILN_RETURN_IF_ERROR(checkRank(context, sizeInput, 1));
  const SymShape &image = context.inputShape(0);
  SymShape sized =
      image.rankKnown && image.rank() == 4 ? image : SymShape::unknownDims(4);
  const Dims *size = context.inputSizes(sizeInput);
  const bool isKnown = size && size->size() == 2;
  for (size_t i = 0; i < 2; ++i) {
    const Dim side = isKnown ? (*size)[i] : Dim::unknown();
    // What is wrong the body says.
    sized.dims[i + 1] =
        side.isKnown() && side.value < least ? Dim::unknown() : side;
  }
  context.setOutputShape(0, std::move(sized));
  return okStatus();
}

} // namespace

Status inferTransformed(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkRank(context, 1, 2));
  return giveSized(context, 2, 1);
}

Status inferGlimpses(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkRank(context, 2, 2));
  const std::string noise = context.stringAttr("noise");
  if (context.boolAttr("uniform_noise") && !noise.empty() && noise != "uniform")
    return context.error("The uniform_noise should not be True when noise is "
                         "not uniform");
  return giveSized(context, 1, 0);
}

Status inferScaled(InferenceContext &context) {
  return giveSized(context, 1, 1);
}

/// The gradient's batch and channels, the image's height and width.
Status inferScaledGradient(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkRank(context, 0, 4));
  const SymShape &gradient = context.inputShape(0),
                 &image = context.inputShape(1);
  if (context.isBuilding()) {
    context.setOutputShape(0, image);
    return okStatus();
  }
  SymShape scaled = SymShape::unknownDims(4);
  if (gradient.rankKnown && gradient.rank() == 4)
    scaled = gradient;
  const bool isKnown = image.rankKnown && image.rank() == 4;
  for (size_t i : {1, 2})
    scaled.dims[i] = isKnown ? image.dims[i] : Dim::unknown();
  context.setOutputShape(0, std::move(scaled));
  return okStatus();
}

} // namespace kiln::shapes
