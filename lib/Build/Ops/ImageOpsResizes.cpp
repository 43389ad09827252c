// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images of other sizes.
#include "kiln/Operators.h"
#include "kiln/ops/Array.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/Image.h"
#include "kiln/ops/ImageOps.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/MathOps.h"
#include "lib/Build/BuildState.h"
#include "lib/Build/Ops/ImageOpsHelpers.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace kiln::ops {
namespace {

/// The new size as a tensor. **Errors** of the graph: with the words of
/// resize_images for what is none.
Output sizeTensor(const Input &size, const std::string &scope) {
  constexpr const char *noSize = "'size' must be a 1-D int32 Tensor";
  const Output *tensor = size.output();
  const bool isNumbers = !tensor && !holdsOutputs(size);
  if ((tensor && tensor->node && tensor->dtype() != DType::Int32) ||
      (isNumbers && !toConstant(size, DType::Int32).ok()))
    return failed(invalidArgumentError(noSize), scope);
  Output converted = convert(size, "size", DType::Int32);
  if (converted.node && !converted.shape().isCompatibleWith({2}))
    return failed(
        invalidArgumentError("'size' must be a 1-D Tensor of 2 elements: "
                             "new_height, new_width"),
        scope);
  return converted;
}

/// A size, and what is known of it: TensorFlow computes on constants while it
/// builds a graph.
struct NewSize {
  Output size; ///< without a node after an error
  std::optional<std::pair<int64_t, int64_t>> known = {};
};

/// The largest size within this one that has the image's ratio of sides.
NewSize withRatioOf(const Output &images, const Output &size) {
  const std::vector<Extent> extents = extentsOf(images, 4);
  auto scaleOf = [&](int i) {
    Output wanted = cast(size[i], DType::Float32);
    return wanted /
           cast(extents[static_cast<size_t>(i) + 1].input(), DType::Float32);
  };
  Output ofHeight = scaleOf(0), ofWidth = scaleOf(1);
  Output scale = rawOps::minimum(ofHeight, ofWidth);
  auto scaled = [&](size_t i) {
    Output exact = scale * cast(extents[i].input(), DType::Float32);
    return cast(rawOps::round(exact), DType::Int32);
  };
  Output height = scaled(1), width = scaled(2);
  NewSize result{convert({height, width}, "size", DType::Int32)};
  const auto wanted = knownIntegers(size);
  if (wanted && wanted->size() == 2 && extents[1].isKnown() &&
      extents[2].isKnown()) {
    const auto own = [&](size_t i) {
      return static_cast<float>(extents[i].number());
    };
    const float known = std::min(static_cast<float>((*wanted)[0]) / own(1),
                                 static_cast<float>((*wanted)[1]) / own(2));
    result.known = {std::lrint(known * own(1)), std::lrint(known * own(2))};
  }
  return result;
}

Output resized(const Output &images, const Output &size, ResizeMethod method,
               bool alignCorners, const std::string &scope) {
  switch (method) {
  case ResizeMethod::Bilinear:
    return rawOps::resizeBilinear(images, size, {.alignCorners = alignCorners});
  case ResizeMethod::NearestNeighbor:
    return rawOps::resizeNearestNeighbor(images, size,
                                         {.alignCorners = alignCorners});
  case ResizeMethod::Bicubic:
    return rawOps::resizeBicubic(images, size, {.alignCorners = alignCorners});
  case ResizeMethod::Area:
    return rawOps::resizeArea(images, size, {.alignCorners = alignCorners});
  default:
    return failed(
        invalidArgumentError(strCat("Resize method is not implemented: ",
                                    static_cast<int>(method))),
        scope);
  }
}

/// The shape of images that fill a height or a width, where it is known.
Shape fittedShape(const Extent &ownHeight, const Extent &ownWidth,
                  const Extent &height, const Extent &width) {
  Shape shape = Shape::unknownDims(4);
  for (const Extent *extent : {&ownHeight, &ownWidth, &height, &width})
    if (!extent->isKnown())
      return shape;
  const auto number = [](const Extent &extent) {
    return static_cast<float>(extent.number());
  };
  const float ratio = std::max(number(ownWidth) / number(width),
                               number(ownHeight) / number(height));
  shape.setDim(1, static_cast<int64_t>(number(ownHeight) / ratio));
  shape.setDim(2, static_cast<int64_t>(number(ownWidth) / ratio));
  return shape;
}

} // namespace

Output resizeImages(const Input &images, const Input &size,
                    const ResizeImagesOptions &options) {
  FunctionScope scope(options.name, "resize", {&images, &size});
  Output x = convert(images, "images");
  if (!x.node)
    return {};
  const int rank = x.shape().rank();
  if (rank < 0)
    return failed(invalidArgumentError("'images' contains no shape."), scope);
  if (rank != 3 && rank != 4)
    return failed(
        invalidArgumentError("'images' must have either 3 or 4 dimensions."),
        scope);
  const ImageBatch batch = asBatch(x, scope);
  if (!batch.images.node)
    return {};
  NewSize newSize{sizeTensor(size, scope)};
  if (options.preserveAspectRatio && newSize.size.node)
    newSize = withRatioOf(batch.images, newSize.size);
  if (!newSize.size.node)
    return {};
  const Shape known = constantShape(newSize.size);
  const int64_t height = known.dim(0), width = known.dim(1);
  if (height >= 0 && width >= 0 && batch.images.shape().dim(1) == height &&
      batch.images.shape().dim(2) == width)
    return batch.result(batch.images);
  const auto [knownHeight, knownWidth] =
      newSize.known.value_or(std::pair(height, width));
  return batch.result(withShape({-1, knownHeight, knownWidth, -1}, [&] {
    return resized(batch.images, newSize.size, options.method,
                   options.alignCorners, scope);
  }));
}

Output resizeImageWithPad(const Input &image, const Input &targetHeight,
                          const Input &targetWidth,
                          const ResizeImageWithPadOptions &options) {
  FunctionScope scope("", "resize_image_with_pad", {&image});
  const Extent height(targetHeight), width(targetWidth);
  ImageBatch batch = asBatch(convert(image, "image"), scope);
  if (!batch.images.node)
    return {};
  ImageChecks checks(scope);
  checks.imageHasPositiveExtents(batch.images);
  checks.above(width, 0, "target_width must be > 0.");
  checks.above(height, 0, "target_height must be > 0.");
  Output x = checks.before(batch.images);
  if (!x.node)
    return {};
  auto asFloat = [](const Extent &extent) {
    return cast(extent.input(), DType::Float32);
  };
  auto wholeOf = [](const Output &number) {
    return cast(rawOps::floor(number), DType::Int32);
  };
  const std::vector<Extent> extents = extentsOf(x, 4);
  Output ownHeight = asFloat(extents[1]), ownWidth = asFloat(extents[2]);
  Output newHeight = asFloat(height), newWidth = asFloat(width);
  Output ofWidth = ownWidth / newWidth;
  Output ratio = rawOps::maximum(ofWidth, ownHeight / newHeight);
  Output exactHeight = ownHeight / ratio, exactWidth = ownWidth / ratio;
  Output resizedHeight = wholeOf(exactHeight),
         resizedWidth = wholeOf(exactWidth);
  Output above = (newHeight - exactHeight) / 2;
  Output before = (newWidth - exactWidth) / 2;
  Output wholeAbove = rawOps::floor(above), wholeBefore = rawOps::floor(before);
  Output top = rawOps::maximum(0, cast(wholeAbove, DType::Int32));
  Output left = rawOps::maximum(0, cast(wholeBefore, DType::Int32));
  Output inside =
      withShape(fittedShape(extents[1], extents[2], height, width), [&] {
        return resizeImages(
            x, Input({resizedHeight, resizedWidth}),
            {.method = options.method, .alignCorners = options.alignCorners});
      });
  Output padded =
      padToBoundingBox(inside, top, left, height.input(), width.input());
  extentsOf(padded, 4); // TensorFlow adds them without a use for them
  return batch.result(padded);
}

Output resizeBilinear(const Input &images, const Input &size,
                      const ResizeOptions &options) {
  return rawOps::resizeBilinear(images, size,
                                {.alignCorners = options.alignCorners,
                                 .halfPixelCenters = options.halfPixelCenters,
                                 .name = options.name});
}
Output resizeBicubic(const Input &images, const Input &size,
                     const ResizeOptions &options) {
  return rawOps::resizeBicubic(images, size,
                               {.alignCorners = options.alignCorners,
                                .halfPixelCenters = options.halfPixelCenters,
                                .name = options.name});
}
Output resizeNearestNeighbor(const Input &images, const Input &size,
                             const ResizeOptions &options) {
  return rawOps::resizeNearestNeighbor(
      images, size,
      {.alignCorners = options.alignCorners,
       .halfPixelCenters = options.halfPixelCenters,
       .name = options.name});
}

} // namespace kiln::ops
