// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pooling over one to three axes of space, as TensorFlow's Python adds it.
#include "kiln/VolumeLayers.h"
#include "kiln/ops/Array.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/NnOps.h"
#include "kiln/ops/Pooling.h"
#include "kiln/ops/PoolingOps.h"
#include "lib/Support/Strings.h"
#include "lib/Train/LayerHelpers.h"

namespace kiln::layers {
namespace {

std::string kindOf(std::string kind, Pooling::Of of, size_t axes) {
  return !kind.empty() ? kind
                       : strCat(of == Pooling::Of::Maxima ? "MaxPooling"
                                                          : "AveragePooling",
                                axes, "D");
}

Output pooledImage(Pooling::Of of, const Output &x,
                   const std::vector<int64_t> &size,
                   const std::vector<int64_t> &strides,
                   const std::string &padding, bool isLast) {
  ops::PoolOptions format{.dataFormat = isLast ? "NHWC" : "NCHW"};
  return of == Pooling::Of::Maxima
             ? ops::maxPool(x, ofSpace(size, isLast), ofSpace(strides, isLast),
                            padding, format)
             : ops::avgPool(x, ofSpace(size, isLast), ofSpace(strides, isLast),
                            padding, format);
}

Output pooledVolume(Pooling::Of of, const Output &inputs,
                    const std::vector<int64_t> &size,
                    const std::vector<int64_t> &strides,
                    const std::string &padding, bool isLast) {
  Output x = isLast ? inputs : ops::transpose(inputs, {0, 2, 3, 4, 1});
  Output pooled = of == Pooling::Of::Maxima
                      ? rawOps::maxPool3D(x, ofSpace(size, true),
                                          ofSpace(strides, true), padding)
                      : rawOps::avgPool3D(x, ofSpace(size, true),
                                          ofSpace(strides, true), padding);
  return isLast ? pooled : ops::transpose(pooled, {0, 4, 1, 2, 3});
}

} // namespace

Pooling::Pooling(Of of, std::vector<int64_t> poolSize,
                 std::vector<int64_t> strides, const PoolingOptions &options,
                 std::string kind)
    : Layer(kindOf(std::move(kind), of, poolSize.size()),
            commonOptions(options)),
      of(of), poolSize(std::move(poolSize)), strides(std::move(strides)),
      options(options) {
  setInputSpec(
      {InputSpec{.rank = static_cast<int>(this->poolSize.size()) + 2}});
}

Output Pooling::call(const Output &inputs, const Input &) {
  std::optional<bool> isLast = areLast(options.dataFormat);
  if (!isLast)
    return refuse(formatError(options.dataFormat));
  const size_t axes = poolSize.size();
  auto steps = perAxis(strides.empty() ? poolSize : strides, axes);
  if (!steps || axes < 1 || axes > 3)
    return refuse(
        strCat("expected sizes and strides of one to three axes, got ", axes,
               " and ", strides.size()));
  const std::string padding = upper(options.padding);
  if (axes == 3)
    return pooledVolume(of, inputs, poolSize, *steps, padding, *isLast);
  if (axes == 2)
    return pooledImage(of, inputs, poolSize, *steps, padding, *isLast);
  const int64_t axis = *isLast ? 2 : 3;
  Output image = ops::expandDims(inputs, axis);
  // A line is pooled with its channels last. **Source**: keras.backend.pool2d.
  if (!*isLast)
    image = ops::transpose(image, {0, 2, 3, 1});
  Output pooled =
      pooledImage(of, image, {poolSize[0], 1}, {(*steps)[0], 1}, padding, true);
  if (!*isLast)
    pooled = ops::transpose(pooled, {0, 3, 1, 2});
  return ops::squeeze(pooled, {.axis = {axis}});
}

std::optional<Shape> Pooling::outputShape(const Shape &input) const {
  std::optional<bool> isLast = areLast(options.dataFormat);
  auto steps = perAxis(strides.empty() ? poolSize : strides, poolSize.size());
  if (!isLast || !steps ||
      input.rank() != static_cast<int>(poolSize.size()) + 2)
    return std::nullopt;
  Shape shape = input;
  for (size_t i = 0; i < poolSize.size(); ++i) {
    const int axis = static_cast<int>(i) + (*isLast ? 1 : 2);
    shape.setDim(axis, windowedExtent(input.dim(axis), poolSize[i],
                                      options.padding, (*steps)[i]));
  }
  return shape;
}

Output maxPooling1D(const Input &inputs, int64_t poolSize, int64_t stride,
                    const PoolingOptions &options) {
  return applied(Pooling(Pooling::Of::Maxima, {poolSize}, {stride}, options),
                 inputs);
}
Output averagePooling1D(const Input &inputs, int64_t poolSize, int64_t stride,
                        const PoolingOptions &options) {
  return applied(Pooling(Pooling::Of::Averages, {poolSize}, {stride}, options),
                 inputs);
}

Output maxPooling2D(const Input &inputs, std::array<int64_t, 2> size,
                    std::array<int64_t, 2> strides,
                    const PoolingOptions &options) {
  return applied(Pooling(Pooling::Of::Maxima, {size.begin(), size.end()},
                         {strides.begin(), strides.end()}, options),
                 inputs);
}
Output averagePooling2D(const Input &inputs, std::array<int64_t, 2> size,
                        std::array<int64_t, 2> strides,
                        const PoolingOptions &options) {
  return applied(Pooling(Pooling::Of::Averages, {size.begin(), size.end()},
                         {strides.begin(), strides.end()}, options),
                 inputs);
}

Output maxPooling3D(const Input &inputs, std::array<int64_t, 3> size,
                    std::array<int64_t, 3> strides,
                    const PoolingOptions &options) {
  return applied(Pooling(Pooling::Of::Maxima, {size.begin(), size.end()},
                         {strides.begin(), strides.end()}, options),
                 inputs);
}
Output averagePooling3D(const Input &inputs, std::array<int64_t, 3> size,
                        std::array<int64_t, 3> strides,
                        const PoolingOptions &options) {
  return applied(Pooling(Pooling::Of::Averages, {size.begin(), size.end()},
                         {strides.begin(), strides.end()}, options),
                 inputs);
}

} // namespace kiln::layers
