// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layers of images, as TensorFlow's Python adds them.
#include "kiln/Operators.h"
#include "kiln/ops/Array.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/ConvolutionOps.h"
#include "kiln/ops/NnOps.h"
#include "kiln/ops/PoolingOps.h"
#include "lib/Support/CheckedMath.h"
#include "lib/Support/Strings.h"
#include "lib/Train/LayerScope.h"

namespace kiln::layers {
namespace {

/// Four numbers, the middle ones or the last two of an image's axes.
std::vector<int64_t> ofImage(std::array<int64_t, 2> pair, bool isLast) {
  if (isLast)
    return {1, pair[0], pair[1], 1};
  return {1, 1, pair[0], pair[1]};
}

} // namespace

Output conv1D(const Input &inputs, int64_t filters, int64_t size,
              const Conv1DOptions &options) {
  LayerScope layer(inputs, options.name, "conv1d", options.reuse);
  if (!layer.check(3, false, -1))
    return {};
  const Output &x = layer.inputs;
  Weight kernel = kernelOf(layer, {size, x.shape().dim(2), filters}, options);
  Weight bias = biasOf(layer, filters, options);
  if (!kernel.isValid())
    return {};
  Output result;
  {
    NameScope scope("conv1d");
    Output image = ops::expandDims(x, -3);
    Output filter = ops::expandDims(kernel, 0);
    Output found = ops::conv2D(image, filter, {1, 1, options.stride, 1},
                               upper(options.padding), {.name = scope.name()});
    result = ops::squeeze(found, {.axis = {-3}});
  }
  return finished(result, bias, options);
}

Output conv2D(const Input &inputs, int64_t filters,
              std::array<int64_t, 2> kernelSize, const Conv2DOptions &options) {
  LayerScope layer(inputs, options.name, "conv2d", options.reuse);
  std::optional<bool> isLast = channelsAreLast(layer, options.dataFormat);
  if (!isLast || !layer.check(4, false, *isLast ? -1 : 1))
    return {};
  const Output &x = layer.inputs;
  Weight kernel = kernelOf(
      layer,
      {kernelSize[0], kernelSize[1], x.shape().dim(*isLast ? 3 : 1), filters},
      options);
  Weight bias = biasOf(layer, filters, options);
  if (!kernel.isValid())
    return {};
  std::string format = *isLast ? "NHWC" : "NCHW";
  Output result = ops::conv2D(
      x, kernel, ofImage(options.strides, *isLast), upper(options.padding),
      {.dataFormat = format,
       .dilations = ofImage(options.dilationRate, *isLast)});
  return finished(result, bias, options, format);
}

Output separableConv2D(const Input &inputs, int64_t filters,
                       std::array<int64_t, 2> kernelSize,
                       const SeparableConv2DOptions &options) {
  LayerScope layer(inputs, options.name, "separable_conv2d", options.reuse);
  std::optional<bool> isLast = channelsAreLast(layer, options.dataFormat);
  if (!isLast || !layer.check(4, false, *isLast ? -1 : 1))
    return {};
  const Output &x = layer.inputs;
  int64_t channels = x.shape().dim(*isLast ? 3 : 1);
  std::optional<int32_t> between =
      extentOf(std::array{channels, options.depthMultiplier});
  if (!between || *between <= 0)
    return layer.refuse(
        strCat("expected a positive number of channels between the two "
               "convolutions, got ",
               channels, " * ", options.depthMultiplier));
  Weight depthwise = layer.weight("depthwise_kernel",
                                  {.shape = {kernelSize[0], kernelSize[1],
                                             channels, options.depthMultiplier},
                                   .initializer = options.depthwiseInitializer,
                                   .regularizer = options.depthwiseRegularizer,
                                   .constraint = options.depthwiseConstraint,
                                   .trainable = options.trainable});
  Weight pointwise = layer.weight("pointwise_kernel",
                                  {.shape = {1, 1, *between, filters},
                                   .initializer = options.pointwiseInitializer,
                                   .regularizer = options.pointwiseRegularizer,
                                   .constraint = options.pointwiseConstraint,
                                   .trainable = options.trainable});
  Weight bias = biasOf(layer, filters, options);
  if (!depthwise.isValid() || !pointwise.isValid())
    return {};
  std::string format = *isLast ? "NHWC" : "NCHW";
  Output result = ops::separableConv2D(
      x, depthwise, pointwise, ofImage(options.strides, *isLast),
      upper(options.padding), {.dataFormat = format});
  return finished(result, bias, options, format);
}

Output conv2DTranspose(const Input &inputs, int64_t filters,
                       std::array<int64_t, 2> kernelSize,
                       const Conv2DTransposeOptions &options) {
  LayerScope layer(inputs, options.name, "conv2d_transpose", options.reuse);
  std::optional<bool> isLast = channelsAreLast(layer, options.dataFormat);
  if (!isLast || !layer.check(4, false, *isLast ? -1 : 1))
    return {};
  Output x = layer.inputs;
  Weight kernel = kernelOf(
      layer,
      {kernelSize[0], kernelSize[1], filters, x.shape().dim(*isLast ? 3 : 1)},
      options);
  Weight bias = biasOf(layer, filters, options);
  if (!kernel.isValid())
    return {};
  Output shape = ops::shape(x);
  Output batch = shape[0];
  std::array<int64_t, 2> known;
  std::array<Output, 2> extents;
  for (int i = 0; i < 2; ++i) {
    int axis = i + (*isLast ? 1 : 2);
    known[i] = x.shape().dim(axis);
    if (known[i] < 0)
      extents[i] = shape[axis];
  }
  Input size[2] = {0, 0};
  for (int i = 0; i < 2; ++i) {
    int64_t stride = options.strides[i];
    int64_t rest = options.padding == "valid"
                       ? std::max<int64_t>(kernelSize[i] - stride, 0)
                       : 0;
    if (known[i] >= 0) {
      CheckedInt64 extent = CheckedInt64(known[i]) * stride + rest;
      if (!extent.value())
        return layer.refuse("expected extents that fit into a shape");
      size[i] = *extent.value();
    } else {
      extents[i] = extents[i] * stride;
      size[i] = options.padding == "valid" ? extents[i] + rest : extents[i];
    }
  }
  std::vector<Input> result{batch, size[0], size[1], filters};
  if (!*isLast)
    result = {batch, filters, size[0], size[1]};
  Output resultShape = ops::stack(result);
  std::vector<int64_t> strides = ofImage(options.strides, true);
  // Where there is no GPU, TensorFlow convolves with the channels last.
  if (!*isLast) {
    x = ops::transpose(x, {0, 2, 3, 1});
    Output whole = resultShape;
    Output parts[] = {whole[0], whole[2], whole[3], whole[1]};
    resultShape = ops::stack({parts[0], parts[1], parts[2], parts[3]});
  } else {
    resultShape[0]; // TensorFlow adds it without a use for it
  }
  Output value = ops::conv2DTranspose(x, kernel, resultShape, strides,
                                      upper(options.padding));
  if (!*isLast)
    value = ops::transpose(value, {0, 3, 1, 2});
  return finished(value, bias, options, *isLast ? "NHWC" : "NCHW");
}

namespace {

template <class Pool>
Output pooling(const Input &inputs, std::array<int64_t, 2> poolSize,
               std::array<int64_t, 2> strides, const PoolingOptions &options,
               const std::string &kind, Pool pool) {
  LayerScope layer(inputs, options.name, kind);
  std::optional<bool> isLast = channelsAreLast(layer, options.dataFormat);
  if (!isLast || !layer.inputs.node)
    return {};
  return pool(layer.inputs, ofImage(poolSize, *isLast),
              ofImage(strides, *isLast), upper(options.padding),
              ops::PoolOptions{.dataFormat = *isLast ? "NHWC" : "NCHW"});
}

} // namespace

Output maxPooling2D(const Input &inputs, std::array<int64_t, 2> poolSize,
                    std::array<int64_t, 2> strides,
                    const PoolingOptions &options) {
  return pooling(inputs, poolSize, strides, options, "max_pooling2d",
                 ops::maxPool);
}

Output averagePooling2D(const Input &inputs, std::array<int64_t, 2> poolSize,
                        std::array<int64_t, 2> strides,
                        const PoolingOptions &options) {
  return pooling(inputs, poolSize, strides, options, "average_pooling2d",
                 ops::avgPool);
}

} // namespace kiln::layers
