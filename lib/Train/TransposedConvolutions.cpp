// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transposed convolutions, as TensorFlow's Python adds them.
#include "kiln/Operators.h"
#include "kiln/VolumeLayers.h"
#include "kiln/ops/Array.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/Convolution.h"
#include "kiln/ops/ConvolutionOps.h"
#include "kiln/ops/NnOps.h"
#include "lib/Support/CheckedMath.h"
#include "lib/Support/Strings.h"
#include "lib/Train/LayerHelpers.h"

namespace kiln::layers {
namespace {

std::string kindOf(std::string kind, size_t axes) {
  return kind.empty() ? strCat("Conv", axes, "DTranspose") : kind;
}

/// What "valid" adds to the extent times the stride.
int64_t addedBy(const std::string &padding, int64_t size, int64_t stride) {
  return padding == "valid" ? std::max<int64_t>(size - stride, 0) : 0;
}

std::string rankError(size_t rank, const Shape &input) {
  return strCat("Inputs should have rank ", rank,
                ". Received input shape: ", input.toTupleString());
}

} // namespace

TransposedConvolution::TransposedConvolution(int64_t filters,
                                             std::vector<int64_t> size,
                                             const ConvolutionOptions &options,
                                             std::string kind)
    : Layer(kindOf(std::move(kind), size.size()), commonOptions(options)),
      filters(filters), kernelSize(std::move(size)), options(options) {
  setInputSpec({InputSpec{.rank = static_cast<int>(kernelSize.size()) + 2}});
}

void TransposedConvolution::build(const Shape &input) {
  const size_t axes = kernelSize.size();
  ConvolutionChecks checks(kernelSize, options, false);
  if (!checks.error.empty() || axes < 2 || axes > 3) {
    refuse(checks.error.empty() ? "expected a kernel of two or three axes"
                                : checks.error);
    return;
  }
  const int rank = static_cast<int>(axes) + 2;
  if (input.rank() != rank) {
    refuse(rankError(axes + 2, input));
    return;
  }
  const int64_t channels = input.dim(checks.isLast ? rank - 1 : 1);
  if (channels < 0) {
    refuse("The channel dimension of the inputs should be defined. Found "
           "`None`.");
    return;
  }
  setInputSpec(
      {InputSpec{.rank = rank, .axes = {{checks.isLast ? -1 : 1, channels}}}});
  std::vector<int64_t> extents = kernelSize;
  // It is the gradient of a convolution from the filters to the channels.
  extents.insert(extents.end(), {filters, channels});
  kernel = addWeight("kernel", Shape(extents), kernelOptions(options));
  if (options.useBias)
    bias = addWeight("bias", {filters}, biasOptions(options));
}

namespace {

/// The extents of the result of an image: numbers where they are known.
std::optional<std::vector<Input>>
imageExtents(const Output &x, const Output &shape, const ConvolutionChecks &is,
             const std::vector<int64_t> &size, const std::string &padding) {
  std::array<int64_t, 2> known;
  std::array<Output, 2> extents;
  for (int i = 0; i < 2; ++i) {
    int axis = i + (is.isLast ? 1 : 2);
    known[i] = x.shape().dim(axis);
    if (known[i] < 0)
      extents[i] = shape[axis];
  }
  std::vector<Input> all{0, 0};
  for (size_t i = 0; i < 2; ++i) {
    const int64_t stride = is.strides[i];
    const int64_t rest = addedBy(padding, size[i], stride);
    if (known[i] >= 0) {
      CheckedInt64 extent = CheckedInt64(known[i]) * stride + rest;
      if (!extent.value())
        return std::nullopt;
      all[i] = *extent.value();
    } else {
      extents[i] = extents[i] * stride;
      all[i] = padding == "valid" ? extents[i] + rest : extents[i];
    }
  }
  return all;
}

/// Of an image. **Source**: backend.conv2d_transpose.
Output transposedImage(Output x, const Weight &kernel, Output resultShape,
                       const ConvolutionChecks &is,
                       const std::string &padding) {
  // Where there is no GPU, TensorFlow convolves with the channels last.
  if (!is.isLast) {
    x = ops::transpose(x, {0, 2, 3, 1});
    Output whole = resultShape;
    Output parts[] = {whole[0], whole[2], whole[3], whole[1]};
    resultShape = ops::stack({parts[0], parts[1], parts[2], parts[3]});
  } else {
    resultShape[0]; // TensorFlow adds it without a use for it
  }
  Output value = ops::conv2DTranspose(
      x, kernel, resultShape, ofSpace(is.strides, true), upper(padding));
  return is.isLast ? value : ops::transpose(value, {0, 3, 1, 2});
}

Output transposedVolume(const Output &x, const Weight &kernel,
                        const Output &resultShape, const ConvolutionChecks &is,
                        const std::string &padding) {
  NameScope scope("conv3d_transpose");
  return rawOps::conv3DBackpropInputV2(
      resultShape, kernel, x, ofSpace(is.strides, is.isLast), upper(padding),
      {.dataFormat = is.isLast ? "NDHWC" : "NCDHW", .name = scope.name()});
}

} // namespace

Output TransposedConvolution::call(const Output &inputs, const Input &) {
  ConvolutionChecks checks(kernelSize, options, false);
  if (!checks.error.empty())
    return refuse(checks.error);
  if (!kernel.isValid())
    return {};
  const bool isLast = checks.isLast;
  const size_t axes = kernelSize.size();
  Output shape = ops::shape(inputs);
  Output batch = shape[0];
  std::vector<Input> extents;
  if (axes == 2) {
    auto found =
        imageExtents(inputs, shape, checks, kernelSize, options.padding);
    if (!found)
      return refuse("expected extents that fit into a shape");
    extents = *std::move(found);
  } else {
    std::vector<Output> of;
    for (size_t i = 0; i < axes; ++i)
      of.push_back(shape[static_cast<int64_t>(i) + (isLast ? 1 : 2)]);
    for (size_t i = 0; i < axes; ++i) {
      const int64_t stride = checks.strides[i];
      Output extent = of[i] * stride;
      if (options.padding == "valid")
        extent = extent + addedBy(options.padding, kernelSize[i], stride);
      extents.push_back(extent);
    }
  }
  std::vector<Input> result{batch};
  if (!isLast)
    result.push_back(filters);
  result.insert(result.end(), extents.begin(), extents.end());
  if (isLast)
    result.push_back(filters);
  Output resultShape = ops::stack(result);
  Output value = axes == 2 ? transposedImage(inputs, kernel, resultShape,
                                             checks, options.padding)
                           : transposedVolume(inputs, kernel, resultShape,
                                              checks, options.padding);
  if (std::optional<Shape> known = outputShape(inputs.shape());
      known && value.node)
    GraphBuilder::current().setShape(value, *known);
  if (options.useBias)
    value = ops::biasAdd(value, bias, {.dataFormat = isLast ? "NHWC" : "NCHW"});
  return activated(value, options.activation);
}

std::optional<Shape>
TransposedConvolution::outputShape(const Shape &input) const {
  ConvolutionChecks checks(kernelSize, options, false);
  const size_t axes = kernelSize.size();
  if (!checks.error.empty() || input.rank() != static_cast<int>(axes) + 2)
    return std::nullopt;
  Shape shape = input;
  for (size_t i = 0; i < axes; ++i) {
    const int axis = static_cast<int>(i) + (checks.isLast ? 1 : 2);
    const int64_t stride = checks.strides[i];
    if (input.dim(axis) >= 0)
      shape.setDim(axis, input.dim(axis) * stride +
                             addedBy(options.padding, kernelSize[i], stride));
  }
  shape.setDim(checks.isLast ? shape.rank() - 1 : 1, filters);
  return shape;
}

Output conv2DTranspose(const Input &inputs, int64_t filters,
                       std::array<int64_t, 2> size,
                       const Conv2DTransposeOptions &options) {
  return applied(
      TransposedConvolution(filters, {size.begin(), size.end()}, options),
      inputs);
}

Output conv3DTranspose(const Input &inputs, int64_t filters,
                       std::array<int64_t, 3> size,
                       const Conv3DOptions &options) {
  return applied(
      TransposedConvolution(filters, {size.begin(), size.end()}, options),
      inputs);
}

} // namespace kiln::layers
