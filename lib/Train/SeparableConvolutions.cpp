// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Separable convolutions, as TensorFlow's Python adds them.
#include "kiln/VolumeLayers.h"
#include "kiln/ops/Array.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/ConvolutionOps.h"
#include "kiln/ops/NnOps.h"
#include "lib/Support/Strings.h"
#include "lib/Train/LayerHelpers.h"

namespace kiln::layers {
namespace {

std::string kindOf(std::string kind, size_t axes) {
  return kind.empty() ? strCat("SeparableConv", axes, "D") : kind;
}

} // namespace

SeparableConvolution::SeparableConvolution(
    int64_t filters, std::vector<int64_t> size,
    const SeparableConvolutionOptions &options, std::string kind)
    : Layer(kindOf(std::move(kind), size.size()), commonOptions(options)),
      filters(filters), kernelSize(std::move(size)), options(options) {
  setInputSpec({InputSpec{.rank = static_cast<int>(kernelSize.size()) + 2}});
}

void SeparableConvolution::build(const Shape &input) {
  const size_t axes = kernelSize.size();
  const int rank = static_cast<int>(axes) + 2;
  ConvolutionChecks checks(kernelSize, options, axes == 1);
  if (!checks.error.empty() || axes < 1 || axes > 2) {
    refuse(checks.error.empty() ? "expected a kernel of one or two axes"
                                : checks.error);
    return;
  }
  const int64_t channels = input.dim(checks.isLast ? rank - 1 : 1);
  if (channels < 0) {
    refuse("The channel dimension of the inputs should be defined. Found "
           "`None`.");
    return;
  }
  std::optional<int32_t> between =
      extentOf(std::array{channels, options.depthMultiplier});
  if (!between || *between <= 0) {
    refuse(strCat("expected a positive number of channels between the two "
                  "convolutions, got ",
                  channels, " * ", options.depthMultiplier));
    return;
  }
  setInputSpec(
      {InputSpec{.rank = rank, .axes = {{checks.isLast ? -1 : 1, channels}}}});
  std::vector<int64_t> first = kernelSize, second(axes, 1);
  first.insert(first.end(), {channels, options.depthMultiplier});
  second.insert(second.end(), {*between, filters});
  depthwiseKernel = addWeight("depthwise_kernel", Shape(first),
                              {.initializer = options.depthwiseInitializer,
                               .regularizer = options.depthwiseRegularizer,
                               .constraint = options.depthwiseConstraint});
  pointwiseKernel = addWeight("pointwise_kernel", Shape(second),
                              {.initializer = options.pointwiseInitializer,
                               .regularizer = options.pointwiseRegularizer,
                               .constraint = options.pointwiseConstraint});
  if (options.useBias)
    bias = addWeight("bias", {filters}, biasOptions(options));
}

Output SeparableConvolution::call(const Output &inputs, const Input &) {
  ConvolutionChecks checks(kernelSize, options, kernelSize.size() == 1);
  if (!checks.error.empty())
    return refuse(checks.error);
  if (!depthwiseKernel.isValid() || !pointwiseKernel.isValid())
    return {};
  const bool isLast = checks.isLast;
  const bool isSequence = kernelSize.size() == 1;
  const std::string format = isLast ? "NHWC" : "NCHW";
  std::string padding = upper(options.padding);
  const int64_t axis = isLast ? 1 : 2; // of a sequence as an image of one row
  Output x = inputs;
  Input depthwise = Output(), pointwise = Output();
  std::vector<int64_t> strides = checks.strides, rate = checks.dilations;
  if (isSequence) {
    if (options.padding == "causal") {
      Input none{0, 0}, before{checks.dilations[0] * (kernelSize[0] - 1), 0};
      x = ops::pad(x, isLast ? Input{none, before, none}
                             : Input{none, none, before});
      padding = "VALID";
    }
    x = ops::expandDims(x, axis);
    depthwise = ops::expandDims(depthwiseKernel, 0);
    pointwise = ops::expandDims(pointwiseKernel, 0);
    strides = {strides[0], strides[0]};
    rate = {1, rate[0]};
  } else {
    depthwise = depthwiseKernel;
    pointwise = pointwiseKernel;
  }
  Output result =
      ops::separableConv2D(x, depthwise, pointwise, ofSpace(strides, isLast),
                           padding, {.rate = rate, .dataFormat = format});
  if (options.useBias)
    result = ops::biasAdd(result, bias, {.dataFormat = format});
  if (isSequence)
    result = ops::squeeze(result, {.axis = {axis}});
  return activated(result, options.activation);
}

std::optional<Shape>
SeparableConvolution::outputShape(const Shape &input) const {
  const size_t axes = kernelSize.size();
  ConvolutionChecks checks(kernelSize, options, axes == 1);
  if (!checks.error.empty() || input.rank() != static_cast<int>(axes) + 2)
    return std::nullopt;
  Shape shape = input;
  for (size_t i = 0; i < axes; ++i) {
    const int axis = static_cast<int>(i) + (checks.isLast ? 1 : 2);
    shape.setDim(axis,
                 windowedExtent(input.dim(axis), kernelSize[i], options.padding,
                                checks.strides[i], checks.dilations[i]));
  }
  shape.setDim(checks.isLast ? shape.rank() - 1 : 1, filters);
  return shape;
}

Output separableConv1D(const Input &inputs, int64_t filters, int64_t size,
                       const SeparableConv1DOptions &options) {
  return applied(SeparableConvolution(filters, {size}, options), inputs);
}

Output separableConv2D(const Input &inputs, int64_t filters,
                       std::array<int64_t, 2> size,
                       const SeparableConv2DOptions &options) {
  return applied(
      SeparableConvolution(filters, {size.begin(), size.end()}, options),
      inputs);
}

} // namespace kiln::layers
