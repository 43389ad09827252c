// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of images, and images among zeros.
#include "kiln/ControlFlow.h"
#include "kiln/Operators.h"
#include "kiln/ops/Array.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/ControlOps.h"
#include "kiln/ops/ImageOps.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/MathOps.h"
#include "kiln/ops/RandomOps.h"
#include "lib/Build/Ops/ImageOpsHelpers.h"
#include "lib/Support/Strings.h"

#include <limits>

namespace kiln::ops {
namespace {

/// Extents beside each other, as a tensor of int32.
Output packed(std::initializer_list<Extent> extents) {
  std::vector<Input> list;
  for (const Extent &extent : extents)
    list.push_back(extent.input());
  return stack(list);
}

/// A fraction that central_crop gets: a number, or the value of a Const, which
/// NumPy computes with in its own type.
struct Fraction {
  std::optional<double> known;
  bool isFloat32 = false;
};

Fraction fractionOf(const Input &value) {
  if (auto number = knownNumber(value))
    return {number};
  const auto constant = constantValue(value);
  if (!constant)
    return {};
  return {knownNumber(*constant), constant->dtype() == DType::Float32};
}

/// Where the middle part of a side begins.
int64_t middleOf(int64_t extent, const Fraction &fraction) {
  if (fraction.isFloat32) {
    const float whole = static_cast<float>(extent);
    return static_cast<int64_t>(
        (whole - whole * static_cast<float>(*fraction.known)) / 2);
  }
  const double whole = static_cast<double>(extent);
  return static_cast<int64_t>((whole - whole * *fraction.known) / 2);
}
Output middleOf(const Extent &extent, const Input &fraction) {
  Output whole = cast(extent.input(), DType::Float64);
  Output part = whole * cast(fraction, DType::Float64);
  return cast((whole - part) / 2, DType::Int32);
}

/// The extent of a dimension, known or an element of a Shape of its own.
Extent extentOf(const Output &image, int axis) {
  return image.shape().dim(axis) >= 0 ? Extent(image.shape().dim(axis))
                                      : Extent(Input(shape(image)[axis]));
}

/// Cuts the middle of both sides.
Output centralPart(const Output &image, const Input &centralFraction,
                   const Fraction &fraction) {
  const int rank = image.shape().rank(), rows = rank - 3;
  std::vector<Extent> extents, begins, sizes;
  for (int axis : {rows, rows + 1})
    extents.push_back(extentOf(image, axis));
  for (const Extent &extent : extents)
    begins.push_back(extent.isKnown() && fraction.known
                         ? Extent(middleOf(extent.number(), fraction))
                         : Extent(Input(middleOf(extent, centralFraction))));
  for (size_t i = 0; i < 2; ++i)
    sizes.push_back(extents[i] - begins[i] * 2);
  Output begin, size;
  if (rank == 3) {
    begin = packed({begins[0], begins[1], 0});
    size = packed({sizes[0], sizes[1], -1});
  } else {
    begin = packed({0, begins[0], begins[1], 0});
    size = packed({-1, sizes[0], sizes[1], -1});
  }
  Shape known = image.shape();
  known.setDim(rows, sizes[0].dim());
  known.setDim(rows + 1, sizes[1].dim());
  return withShape(known, [&] { return rawOps::slice(image, begin, size); });
}

} // namespace

Output centralCrop(const Input &image, const Input &centralFraction) {
  FunctionScope scope("", "central_crop", {&image});
  Output x = convert(image, "image");
  if (!x.node)
    return {};
  constexpr const char *words = "central_fraction must be within (0, 1]";
  const Fraction fraction = fractionOf(centralFraction);
  ImageChecks checks(scope);
  if (fraction.known) {
    checks.holds(*fraction.known > 0 && *fraction.known <= 1, words);
    if (*fraction.known == 1)
      return x;
  } else {
    Output isAbove = detail::comparison("Greater", centralFraction, 0.0);
    Output isAtMost = detail::comparison("LessEqual", centralFraction, 1.0);
    checks.holds(rawOps::logicalOr(isAbove, isAtMost), words);
    x = checks.before(x);
  }
  if (checks.failed() || !withPositiveExtents(x, scope).node)
    return {};
  const int rank = x.shape().rank();
  if (rank != 3 && rank != 4)
    return failed(
        invalidArgumentError(
            strCat("`image` should either be a Tensor with rank = 3 or rank = "
                   "4. Had rank = ",
                   rank < 0 ? "None" : std::to_string(rank), ".")),
        scope);
  return centralPart(x, centralFraction, fraction);
}

Output padToBoundingBox(const Input &image, const Input &offsetHeight,
                        const Input &offsetWidth, const Input &targetHeight,
                        const Input &targetWidth) {
  FunctionScope scope("", "pad_to_bounding_box", {&image});
  const Extent top(offsetHeight), left(offsetWidth), height(targetHeight),
      width(targetWidth);
  ImageBatch batch = asBatch(convert(image, "image"), scope);
  if (!batch.images.node)
    return {};
  const std::vector<Extent> extents = extentsOf(batch.images, 4);
  const Extent right = width - left - extents[2];
  const Extent bottom = height - top - extents[1];
  ImageChecks checks(scope);
  checks.imageHasPositiveExtents(batch.images);
  checks.atLeast(top, 0, "offset_height must be >= 0");
  checks.atLeast(left, 0, "offset_width must be >= 0");
  checks.atLeast(right, 0, "width must be <= target - offset");
  checks.atLeast(bottom, 0, "height must be <= target - offset");
  Output x = checks.before(batch.images);
  if (!x.node)
    return {};
  Output paddings =
      rawOps::reshape(packed({0, 0, top, bottom, left, right, 0, 0}), {4, 2});
  return batch.result(
      withShape({extents[0].dim(), height.dim(), width.dim(), extents[3].dim()},
                [&] { return pad(x, paddings); }));
}

Output cropToBoundingBox(const Input &image, const Input &offsetHeight,
                         const Input &offsetWidth, const Input &targetHeight,
                         const Input &targetWidth) {
  FunctionScope scope("", "crop_to_bounding_box", {&image});
  const Extent top(offsetHeight), left(offsetWidth), height(targetHeight),
      width(targetWidth);
  ImageBatch batch = asBatch(convert(image, "image"), scope);
  if (!batch.images.node)
    return {};
  ImageChecks checks(scope);
  checks.imageHasPositiveExtents(batch.images);
  if (checks.failed())
    return {};
  const std::vector<Extent> extents = extentsOf(batch.images, 4);
  checks.atLeast(left, 0, "offset_width must be >= 0.");
  checks.atLeast(top, 0, "offset_height must be >= 0.");
  checks.above(width, 0, "target_width must be > 0.");
  checks.above(height, 0, "target_height must be > 0.");
  checks.atLeast(extents[2], width + left, "width must be >= target + offset.");
  checks.atLeast(extents[1], height + top,
                 "height must be >= target + offset.");
  Output x = checks.before(batch.images);
  if (!x.node)
    return {};
  Output begin = packed({0, top, left, 0});
  Output count = shape(x)[0], channels = shape(x)[3];
  Output size = packed({Input(count), height, width, Input(channels)});
  return batch.result(
      withShape({extents[0].dim(), height.dim(), width.dim(), extents[3].dim()},
                [&] { return rawOps::slice(x, begin, size); }));
}

Output resizeImageWithCropOrPad(const Input &image, const Input &targetHeight,
                                const Input &targetWidth) {
  FunctionScope scope("", "resize_image_with_crop_or_pad", {&image});
  Extent height(targetHeight), width(targetWidth);
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
  height = checks.before(height);
  width = checks.before(width);
  const std::vector<Extent> extents = extentsOf(x, 4);
  const Extent wider = width - extents[2];
  const Extent cropLeft = larger(halfOf(-wider), 0);
  const Extent padLeft = larger(halfOf(wider), 0);
  const Extent taller = height - extents[1];
  const Extent cropTop = larger(halfOf(-taller), 0);
  const Extent padTop = larger(halfOf(taller), 0);
  const Extent cropHeight = smaller(height, extents[1]);
  const Extent cropWidth = smaller(width, extents[2]);
  Output cropped = cropToBoundingBox(x, cropTop.input(), cropLeft.input(),
                                     cropHeight.input(), cropWidth.input());
  Output resized = padToBoundingBox(cropped, padTop.input(), padLeft.input(),
                                    height.input(), width.input());
  if (!resized.node)
    return {};
  const std::vector<Extent> result = extentsOf(resized, 4);
  ImageChecks isRight(scope);
  isRight.equal(result[1], height, "resized height is not correct.");
  isRight.equal(result[2], width, "resized width is not correct.");
  return batch.result(isRight.before(resized));
}

Output randomCrop(const Input &value, const Input &size,
                  const RandomCropOptions &options) {
  FunctionScope scope(options.name, "random_crop", {&value, &size});
  Output x = convert(value, "value");
  Output wanted = convert(size, "size", DType::Int32);
  if (!x.node || !wanted.node)
    return {};
  Output extents = shape(x);
  Output fits = reduceAll(extents >= wanted);
  const Node *check =
      assertThat(fits, {"Need value.shape >= size, got ", extents, wanted},
                 {.summarize = 1000});
  extents = withDependencies({check}, extents);
  Output limit = extents - wanted + 1;
  Output offset =
      randomUniform(shape(extents), 0, std::numeric_limits<int32_t>::max(),
                    {.dtype = DType::Int32, .seed = options.seed});
  return rawOps::slice(x, offset % limit, wanted, {.name = scope});
}

} // namespace kiln::ops
