// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of ops on files of pictures: what only the file says is
// unknown. In a run the ops have their own words for wrong shapes.
#include "lib/Ops/Media/Shape.h"

#include "lib/OpDefs/Inference.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln::shapes {
namespace {

Status checkRank(InferenceContext &context, int i, int rank) {
  return context.isBuilding()
             ? context.withRank(context.inputShape(i), rank).status()
             : okStatus();
}

StatusOr<Dim> channelsOf(InferenceContext &context) {
  const int64_t channels = context.node().attrOr<int64_t>("channels", 0);
  if (channels < 0)
    return context.error(
        strCat("channels must be non-negative, got ", channels));
  return channels == 0 ? Dim::unknown() : Dim::known(channels);
}

} // namespace

Status inferDecoded(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkRank(context, 0, 0));
  KILN_ASSIGN_OR_RETURN(Dim channels, channelsOf(context));
  context.setOutputShape(
      0, SymShape::of({Dim::unknown(), Dim::unknown(), channels}));
  return okStatus();
}

/// contents, top and left and height and width of a part -> the part.
Status inferDecodedPart(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(inferDecoded(context));
  if (!context.isBuilding())
    return okStatus();
  KILN_ASSIGN_OR_RETURN(SymShape window,
                        context.withRank(context.inputShape(1), 1));
  if (window.dims[0].isKnown() && window.dims[0].value != 4)
    return context.error(
        strCat("Dimension must be 4 but is ", window.dims[0].value));
  KILN_ASSIGN_OR_RETURN(Dim channels, channelsOf(context));
  if (const Dims *sizes = context.knownContents(1); sizes && sizes->size() == 4)
    context.setOutputShape(0,
                           SymShape::of({(*sizes)[2], (*sizes)[3], channels}));
  return okStatus();
}

Status inferDecodedFrames(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkRank(context, 0, 0));
  context.setOutputShape(0, SymShape::of({Dim::unknown(), Dim::unknown(),
                                          Dim::unknown(), Dim::known(3)}));
  return okStatus();
}

Status inferDecodedImage(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(inferDecoded(context));
  if (context.boolAttr("expand_animations"))
    context.setOutputShape(0, SymShape::unknownRank());
  return okStatus();
}

Status inferPictureSizes(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkRank(context, 0, 0));
  context.setOutputShape(0, SymShape::of({Dim::known(3)}));
  return okStatus();
}

/// A picture, and the quality as a scalar where that is an input.
Status inferEncodeJpeg(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkRank(context, 0, 3));
  if (context.numInputs() > 1)
    KILN_RETURN_IF_ERROR(checkRank(context, 1, 0));
  context.setOutputShape(0, SymShape::scalar());
  return okStatus();
}

Status inferEncodePng(InferenceContext &context) {
  const SymShape &shape = context.inputShape(0);
  if (!shape.rankKnown || (shape.rank() < 3 && !context.isBuilding())) {
    context.setOutputShape(0, SymShape::unknownRank());
    return okStatus();
  }
  if (shape.rank() < 3)
    return context.error(
        strCat("Shape must be at least rank 3 but is rank ", shape.rank()));
  context.setOutputShape(
      0, SymShape::of(Dims(shape.dims.begin(), shape.dims.end() - 3)));
  return okStatus();
}

} // namespace kiln::shapes
