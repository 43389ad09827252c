// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layers of sequences and volumes, as TensorFlow's Python adds them.
#include "kiln/VolumeLayers.h"

#include "kiln/Operators.h"
#include "kiln/ops/Array.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/Convolution.h"
#include "kiln/ops/ConvolutionOps.h"
#include "kiln/ops/NnOps.h"
#include "kiln/ops/Pooling.h"
#include "kiln/ops/PoolingOps.h"
#include "lib/Support/Strings.h"
#include "lib/Train/LayerScope.h"

namespace kiln::layers {
namespace {

/// Five numbers, the middle ones or the last three of a volume's axes.
std::vector<int64_t> ofVolume(std::array<int64_t, 3> each, bool isLast) {
  if (isLast)
    return {1, each[0], each[1], each[2], 1};
  return {1, 1, each[0], each[1], each[2]};
}

/// The kernel of a convolution over volumes: last come `in` and `out`.
Shape kernelShape(std::array<int64_t, 3> size, int64_t in, int64_t out) {
  return {size[0], size[1], size[2], in, out};
}

/// A bias for each channel: BiasAdd has formats of images alone.
std::string biasFormat(bool isLast) { return isLast ? "NHWC" : "NCHW"; }

} // namespace

Output separableConv1D(const Input &inputs, int64_t filters, int64_t size,
                       const SeparableConv1DOptions &options) {
  LayerScope layer(inputs, options.name, "separable_conv1d", options.reuse);
  if (!layer.check(3, false, -1))
    return {};
  int64_t channels = layer.inputs.shape().dim(2);
  std::optional<int32_t> between =
      extentOf(std::array{channels, options.depthMultiplier});
  if (!between || *between <= 0)
    return layer.refuse(
        strCat("expected a positive number of channels between the two "
               "convolutions, got ",
               channels, " * ", options.depthMultiplier));
  Weight depthwise = layer.weight(
      "depthwise_kernel", {.shape = {size, channels, options.depthMultiplier},
                           .initializer = options.depthwiseInitializer,
                           .regularizer = options.depthwiseRegularizer,
                           .constraint = options.depthwiseConstraint,
                           .trainable = options.trainable});
  Weight pointwise = layer.weight("pointwise_kernel",
                                  {.shape = {1, *between, filters},
                                   .initializer = options.pointwiseInitializer,
                                   .regularizer = options.pointwiseRegularizer,
                                   .constraint = options.pointwiseConstraint,
                                   .trainable = options.trainable});
  Weight bias = biasOf(layer, filters, options);
  if (!depthwise.isValid() || !pointwise.isValid())
    return {};
  Output image = ops::expandDims(layer.inputs, 1);
  Output first = ops::expandDims(depthwise, 0);
  Output second = ops::expandDims(pointwise, 0);
  Output result = ops::separableConv2D(image, first, second,
                                       {1, options.stride, options.stride, 1},
                                       upper(options.padding));
  if (options.useBias)
    result = ops::biasAdd(result, bias);
  result = ops::squeeze(result, {.axis = {1}});
  return options.activation && result.node ? options.activation(result)
                                           : result;
}

Output conv3D(const Input &inputs, int64_t filters,
              std::array<int64_t, 3> kernelSize, const Conv3DOptions &options) {
  LayerScope layer(inputs, options.name, "conv3d", options.reuse);
  std::optional<bool> isLast = channelsAreLast(layer, options.dataFormat);
  if (!isLast || !layer.check(5, false, *isLast ? -1 : 1))
    return {};
  const Output &x = layer.inputs;
  Weight kernel = kernelOf(
      layer, kernelShape(kernelSize, x.shape().dim(*isLast ? 4 : 1), filters),
      options);
  Weight bias = biasOf(layer, filters, options);
  if (!kernel.isValid())
    return {};
  Output result = rawOps::conv3D(
      x, kernel, ofVolume(options.strides, *isLast), upper(options.padding),
      {.dataFormat = *isLast ? "NDHWC" : "NCDHW",
       .dilations = ofVolume(options.dilationRate, *isLast)});
  return finished(result, bias, options, biasFormat(*isLast));
}

Output conv3DTranspose(const Input &inputs, int64_t filters,
                       std::array<int64_t, 3> kernelSize,
                       const Conv3DOptions &options) {
  LayerScope layer(inputs, options.name, "conv3d_transpose", options.reuse);
  std::optional<bool> isLast = channelsAreLast(layer, options.dataFormat);
  if (!isLast || !layer.check(5, false, *isLast ? -1 : 1))
    return {};
  const Output &x = layer.inputs;
  Weight kernel = kernelOf(
      layer, kernelShape(kernelSize, filters, x.shape().dim(*isLast ? 4 : 1)),
      options);
  Weight bias = biasOf(layer, filters, options);
  if (!kernel.isValid())
    return {};
  Output shape = ops::shape(x);
  Output batch = shape[0];
  std::array<Output, 3> extents;
  for (int i = 0; i < 3; ++i)
    extents[i] = shape[i + (*isLast ? 1 : 2)];
  for (size_t i = 0; i < 3; ++i) {
    int64_t stride = options.strides[i];
    extents[i] = extents[i] * stride;
    if (options.padding == "valid")
      extents[i] = extents[i] + std::max<int64_t>(kernelSize[i] - stride, 0);
  }
  std::vector<Input> result{batch, extents[0], extents[1], extents[2], filters};
  if (!*isLast)
    result = {batch, filters, extents[0], extents[1], extents[2]};
  Output resultShape = ops::stack(result);
  Output value;
  {
    NameScope scope("conv3d_transpose");
    value = rawOps::conv3DBackpropInputV2(
        resultShape, kernel, x, ofVolume(options.strides, *isLast),
        upper(options.padding),
        {.dataFormat = *isLast ? "NDHWC" : "NCDHW", .name = scope.name()});
  }
  return finished(value, bias, options, biasFormat(*isLast));
}

namespace {

template <class Pool>
Output pool1D(const Input &inputs, int64_t poolSize, int64_t stride,
              const PoolingOptions &options, const char *kind, Pool pool) {
  LayerScope layer(inputs, options.name, kind);
  std::optional<bool> isLast = channelsAreLast(layer, options.dataFormat);
  if (!isLast || !layer.checkRank(3, false))
    return {};
  const int64_t axis = *isLast ? 2 : 3;
  auto sizes = [&](int64_t size) {
    return *isLast ? std::vector<int64_t>{1, size, 1, 1}
                   : std::vector<int64_t>{1, 1, size, 1};
  };
  Output image = ops::expandDims(layer.inputs, axis);
  Output pooled =
      pool(image, sizes(poolSize), sizes(stride), upper(options.padding),
           ops::PoolOptions{.dataFormat = *isLast ? "NHWC" : "NCHW"});
  return ops::squeeze(pooled, {.axis = {axis}});
}

template <class Options, class Pool>
Output pool3D(const Input &inputs, std::array<int64_t, 3> poolSize,
              std::array<int64_t, 3> strides, const PoolingOptions &options,
              const char *kind, Pool pool) {
  LayerScope layer(inputs, options.name, kind);
  std::optional<bool> isLast = channelsAreLast(layer, options.dataFormat);
  if (!isLast || !layer.checkRank(5, false))
    return {};
  Output x = layer.inputs;
  if (!*isLast)
    x = ops::transpose(x, {0, 2, 3, 4, 1});
  Output pooled = pool(x, ofVolume(poolSize, true), ofVolume(strides, true),
                       upper(options.padding), Options{});
  return *isLast ? pooled : ops::transpose(pooled, {0, 4, 1, 2, 3});
}

} // namespace

Output maxPooling1D(const Input &inputs, int64_t poolSize, int64_t stride,
                    const PoolingOptions &options) {
  return pool1D(inputs, poolSize, stride, options, "max_pooling1d",
                ops::maxPool);
}

Output averagePooling1D(const Input &inputs, int64_t poolSize, int64_t stride,
                        const PoolingOptions &options) {
  return pool1D(inputs, poolSize, stride, options, "average_pooling1d",
                ops::avgPool);
}

Output maxPooling3D(const Input &inputs, std::array<int64_t, 3> poolSize,
                    std::array<int64_t, 3> strides,
                    const PoolingOptions &options) {
  return pool3D<rawOps::MaxPool3DOptions>(inputs, poolSize, strides, options,
                                          "max_pooling3d", rawOps::maxPool3D);
}

Output averagePooling3D(const Input &inputs, std::array<int64_t, 3> poolSize,
                        std::array<int64_t, 3> strides,
                        const PoolingOptions &options) {
  return pool3D<rawOps::AvgPool3DOptions>(inputs, poolSize, strides, options,
                                          "average_pooling3d",
                                          rawOps::avgPool3D);
}

} // namespace kiln::layers
