// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions over one to three axes of space, as TensorFlow's Python adds
// them.
#include "kiln/Operators.h"
#include "kiln/VolumeLayers.h"
#include "kiln/ops/Array.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/Convolution.h"
#include "kiln/ops/ConvolutionOps.h"
#include "kiln/ops/NnOps.h"
#include "lib/Support/Strings.h"
#include "lib/Train/LayerHelpers.h"

namespace kiln::layers {
namespace {

std::string kindOf(std::string kind, size_t axes, const char *behind = "") {
  return kind.empty() ? strCat("Conv", axes, "D", behind) : kind;
}

/// With zeros before the first element, so that none depends on later ones.
Output paddedBefore(const Output &x, int64_t count, bool isLast) {
  Input none{0, 0}, before{count, 0};
  return ops::pad(x, isLast ? Input{none, before, none}
                            : Input{none, none, before});
}

/// A bias for each channel of the second axis, of a sequence.
Output addedToSequence(const Output &x, const Weight &bias, int64_t filters) {
  Output row = ops::reshape(bias, Input{1, filters, 1});
  return x + row;
}

} // namespace

Convolution::Convolution(int64_t filters, std::vector<int64_t> size,
                         const ConvolutionOptions &options, std::string kind)
    : Layer(kindOf(std::move(kind), size.size()), commonOptions(options)),
      filters(filters), kernelSize(std::move(size)), options(options) {
  setInputSpec({InputSpec{.rank = static_cast<int>(kernelSize.size()) + 2}});
}

void Convolution::build(const Shape &input) {
  const int axes = static_cast<int>(kernelSize.size());
  ConvolutionChecks checks(kernelSize, options, axes == 1);
  if (!checks.error.empty() || axes < 1 || axes > 3) {
    refuse(checks.error.empty() ? "expected a kernel of one to three axes"
                                : checks.error);
    return;
  }
  const int axis = checks.isLast ? -1 : 1;
  const int64_t channels = input.dim(checks.isLast ? axes + 1 : 1);
  if (channels < 0) {
    refuse("The channel dimension of the inputs should be defined. Found "
           "`None`.");
    return;
  }
  setInputSpec({InputSpec{.rank = axes + 2, .axes = {{axis, channels}}}});
  std::vector<int64_t> extents = kernelSize;
  extents.insert(extents.end(), {channels, filters});
  kernel = addWeight("kernel", Shape(extents), kernelOptions(options));
  if (options.useBias)
    bias = addWeight("bias", {filters}, biasOptions(options));
}

Output Convolution::call(const Output &inputs, const Input &) {
  const size_t axes = kernelSize.size();
  ConvolutionChecks checks(kernelSize, options, axes == 1);
  if (!checks.error.empty())
    return refuse(checks.error);
  if (!kernel.isValid())
    return {};
  const bool isLast = checks.isLast;
  Output x = inputs;
  std::string padding = upper(options.padding);
  if (options.padding == "causal") {
    x = paddedBefore(x, checks.dilations[0] * (kernelSize[0] - 1), isLast);
    padding = "VALID";
  }
  const char *formats[][2] = {
      {"NCW", "NWC"}, {"NCHW", "NHWC"}, {"NCDHW", "NDHWC"}};
  Output result =
      ops::convolution(x, kernel, padding,
                       {.strides = checks.strides,
                        .dilationRate = checks.dilations,
                        .name = kind() == "Conv1D" ? "conv1d" : kind(),
                        .dataFormat = formats[axes - 1][isLast]});
  if (options.useBias)
    result = axes == 1 && !isLast
                 ? addedToSequence(result, bias, filters)
                 : ops::biasAdd(result, bias,
                                {.dataFormat = isLast ? "NHWC" : "NCHW"});
  if (std::optional<Shape> shape = outputShape(inputs.shape());
      shape && result.node)
    GraphBuilder::current().setShape(result, *shape);
  return activated(result, options.activation);
}

std::optional<Shape> Convolution::outputShape(const Shape &input) const {
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

Output conv1D(const Input &inputs, int64_t filters, int64_t size,
              const Conv1DOptions &options) {
  return applied(Convolution(filters, {size}, options), inputs);
}

Output conv2D(const Input &inputs, int64_t filters, std::array<int64_t, 2> size,
              const Conv2DOptions &options) {
  return applied(Convolution(filters, {size.begin(), size.end()}, options),
                 inputs);
}

Output conv3D(const Input &inputs, int64_t filters, std::array<int64_t, 3> size,
              const Conv3DOptions &options) {
  return applied(Convolution(filters, {size.begin(), size.end()}, options),
                 inputs);
}

} // namespace kiln::layers
