// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions as TensorFlow's Python functions add them.
#include "kiln/ops/ConvolutionOps.h"

#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/ops/Array.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/Convolution.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/Pooling.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Build/Ops/Windows.h"
#include "lib/Build/VariableData.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln::ops {
namespace {

Shape shapeOf(const Input &input) {
  if (const Output *tensor = input.output())
    return tensor->node ? tensor->shape() : Shape::unknownRank();
  if (const auto *variable =
          std::get_if<std::shared_ptr<const VariableData>>(&input.value()))
    return (*variable)->shape;
  return Shape::unknownRank();
}

bool isTensor(const Input &input) {
  return input.output() ||
         std::holds_alternative<std::shared_ptr<const VariableData>>(
             input.value());
}

std::string orElse(const std::string &text, std::string_view otherwise) {
  return text.empty() ? std::string(otherwise) : text;
}

/// The attributes of a convolution of two axes of space.
struct Attrs2D {
  Numbers strides, dilations;
  PaddingAttrs padding;
  std::string format;
  bool useCudnn = true;
};

Output addConv2D(const Input &input, const Input &filter, const Attrs2D &attrs,
                 const std::string &name) {
  auto add = [&](const Input &x, const std::string &own) {
    return rawOps::conv2D(x, filter, attrs.strides, attrs.padding.name,
                          {.useCudnnOnGpu = attrs.useCudnn,
                           .explicitPaddings = attrs.padding.numbers,
                           .dataFormat = attrs.format,
                           .dilations = attrs.dilations,
                           .name = own});
  };
  if (shapeOf(input).rank() < 5)
    return add(input, name);
  return squeezeBatches(
      input, [&](const Output &x) { return add(x, ""); }, 3, name);
}

Output addConv3D(const Input &input, const Input &filter,
                 const Numbers &strides, const Numbers &dilations,
                 const std::string &padding, const std::string &format,
                 const std::string &name) {
  auto add = [&](const Input &x, const std::string &own) {
    return rawOps::conv3D(
        x, filter, strides, padding,
        {.dataFormat = format, .dilations = dilations, .name = own});
  };
  if (shapeOf(input).rank() < 6)
    return add(input, name);
  return squeezeBatches(
      input, [&](const Output &x) { return add(x, ""); }, 4, name);
}

StatusOr<Attrs2D> attrs2D(const Numbers &strides, const Numbers &dilations,
                          const Padding &padding, const std::string &format) {
  Attrs2D attrs{.strides = {},
                .dilations = {},
                .padding = {},
                .format = orElse(format, "NHWC")};
  KILN_ASSIGN_OR_RETURN(attrs.padding, attrsOf(padding));
  bool first = channelsFirst(attrs.format);
  KILN_ASSIGN_OR_RETURN(attrs.strides, perAxis(strides, 2, first, "strides"));
  KILN_ASSIGN_OR_RETURN(attrs.dilations,
                        perAxis(dilations, 2, first, "dilations"));
  return attrs;
}

} // namespace

Output conv2D(const Input &input, const Input &filter, const Numbers &strides,
              const Padding &padding, const Conv2DOptions &options) {
  auto attrs = attrs2D(strides, options.dilations, padding, options.dataFormat);
  if (!attrs.ok())
    return failed(attrs.status(), orElse(options.name, "Conv2D"));
  attrs->useCudnn = options.useCudnnOnGpu;
  return addConv2D(input, filter, *attrs, options.name);
}

Output conv1D(const Input &value, const Input &filters, const Numbers &stride,
              const std::string &padding, const Conv1DOptions &options) {
  FunctionScope scope(options.name, "conv1d", {&value, &filters});
  const std::string &format = options.dataFormat;
  bool isFirst = format == "NCW" || format == "NCHW";
  if (!isFirst && !format.empty() && format != "NWC" && format != "NHWC")
    return failed(invalidArgumentError(
                      strCat("`data_format` must be 'NWC' or 'NCW'. Received: "
                             "data_format=",
                             format)),
                  scope);
  auto strides = perAxis(stride, 1, isFirst, "stride");
  auto dilations = perAxis(options.dilations, 1, isFirst, "dilations");
  for (const auto *numbers : {&strides, &dilations})
    if (!numbers->ok())
      return failed(numbers->status(), scope);
  strides->insert(strides->begin(), 1);
  dilations->insert(dilations->begin(), 1);
  int64_t axis = isFirst ? -2 : -3;
  Output image = expandDims(value, axis);
  Output filter = expandDims(filters, 0);
  Output result = addConv2D(image, filter,
                            {.strides = *strides,
                             .dilations = *dilations,
                             .padding = {padding, {}},
                             .format = isFirst ? "NCHW" : "NHWC",
                             .useCudnn = options.useCudnnOnGpu},
                            scope);
  return squeeze(result, {.axis = {axis}});
}

namespace {

/// One convolution of blocks of the batch, without dilations. **Source**:
/// nn_ops._NonAtrousConvolution.
Output convolveBlocks(const Input &blocks, const Input &filter, size_t spatial,
                      const Numbers &strides, const Padding &padding,
                      const std::string &format, const std::string &name) {
  bool first = channelsFirst(format);
  if (spatial == 1)
    return conv1D(blocks, filter, strides, padding.name,
                  {.dataFormat = orElse(format, "NWC"), .name = name});
  auto all = perAxis(strides, spatial, first, "strides");
  if (!all.ok())
    return failed(all.status(), name);
  if (spatial == 2)
    return conv2D(blocks, filter, *all, padding,
                  {.dataFormat = orElse(format, "NHWC"), .name = name});
  return addConv3D(blocks, filter, *all, Numbers(5, 1), padding.name,
                   orElse(format, "NDHWC"), name);
}

/// A convolution whose dilations are made of blocks of the batch. **Source**:
/// nn_ops.Convolution.
Output convolveDilated(const Input &input, const Input &filter,
                       const Padding &padding, size_t spatial, int64_t batches,
                       Numbers strides, Numbers dilations,
                       const std::string &format, const std::string &scope) {
  Shape shape = shapeOf(input), filterShape = shapeOf(filter);
  int64_t firstAxis = channelsFirst(format) ? batches + 1 : batches;
  int64_t channelAxis =
      channelsFirst(format) ? batches : batches + static_cast<int64_t>(spatial);
  int64_t channels = shape.dim(static_cast<int>(channelAxis)),
          filters = filterShape.dim(static_cast<int>(spatial));
  if (channels > 0 && filters > 0 && channels % filters != 0)
    return failed(
        invalidArgumentError(strCat(
            "The number of input channels is not divisible by the "
            "corresponding number of output filters. Received: input.shape=",
            shape.toTupleString(), " with ", channels,
            " channels and filters.shape=", filterShape.toTupleString(),
            " with ", filters, " output filters.")),
        scope);
  if (Status status = checkStrides(spatial, strides, dilations); !status.ok())
    return failed(status, scope);
  Numbers axes;
  for (size_t i = 0; i < spatial; ++i)
    axes.push_back(firstAxis + static_cast<int64_t>(i));
  SpaceToBatchOptions options{.spatialDims = axes, .dataFormat = format};
  if (filterShape.hasRank())
    options.filterShape = filterShape;
  return withSpaceToBatch(
      input, dilations, padding,
      [&](const Output &blocks, int64_t, const Padding &own) {
        return convolveBlocks(blocks, filter, spatial, strides, own, format,
                              scope);
      },
      options);
}

} // namespace

Output convolution(const Input &input, const Input &filter,
                   const Padding &padding, const ConvolutionOptions &options) {
  GraphScope graph(builderOf(input.output() ? input : filter));
  Input x = input, weights = filter;
  for (auto [value, name] :
       {std::pair(&weights, "filters"), std::pair(&x, "input")})
    if (!isTensor(*value)) {
      NameScope inner("convolution_internal");
      *value = convert(*value, name);
    }
  int inputRank = shapeOf(x).rank(), filterRank = shapeOf(weights).rank();
  std::string name = orElse(options.name, "convolution");
  if (inputRank < 0 && filterRank < 0)
    return failed(
        invalidArgumentError(
            "When `num_spatial_dims` is not set, one of `input.shape.rank` or "
            "`filters.shape.rank` must be known. Received: input.shape="
            "<unknown> of rank None and filters.shape=<unknown> of rank None"),
        name);
  int spatial = (filterRank > 0 ? filterRank : inputRank) - 2;
  int64_t batches = inputRank > 0 ? inputRank - spatial - 1 : 1;
  if (spatial < 1 || spatial > 3)
    return failed(invalidArgumentError(
                      strCat("`num_spatial_dims` must be 1, 2, or 3. Received: "
                             "num_spatial_dims=",
                             spatial, ".")),
                  name);
  const std::string &format = options.dataFormat;
  bool first = channelsFirst(format);
  auto count = static_cast<size_t>(spatial);
  auto dilations = perAxis(options.dilationRate, count, first, "dilations");
  auto strides = perAxis(options.strides, count, first, "strides");
  for (const auto *numbers : {&dilations, &strides})
    if (!numbers->ok())
      return failed(numbers->status(), name);
  NameScope scope(options.name, "convolution");
  if (std::ranges::all_of(*dilations, [](int64_t n) { return n == 1; })) {
    if (spatial == 1)
      return conv1D(x, weights, *strides, padding.name,
                    {.dataFormat = format,
                     .name = scope.name(),
                     .dilations = *dilations});
    if (spatial == 3)
      return addConv3D(x, weights, *strides, *dilations, padding.name,
                       orElse(format, "NDHWC"), scope.name());
    auto attrs = attrs2D(*strides, *dilations, padding, format);
    if (!attrs.ok())
      return failed(attrs.status(), scope.name());
    return addConv2D(x, weights, *attrs, scope.name());
  }
  auto inner = [&](const Numbers &all) {
    auto begin = all.begin() + (first ? 2 : 1);
    return Numbers(begin, begin + spatial);
  };
  return convolveDilated(x, weights, padding, count, batches, inner(*strides),
                         inner(*dilations), format, scope.name());
}

Output atrousConv2D(const Input &value, const Input &filters, int64_t rate,
                    const Padding &padding, const OpOptions &options) {
  return convolution(value, filters, padding,
                     {.dilationRate = {rate, rate}, .name = options.name});
}

namespace {

/// A convolution of each channel, dilated by blocks of the batch.
Output depthwise(const Output &input, const Output &filter,
                 const Numbers &strides, const Padding &padding,
                 const DepthwiseConv2DOptions &options,
                 const std::string &name) {
  if (!input.node || !filter.node)
    return {};
  Output filterShape = shape(filter);
  return withSpaceToBatch(
      input, options.rate.empty() ? Numbers{1, 1} : options.rate, padding,
      [&](const Output &blocks, int64_t, const Padding &own) -> Output {
        auto attrs = attrsOf(own);
        if (!attrs.ok())
          return failed(attrs.status(), name);
        return rawOps::depthwiseConv2dNative(
            blocks, filter, strides, attrs->name,
            {.explicitPaddings = attrs->numbers,
             .dataFormat = orElse(options.dataFormat, "NHWC"),
             .name = name});
      },
      {.filterShape = filterShape, .dataFormat = options.dataFormat});
}

} // namespace

Output depthwiseConv2D(const Input &input, const Input &filter,
                       const Numbers &strides, const Padding &padding,
                       const DepthwiseConv2DOptions &options) {
  FunctionScope scope(options.name, "depthwise", {&input, &filter});
  Output x = convert(input, "tensor_in");
  return depthwise(x, convert(filter, "filter_in"), strides, padding, options,
                   scope);
}

Output separableConv2D(const Input &input, const Input &depthwiseFilter,
                       const Input &pointwiseFilter, const Numbers &strides,
                       const Padding &padding,
                       const DepthwiseConv2DOptions &options) {
  FunctionScope scope(options.name, "separable_conv2d",
                      {&input, &depthwiseFilter, &pointwiseFilter});
  Output x = convert(input, "tensor_in");
  Output first = convert(depthwiseFilter, "depthwise_filter");
  Output second = convert(pointwiseFilter, "pointwise_filter");
  if (!second.node)
    return {};
  Output ofChannels =
      depthwise(x, first, strides, padding, options, "depthwise");
  return conv2D(ofChannels, second, {1, 1, 1, 1}, "VALID",
                {.dataFormat = options.dataFormat, .name = scope});
}

Output erosion2D(const Input &value, const Input &kernel,
                 const Numbers &strides, const Numbers &rates,
                 const std::string &padding, const OpOptions &options) {
  FunctionScope scope(options.name, "erosion2d", {&value, &kernel});
  Output negative = rawOps::neg(value);
  Output reversed = rawOps::reverseV2(kernel, {0, 1});
  return rawOps::neg(rawOps::dilation2D(negative, reversed, strides, rates,
                                        padding, {.name = scope}));
}

} // namespace kiln::ops
