// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of ops on pictures and sounds: what only the file says is
// unknown. In a run the ops have their own words for wrong shapes.
#include "lib/Ops/Media/Shape.h"

#include "lib/OpDefs/Inference.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <bit>

namespace kiln::shapes {
namespace {

Status checkRank(InferenceContext &context, int i, int rank) {
  return context.isBuilding()
             ? context.withRank(context.inputShape(i), rank).status()
             : okStatus();
}

/// The extents of an input of that rank; in a run none where it has another.
StatusOr<Dims> dimsOf(InferenceContext &context, int i, size_t rank) {
  KILN_RETURN_IF_ERROR(checkRank(context, i, static_cast<int>(rank)));
  const SymShape &shape = context.inputShape(i);
  return shape.rankKnown && shape.dims.size() == rank
             ? shape.dims
             : Dims(rank, Dim::unknown());
}

/// An attribute that is not negative; -1: what the file says.
StatusOr<Dim> sizeOf(InferenceContext &context, std::string_view attr,
                     std::string_view name) {
  const int64_t size = context.node().attrOr<int64_t>(attr, -1);
  if (size < -1)
    return context.error(strCat(name, " must be non-negative, got ", size));
  return size == -1 ? Dim::unknown() : Dim::known(size);
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

Status inferDecodeWav(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkRank(context, 0, 0));
  KILN_ASSIGN_OR_RETURN(Dim channels,
                        sizeOf(context, "desired_channels", "channels"));
  KILN_ASSIGN_OR_RETURN(Dim samples,
                        sizeOf(context, "desired_samples", "samples"));
  context.setOutputShape(0, SymShape::of({samples, channels}));
  context.setOutputShape(1, SymShape::scalar());
  return okStatus();
}

Status inferEncodeWav(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkRank(context, 0, 2));
  KILN_RETURN_IF_ERROR(checkRank(context, 1, 0));
  context.setOutputShape(0, SymShape::scalar());
  return okStatus();
}

/// samples, channels -> channels, windows, half of the next power of two and
/// one more.
Status inferSpectrogram(InferenceContext &context) {
  KILN_ASSIGN_OR_RETURN(Dims input, dimsOf(context, 0, 2));
  const int64_t window = context.intAttr("window_size"),
                stride = context.intAttr("stride");
  if (window <= 1)
    return context.error(strCat("window size must be > 1, got ", window));
  if (stride <= 0)
    return context.error(
        strCat("stride must be strictly positive, got ", stride));
  // Of a transform that has as many numbers.
  constexpr int64_t mostSamples = int64_t{1} << 30;
  if (window > mostSamples)
    return context.error(strCat("Spectrogram initialization failed for window "
                                "size ",
                                window, " and stride ", stride));
  DimSpace &dims = context.dims();
  const Dim steps = dims.floorDiv(
      dims.sub(input[0], Dim::known(window - stride)), Dim::known(stride));
  const auto length =
      static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(window)));
  context.setOutputShape(0,
                         SymShape::of({input[1], dims.max(steps, Dim::known(0)),
                                       Dim::known(1 + length / 2)}));
  return okStatus();
}

Status inferMfcc(InferenceContext &context) {
  KILN_ASSIGN_OR_RETURN(Dims spectrogram, dimsOf(context, 0, 3));
  KILN_RETURN_IF_ERROR(checkRank(context, 1, 0));
  const int64_t count = context.intAttr("dct_coefficient_count");
  context.setOutputShape(
      0, SymShape::of({spectrogram[0], spectrogram[1],
                       count < 0 ? Dim::unknown() : Dim::known(count)}));
  return okStatus();
}

} // namespace kiln::shapes
