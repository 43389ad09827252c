// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Colors, brightness and contrast of images.
#include "kiln/Operators.h"
#include "kiln/ops/Array.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/ControlFlow.h"
#include "kiln/ops/Image.h"
#include "kiln/ops/ImageColorOps.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/MathOps.h"
#include "kiln/ops/Media.h"
#include "kiln/ops/RandomOps.h"
#include "kiln/ops/ReductionOps.h"
#include "kiln/ops/Strings.h"
#include "lib/Build/Ops/ImageOpsHelpers.h"
#include "lib/Support/Strings.h"

namespace kiln::ops {
namespace {

/// Images in a type that their colors are changed in.
struct FloatImage {
  Output image; ///< without a node after an error
  DType own = DType::Invalid;
};

FloatImage asFloats(const Input &image, const char *name) {
  Output x = convert(image, name);
  if (!x.node)
    return {};
  const bool isFloat =
      x.dtype() == DType::Float16 || x.dtype() == DType::Float32;
  return {isFloat ? x : convertImageDType(x, DType::Float32), x.dtype()};
}

Output timesKernel(const Input &images, const Input &kernel) {
  Output x = convert(images, "images");
  if (!x.node)
    return {};
  Output matrix = convert(kernel, "kernel", x.dtype());
  const int rank = x.shape().rank();
  // TensorFlow computes with a rank that it must know.
  if (rank < 0)
    return failed(
        invalidArgumentError(
            "unsupported operand type(s) for -: 'NoneType' and 'int'"),
        x.node->name());
  return tensordot(x, matrix, {rank - 1}, {0});
}

/// A bound of random numbers, which has to be known. **Errors** of the graph:
/// INVALID_ARGUMENT for a tensor.
std::optional<double> knownBound(const Input &bound) {
  std::optional<double> known = knownNumber(bound);
  if (!known)
    failed(invalidArgumentError(
               "Using a symbolic `tf.Tensor` as a Python `bool` is not "
               "allowed."),
           "");
  return known;
}

/// A number between the two. **Errors** of the graph: INVALID_ARGUMENT for
/// bounds that are none.
Output randomFactor(const Input &lower, const Input &upper,
                    const RandomAdjustmentOptions &options) {
  const auto least = knownBound(lower), most = knownBound(upper);
  if (!least || !most)
    return {};
  if (*most <= *least)
    return failed(invalidArgumentError("upper must be > lower."), "");
  if (*least < 0)
    return failed(invalidArgumentError("lower must be non-negative."), "");
  return randomUniform(Input::List(), lower, upper, {.seed = options.seed});
}

/// A number that is no farther from 0. **Errors** of the graph:
/// INVALID_ARGUMENT for what is negative or above `most`.
Output randomDelta(const Input &maxDelta, std::optional<double> most,
                   const RandomAdjustmentOptions &options) {
  const auto known = knownBound(maxDelta);
  if (!known)
    return {};
  if (most && *known > *most)
    return failed(
        invalidArgumentError(strCat("max_delta must be <= ", *most, ".")), "");
  if (*known < 0)
    return failed(invalidArgumentError("max_delta must be non-negative."), "");
  const auto *integer = std::get_if<int64_t>(&maxDelta.value());
  return randomUniform(Input::List(),
                       integer ? Input(-*integer) : Input(-*known), maxDelta,
                       {.seed = options.seed});
}

} // namespace

Output perImageStandardization(const Input &image) {
  FunctionScope scope("", "per_image_standardization", {&image});
  Output x = withPositiveExtents(convert(image, "image"), scope);
  if (!x.node)
    return {};
  x = cast(x, DType::Float32);
  const std::vector<int64_t> axes = {-1, -2, -3};
  Output count = reduceProd(shape(x)[{sliceFrom(-3)}]);
  Output mean = reduceMean(x, axes, {.keepDims = true});
  Output deviation = reduceStd(x, {.axis = Input(axes), .keepDims = true});
  Output least = rawOps::rsqrt(cast(count, DType::Float32));
  Output divisor = rawOps::maximum(deviation, least);
  return divide(x - mean, divisor, {.name = scope});
}

Output adjustBrightness(const Input &image, const Input &delta) {
  FunctionScope scope("", "adjust_brightness", {&image, &delta});
  FloatImage given = asFloats(image, "image");
  if (!given.image.node)
    return {};
  Output sum =
      add(given.image, cast(delta, given.image.dtype()), {.name = scope});
  return convertImageDType(sum, given.own, {.saturate = true});
}

Output adjustContrast(const Input &images, const Input &contrastFactor) {
  FunctionScope scope("", "adjust_contrast", {&images, &contrastFactor});
  FloatImage given = asFloats(images, "images");
  if (!given.image.node)
    return {};
  Output adjusted =
      rawOps::adjustContrastv2(given.image, contrastFactor, {.name = scope});
  return convertImageDType(adjusted, given.own, {.saturate = true});
}

Output adjustGamma(const Input &image, const AdjustGammaOptions &options) {
  FunctionScope scope("", "adjust_gamma",
                      {&image, &options.gamma, &options.gain});
  FloatImage given = asFloats(image, "image");
  if (!given.image.node)
    return {};
  constexpr const char *words = "Gamma should be a non-negative real number.";
  ImageChecks checks(scope);
  Input gamma = options.gamma;
  if (auto known = knownNumber(gamma)) {
    checks.holds(*known >= 0, words);
  } else {
    checks.holds(detail::comparison("GreaterEqual", gamma, 0), words);
    gamma = checks.before(valueOf(gamma));
  }
  if (checks.failed())
    return {};
  Output power = pow(given.image, gamma, {.name = "pow"});
  return convertImageDType(binary("mul", options.gain, power), given.own,
                           {.saturate = true});
}

Output adjustHue(const Input &image, const Input &delta,
                 const OpOptions &options) {
  FunctionScope scope(options.name, "adjust_hue", {&image});
  FloatImage given = asFloats(image, "image");
  if (!given.image.node)
    return {};
  return convertImageDType(rawOps::adjustHue(given.image, delta), given.own);
}

Output adjustSaturation(const Input &image, const Input &saturationFactor,
                        const OpOptions &options) {
  FunctionScope scope(options.name, "adjust_saturation", {&image});
  FloatImage given = asFloats(image, "image");
  if (!given.image.node)
    return {};
  return convertImageDType(
      rawOps::adjustSaturation(given.image, saturationFactor), given.own);
}

Output randomBrightness(const Input &image, const Input &maxDelta,
                        const RandomAdjustmentOptions &options) {
  GraphScope graph(builderOf(image));
  Output delta = randomDelta(maxDelta, {}, options);
  return delta.node ? adjustBrightness(image, delta) : Output();
}

Output randomHue(const Input &image, const Input &maxDelta,
                 const RandomAdjustmentOptions &options) {
  GraphScope graph(builderOf(image));
  Output delta = randomDelta(maxDelta, 0.5, options);
  return delta.node ? adjustHue(image, delta) : Output();
}

Output randomContrast(const Input &image, const Input &lower,
                      const Input &upper,
                      const RandomAdjustmentOptions &options) {
  GraphScope graph(builderOf(image));
  Output factor = randomFactor(lower, upper, options);
  return factor.node ? adjustContrast(image, factor) : Output();
}

Output randomSaturation(const Input &image, const Input &lower,
                        const Input &upper,
                        const RandomAdjustmentOptions &options) {
  GraphScope graph(builderOf(image));
  Output factor = randomFactor(lower, upper, options);
  return factor.node ? adjustSaturation(image, factor) : Output();
}

Output rgbToGrayscale(const Input &images, const OpOptions &options) {
  FunctionScope scope(options.name, "rgb_to_grayscale", {&images});
  Output x = convert(images, "images");
  if (!x.node)
    return {};
  Output colors = convertImageDType(x, DType::Float32);
  Output gray = tensordot(colors, {0.2989, 0.587, 0.114}, {-1}, {-1});
  return convertImageDType(expandDims(gray, -1), x.dtype(), {.name = scope});
}

Output grayscaleToRgb(const Input &images, const OpOptions &options) {
  FunctionScope scope(options.name, "grayscale_to_rgb", {&images});
  ImageChecks checks(scope);
  Output x = convert(images, "images");
  checks.imageIsGrayscale(x);
  x = checks.before(x);
  if (!x.node)
    return {};
  Output axes = expandDims(rank(x) - 1, 0);
  Output multiples =
      concat({ones(axes, {.dtype = DType::Int32}), expandDims(3, 0)}, 0);
  Shape known = x.shape();
  known.setDim(known.rank() - 1, 3);
  return withShape(known,
                   [&] { return rawOps::tile(x, multiples, {.name = scope}); });
}

Output rgbToYiq(const Input &images) {
  return timesKernel(images, {{0.299, 0.59590059, 0.2115},
                              {0.587, -0.27455667, -0.52273617},
                              {0.114, -0.32134392, 0.31119955}});
}
Output yiqToRgb(const Input &images) {
  return timesKernel(images, {{1, 1, 1},
                              {0.95598634, -0.27201283, -1.10674021},
                              {0.6208248, -0.64720424, 1.70423049}});
}
Output rgbToYuv(const Input &images) {
  return timesKernel(images, {{0.299, -0.14714119, 0.61497538},
                              {0.587, -0.28886916, -0.51496512},
                              {0.114, 0.43601035, -0.10001026}});
}
Output yuvToRgb(const Input &images) {
  return timesKernel(
      images,
      {{1, 1, 1}, {0, -0.394642334, 2.03206185}, {1.13988303, -0.58062185, 0}});
}

Output isJpeg(const Input &contents, const OpOptions &options) {
  FunctionScope scope(options.name, "is_jpeg", {&contents});
  return rawOps::equal(rawOps::substr(contents, 0, 3), "\xff\xd8\xff",
                       {.name = options.name});
}

Output encodePng(const Input &image, const EncodePngOptions &options) {
  GraphScope graph(builderOf(image));
  return rawOps::encodePng(valueOf(image), {.compression = options.compression,
                                            .name = options.name});
}

} // namespace kiln::ops
