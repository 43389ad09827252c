// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How like two images are, and where one changes.
#include "kiln/ControlFlow.h"
#include "kiln/Operators.h"
#include "kiln/ops/Array.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/ControlFlow.h"
#include "kiln/ops/Convolution.h"
#include "kiln/ops/ImageColorOps.h"
#include "kiln/ops/ImageQualityOps.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/MathOps.h"
#include "kiln/ops/NnOps.h"
#include "kiln/ops/PoolingOps.h"
#include "lib/Build/Ops/ImageOpsHelpers.h"
#include "lib/Support/Strings.h"

#include <cmath>

namespace kiln::ops {
namespace {

Output squareOf(const Output &x) { return rawOps::square(x); }

/// The elements without the last ones that are given for an axis, less those
/// without the first ones.
Output differences(const Output &x, int axis) {
  auto part = [&](const SliceIndex &index) {
    const SliceIndex all = sliceAll();
    if (x.shape().rank() == 3)
      return axis == 0 ? x[{index, all, all}] : x[{all, index, all}];
    return axis == 1 ? x[{all, index, all, all}] : x[{all, all, index, all}];
  };
  Output later = part(sliceFrom(1));
  return later - part(sliceTo(-1));
}

/// The shapes of two images, and what a run checks of them.
struct ShapesOfBoth {
  Output first, second; ///< without nodes after an error
  std::vector<ControlInput> checks;
};

/// **Source**: image_ops_impl._verify_compatible_image_shapes.
ShapesOfBoth shapesOf(const Output &a, const Output &b,
                      const std::string &scope) {
  ImageChecks checks(scope);
  const Shape &x = a.shape(), &y = b.shape();
  for (const Shape *shape : {&x, &y})
    checks.holds(
        !shape->hasRank() || shape->rank() >= 3,
        strCat("Shape ", shape->toTupleString(), " must have rank at least 3"));
  if (checks.failed())
    return {};
  if (x.hasRank() && y.hasRank()) {
    const auto last = [](const Shape &shape) {
      return Shape(shape.dims().last(3));
    };
    checks.holds(last(x).isCompatibleWith(last(y)),
                 strCat("Shapes ", last(x).toTupleString(), " and ",
                        last(y).toTupleString(), " are incompatible"));
    for (int i = -4; i >= -std::min(x.rank(), y.rank()); --i) {
      const int64_t m = x.dim(i), n = y.dim(i);
      checks.holds(m == 1 || n == 1 || m == n || m < 0 || n < 0,
                   strCat("Two images are not compatible: ", x.toTupleString(),
                          " and ", y.toTupleString()));
    }
  }
  if (checks.failed())
    return {};
  std::vector<Output> shapes = rawOps::shapeN({a, b});
  if (shapes.size() != 2)
    return {};
  ShapesOfBoth both{shapes[0], shapes[1], {}};
  auto check = [&](const Output &condition) {
    both.checks.push_back(
        assertThat(condition, {shapes[0], shapes[1]}, {.summarize = 10}));
  };
  check(rawOps::greaterEqual(size(shapes[0]), 3));
  Output first = shapes[0][{sliceFrom(-3)}];
  Output equal = rawOps::equal(first, shapes[1][{sliceFrom(-3)}]);
  check(reduceAll(equal));
  return both;
}

struct Images {
  Output first, second, maxVal; ///< without nodes after an error
  ShapesOfBoth shapes;
};

/// Both images as float32, once their shapes are checked.
Images comparedImages(const Input &img1, const Input &img2, const Input &maxVal,
                      const std::string &scope) {
  Output first = convert(img1, "img1"), second = convert(img2, "img2");
  if (!first.node || !second.node)
    return {};
  Images images;
  images.shapes = shapesOf(first, second, scope);
  if (!images.shapes.first.node)
    return {};
  {
    ControlScope checked(images.shapes.checks);
    first = rawOps::identity(first);
  }
  if (!first.node)
    return {};
  Output most = cast(maxVal, first.dtype());
  images.maxVal = convertImageDType(most, DType::Float32);
  images.first = convertImageDType(first, DType::Float32);
  images.second = convertImageDType(second, DType::Float32);
  return images;
}

/// **Source**: image_ops_impl._fspecial_gauss.
Output gaussianKernel(const Output &size, const Output &sigma) {
  Output places = cast(range(size), sigma.dtype());
  Output middle = cast(size - 1, sigma.dtype()) / 2.0;
  places = places - middle;
  Output g = squareOf(places);
  g = g * (-0.5 / squareOf(sigma));
  Output row = rawOps::reshape(g, {1, -1});
  g = row + rawOps::reshape(g, {-1, 1});
  g = softmax(rawOps::reshape(g, {1, -1}));
  return rawOps::reshape(g, {size, size, 1, 1});
}

/// A convolution of each channel. **Source**: tf.nn.depthwise_conv2d without
/// dilations, "depthwise". The filter's shape is a constant only where
/// TensorFlow knows it.
Output ofEachChannel(const Output &x, const Output &filter,
                     bool isFilterKnown) {
  Input image = x, kernel = filter;
  FunctionScope scope("", "depthwise", {&image, &kernel});
  // TensorFlow adds both without a use for them.
  shape(filter, {.optimize = isFilterKnown});
  convert({1, 1}, "dilation_rate");
  return rawOps::depthwiseConv2dNative(x, filter, {1, 1, 1, 1}, "VALID",
                                       {.name = scope});
}

/// The weighted means of each window of images.
Output windowMeans(const Output &x, const Output &kernel) {
  Output extents = shape(x);
  Output flat = rawOps::reshape(
      x, concat({Input(Input::List{-1}), extents[{sliceFrom(-3)}]}, 0));
  Output y = ofEachChannel(flat, kernel, false);
  Output outer = extents[{sliceTo(-3)}];
  return rawOps::reshape(y, concat({outer, shape(y)[{sliceFrom(1)}]}, 0));
}

struct Similarity {
  Output index, contrast; ///< [..., channels]
};

/// **Source**: image_ops_impl._ssim_helper.
Similarity similarityOfWindows(const Output &x, const Output &y,
                               const Output &kernel, const Output &maxVal,
                               const SsimOptions &options) {
  auto constantOf = [&](double k) {
    return pow(k * maxVal, 2, {.name = "pow"});
  };
  Output c1 = constantOf(options.k1), c2 = constantOf(options.k2);
  Output mean0 = windowMeans(x, kernel), mean1 = windowMeans(y, kernel);
  Output num0 = mean0 * mean1 * 2.0;
  Output square0 = squareOf(mean0);
  Output den0 = square0 + squareOf(mean1);
  Output above = num0 + c1;
  Output luminance = above / (den0 + c1);
  Output num1 = windowMeans(x * y, kernel) * 2.0;
  Output squares = squareOf(x);
  Output den1 = windowMeans(squares + squareOf(y), kernel);
  c2 = c2 * 1.0; // the compensation, which is none
  Output upper = num1 - num0 + c2;
  return {luminance, upper / (den1 - den0 + c2)};
}

/// **Source**: image_ops_impl._ssim_per_channel.
Similarity similarity(const Output &img1, const Output &img2,
                      const Output &maxVal, const SsimOptions &options) {
  Output size = constant(options.filterSize, {.dtype = DType::Int32});
  Output sigma = constant(options.filterSigma, {.dtype = DType::Float32});
  std::vector<Output> shapes = rawOps::shapeN({img1, img2});
  if (shapes.size() != 2)
    return {};
  std::vector<ControlInput> checks;
  for (const Output &shape : shapes) {
    Output sides = shape[{kiln::slice(-3, -1)}];
    Output fit = reduceAll(rawOps::greaterEqual(sides, size));
    checks.push_back(assertThat(fit, {shape, size}, {.summarize = 8}));
  }
  Output first;
  {
    ControlScope checked(checks);
    first = rawOps::identity(img1);
  }
  Output kernel = gaussianKernel(size, sigma);
  kernel = rawOps::tile(kernel, {1, 1, shapes[0][-1], 1});
  auto [luminance, contrast] =
      similarityOfWindows(first, img2, kernel, maxVal, options);
  Output axes = constant({-3, -2}, {.dtype = DType::Int32});
  Output index = reduceMeanOver(luminance * contrast, axes);
  return {index, reduceMeanOver(contrast, axes)};
}

/// Half the size of each image: a mean of four elements, the last row and
/// column twice where their number is odd.
struct Scale {
  std::vector<Output> images, heads, tails;

  void halve(const Output &divisors) {
    std::vector<Output> flat;
    for (size_t i = 0; i < images.size(); ++i)
      flat.push_back(rawOps::reshape(
          images[i], concat({Input(Input::List{-1}), tails[i]}, 0)));
    Output remainder = tails[0] % divisors;
    Output isOdd = reduceAny(rawOps::notEqual(remainder, 0));
    Outputs padded = cond(
        isOdd,
        [&] {
          Output paddings = pad(expandDims(remainder, -1), {{1, 0}, {1, 0}});
          Outputs all;
          for (const Output &image : flat)
            all.push_back(pad(image, paddings, {.mode = "SYMMETRIC"}));
          return all;
        },
        [&] { return Outputs(flat); });
    std::vector<Output> halved;
    for (const Output &image : padded)
      halved.push_back(avgPool(image, {1, 2, 2, 1}, {1, 2, 2, 1}, "VALID"));
    if (halved.size() != images.size())
      return;
    std::vector<Output> shapes = rawOps::shapeN(halved);
    for (size_t i = 0; i < shapes.size(); ++i)
      tails[i] = shapes[i][{sliceFrom(1)}];
    for (size_t i = 0; i < shapes.size(); ++i)
      images[i] = rawOps::reshape(halved[i], concat({heads[i], tails[i]}, 0));
  }
};

} // namespace

Output totalVariation(const Input &images, const OpOptions &options) {
  FunctionScope scope(options.name, "total_variation", {&images});
  Output x = valueOf(images);
  if (!x.node)
    return {};
  const int rank = x.shape().rank();
  if (rank != 3 && rank != 4)
    return failed(
        invalidArgumentError("'images' must be either 3 or 4-dimensional."),
        scope);
  Output ofRows = differences(x, rank - 3);
  Output ofColumns = differences(x, rank - 2);
  auto sumOf = [&](const Output &part) {
    Output sizes = abs(part);
    return rank == 3 ? reduceSum(sizes) : reduceSum(sizes, {1, 2, 3});
  };
  Output sum = sumOf(ofRows);
  return sum + sumOf(ofColumns);
}

Output psnr(const Input &a, const Input &b, const Input &maxVal,
            const OpOptions &options) {
  FunctionScope scope(options.name, "PSNR", {&a, &b});
  Output x = valueOf(a), y = valueOf(b);
  if (!x.node || !y.node)
    return {};
  Output most = convertImageDType(cast(maxVal, x.dtype()), DType::Float32);
  x = convertImageDType(x, DType::Float32);
  y = convertImageDType(y, DType::Float32);
  Output error = reduceMean(rawOps::squaredDifference(x, y), {-3, -2, -1});
  Output signal = 20 * rawOps::log(most);
  signal = signal / rawOps::log(10.0);
  const float decibel = static_cast<float>(10 / std::log(10.0));
  Output ratio =
      subtract(signal, decibel * rawOps::log(error), {.name = "psnr"});
  ShapesOfBoth shapes = shapesOf(x, y, scope);
  if (!shapes.first.node)
    return {};
  ControlScope checked(shapes.checks);
  return rawOps::identity(ratio);
}

Output ssim(const Input &img1, const Input &img2, const Input &maxVal,
            const SsimOptions &options) {
  FunctionScope scope("", "SSIM", {&img1, &img2});
  Images images = comparedImages(img1, img2, maxVal, scope);
  if (!images.first.node)
    return {};
  Similarity ofChannels =
      similarity(images.first, images.second, images.maxVal, options);
  return reduceMean(ofChannels.index, {-1});
}

Output ssimMultiscale(const Input &img1, const Input &img2, const Input &maxVal,
                      const SsimMultiscaleOptions &options) {
  FunctionScope scope("", "MS-SSIM", {&img1, &img2});
  Images images = comparedImages(img1, img2, maxVal, scope);
  if (!images.first.node)
    return {};
  Scale scale{{images.first, images.second}, {}, {}};
  for (const Output &shape : {images.shapes.first, images.shapes.second})
    scale.heads.push_back(shape[{sliceTo(-3)}]);
  for (const Output &shape : {images.shapes.first, images.shapes.second})
    scale.tails.push_back(shape[{sliceFrom(-3)}]);
  Output divisors = constant({2, 2, 1}, {.dtype = DType::Int32});
  std::vector<Input> factors;
  Similarity last;
  for (size_t k = 0; k < options.powerFactors.size(); ++k) {
    NameScope step(strCat("Scale", k));
    if (k > 0)
      scale.halve(divisors);
    last = similarity(scale.images[0], scale.images[1], images.maxVal,
                      {.filterSize = options.filterSize,
                       .filterSigma = options.filterSigma,
                       .k1 = options.k1,
                       .k2 = options.k2});
    factors.push_back(rawOps::relu(last.contrast));
  }
  if (factors.empty())
    return failed(invalidArgumentError("pop from empty list"), scope);
  factors.back() = rawOps::relu(last.index);
  Output all = stack(factors, {.axis = -1});
  Output product = reduceProd(pow(all, options.powerFactors), {-1});
  return reduceMean(product, {-1});
}

ImageGradients imageGradients(const Input &image) {
  GraphScope graph(builderOf(image));
  Output x = valueOf(image);
  if (!x.node)
    return {};
  if (x.shape().rank() != 4) {
    failed(
        invalidArgumentError(strCat(
            "image_gradients expects a 4D tensor [batch_size, h, w, d], not ",
            x.shape().toTupleString(), ".")),
        x.node->name());
    return {};
  }
  Output extents = shape(x);
  std::vector<Output> parts = unstack(extents);
  if (parts.size() != 4)
    return {};
  Output dy = differences(x, 1), dx = differences(x, 2);
  auto filled = [&](const Output &part, int64_t axis) {
    std::vector<Input> shape(parts.begin(), parts.end());
    shape[static_cast<size_t>(axis)] = 1;
    Output none = zeros(stack(shape), {.dtype = x.dtype()});
    return rawOps::reshape(concat({part, none}, axis), extents);
  };
  dy = filled(dy, 1);
  dx = filled(dx, 2);
  return {dy, dx};
}

Output sobelEdges(const Input &image) {
  GraphScope graph(builderOf(image));
  Output x = valueOf(image);
  if (!x.node)
    return {};
  Output extents = shape(x);
  // [3, 3, 1, 2]: the filter of rows beside that of columns.
  Output filters =
      constant({-1, -1, -2, 0, -1, 1, 0, -2, 0, 0, 0, 2, 1, -1, 2, 0, 1, 1},
               {.dtype = x.dtype(), .shape = Shape{3, 3, 1, 2}});
  filters =
      rawOps::tile(filters, {1, 1, extents[-1], 1}, {.name = "sobel_filters"});
  Output padded = pad(x, {{0, 0}, {1, 1}, {1, 1}, {0, 0}}, {.mode = "REFLECT"});
  Output edges = ofEachChannel(padded, filters, true);
  Output result = concat({extents, Input(Input::List{2})}, 0);
  Shape known = x.shape();
  if (known.hasRank())
    known.appendDim(2);
  return withShape(known, [&] { return rawOps::reshape(edges, result); });
}

} // namespace kiln::ops
