// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pooling as TensorFlow's Python functions add it.
#include "kiln/ops/PoolingOps.h"

#include "kiln/GraphScopes.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/Pooling.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Build/Ops/Windows.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln::ops {
namespace {

struct Window {
  Numbers ksize, strides;
  PaddingAttrs padding;
  std::string format;
};

StatusOr<Window> windowOf(const Numbers &ksize, const Numbers &strides,
                          size_t spatial, bool isFirst) {
  Window window{{}, {}, {}, {}};
  KILN_ASSIGN_OR_RETURN(window.ksize,
                        perAxis(ksize, spatial, isFirst, "ksize"));
  KILN_ASSIGN_OR_RETURN(window.strides,
                        perAxis(strides, spatial, isFirst, "strides"));
  return window;
}

/// The window of images.
StatusOr<Window> imageWindow(const Numbers &ksize, const Numbers &strides,
                             const Padding &padding,
                             const std::string &dataFormat) {
  std::string format = dataFormat.empty() ? "NHWC" : dataFormat;
  KILN_ASSIGN_OR_RETURN(Window window,
                        windowOf(ksize, strides, 2, channelsFirst(format)));
  if (!padding.numbers.empty() && format == "NCHW_VECT_C")
    return invalidArgumentError(
        "`data_format='NCHW_VECT_C'` is not supported with explicit padding.");
  KILN_ASSIGN_OR_RETURN(window.padding, attrsOf(padding));
  window.format = format;
  return window;
}

Output addMaxPool(const Input &value, const Window &window,
                  const std::string &name) {
  return rawOps::maxPool(value, window.ksize, window.strides,
                         window.padding.name,
                         {.explicitPaddings = window.padding.numbers,
                          .dataFormat = window.format,
                          .name = name});
}
Output addAvgPool(const Input &value, const Window &window,
                  const std::string &name) {
  return rawOps::avgPool(value, window.ksize, window.strides,
                         window.padding.name,
                         {.dataFormat = window.format, .name = name});
}

} // namespace

Output maxPool(const Input &value, const Numbers &ksize, const Numbers &strides,
               const Padding &padding, const PoolOptions &options) {
  FunctionScope scope(options.name, "MaxPool", {&value});
  auto window = imageWindow(ksize, strides, padding, options.dataFormat);
  if (!window.ok())
    return failed(window.status(), scope);
  if (std::ranges::count(window->ksize, 0) > 0)
    return failed(
        invalidArgumentError(strCat("`ksize` cannot be zero. Received: ksize=",
                                    listText(window->ksize))),
        scope);
  return addMaxPool(value, *window, scope);
}

Output maxPool2D(const Input &input, const Numbers &ksize,
                 const Numbers &strides, const Padding &padding,
                 const PoolOptions &options) {
  FunctionScope scope(options.name, "MaxPool2d", {&input});
  auto window = imageWindow(ksize, strides, padding, options.dataFormat);
  if (!window.ok())
    return failed(window.status(), scope);
  return addMaxPool(input, *window, scope);
}

Output avgPool(const Input &value, const Numbers &ksize, const Numbers &strides,
               const std::string &padding, const PoolOptions &options) {
  FunctionScope scope(options.name, "AvgPool", {&value});
  auto window = imageWindow(ksize, strides, padding, options.dataFormat);
  if (!window.ok())
    return failed(window.status(), scope);
  return addAvgPool(value, *window, scope);
}

namespace {

/// A pool of sequences, as one of images of height 1.
template <class Add>
Output poolSequence(const Input &input, const Numbers &ksize,
                    const Numbers &strides, const Padding &padding,
                    const std::string &dataFormat, const std::string &scope,
                    const Add &add) {
  bool isFirst = channelsFirst(dataFormat);
  auto window = windowOf(ksize, strides, 1, isFirst);
  if (!window.ok())
    return failed(window.status(), scope);
  auto attrs = attrsOf(padding, 3);
  if (!attrs.ok())
    return failed(attrs.status(), scope);
  if (attrs->name == "EXPLICIT")
    attrs->numbers.insert(attrs->numbers.begin(), {0, 0});
  window->padding = *attrs;
  for (Numbers *numbers : {&window->ksize, &window->strides})
    numbers->insert(numbers->begin(), 1);
  bool isLast = dataFormat.empty() || dataFormat == "NWC";
  window->format = isLast ? "NHWC" : "NCHW";
  int64_t axis = isLast ? 1 : 2;
  Output image = expandDims(input, axis);
  return squeeze(add(image, *window, scope), {.axis = {axis}});
}

/// A pool of volumes. TensorFlow looks for the channels of averages in place 3,
/// which makes no difference for lists of five.
template <class Add>
Output poolVolume(const Input &input, const Numbers &ksize,
                  const Numbers &strides, const std::string &padding,
                  const std::string &dataFormat, const std::string &scope,
                  const Add &add) {
  std::string format = dataFormat.empty() ? "NDHWC" : dataFormat;
  auto window = windowOf(ksize, strides, 3, channelsFirst(format));
  if (!window.ok())
    return failed(window.status(), scope);
  return add(input, window->ksize, window->strides, padding, format);
}

} // namespace

Output maxPool1D(const Input &input, const Numbers &ksize,
                 const Numbers &strides, const Padding &padding,
                 const SequencePoolOptions &options) {
  FunctionScope scope(options.name, "MaxPool1d", {&input});
  return poolSequence(input, ksize, strides, padding, options.dataFormat, scope,
                      addMaxPool);
}
Output avgPool1D(const Input &input, const Numbers &ksize,
                 const Numbers &strides, const std::string &padding,
                 const SequencePoolOptions &options) {
  FunctionScope scope(options.name, "AvgPool1D", {&input});
  return poolSequence(input, ksize, strides, padding, options.dataFormat, scope,
                      addAvgPool);
}

Output maxPool3D(const Input &input, const Numbers &ksize,
                 const Numbers &strides, const std::string &padding,
                 const VolumePoolOptions &options) {
  FunctionScope scope(options.name, "MaxPool3D", {&input});
  return poolVolume(
      input, ksize, strides, padding, options.dataFormat, scope,
      [&](const Input &x, const Numbers &sizes, const Numbers &steps,
          const std::string &border, const std::string &format) {
        return rawOps::maxPool3D(x, sizes, steps, border,
                                 {.dataFormat = format, .name = scope});
      });
}
Output avgPool3D(const Input &input, const Numbers &ksize,
                 const Numbers &strides, const std::string &padding,
                 const VolumePoolOptions &options) {
  FunctionScope scope(options.name, "AvgPool3D", {&input});
  return poolVolume(
      input, ksize, strides, padding, options.dataFormat, scope,
      [&](const Input &x, const Numbers &sizes, const Numbers &steps,
          const std::string &border, const std::string &format) {
        return rawOps::avgPool3D(x, sizes, steps, border,
                                 {.dataFormat = format, .name = scope});
      });
}

namespace {

/// How many axes of space a tensor has, as the rank or the format says.
/// **Errors**: INVALID_ARGUMENT with TensorFlow's texts.
StatusOr<size_t> spatialAxes(const Output &input, const std::string &format) {
  int64_t rank = input.shape().rank();
  if (!input.shape().hasRank())
    rank = static_cast<int64_t>(format.size());
  if (rank < 3 || rank > 5)
    return invalidArgumentError(
        strCat("`input.shape.rank` must be 3, 4 or 5. Received: input.shape=",
               input.shape().toTupleString(), " of rank ", rank, "."));
  return static_cast<size_t>(rank - 2);
}

} // namespace

Output maxPoolV2(const Input &input, const Numbers &ksize,
                 const Numbers &strides, const Padding &padding,
                 const AnyPoolOptions &options) {
  GraphScope graph(builderOf(input));
  const std::string &format = options.dataFormat, &name = options.name;
  Output value = valueOf(input);
  auto spatial = spatialAxes(value, format);
  if (!spatial.ok())
    return failed(spatial.status(), name);
  auto window = windowOf(ksize, strides, *spatial, channelsFirst(format));
  if (!window.ok())
    return failed(window.status(), name);
  if (*spatial == 1)
    return maxPool1D(value, window->ksize, window->strides, padding,
                     {.dataFormat = format, .name = name});
  if (*spatial == 2)
    return maxPool2D(value, window->ksize, window->strides, padding,
                     {.dataFormat = format, .name = name});
  if (!padding.numbers.empty())
    return failed(invalidArgumentError("Explicit padding is not supported with "
                                       "an input tensor of rank 5."),
                  name);
  return rawOps::maxPool3D(
      value, window->ksize, window->strides, padding.name,
      {.dataFormat = format.empty() ? "NDHWC" : format, .name = name});
}

Output avgPoolV2(const Input &input, const Numbers &ksize,
                 const Numbers &strides, const std::string &padding,
                 const AnyPoolOptions &options) {
  GraphScope graph(builderOf(input));
  const std::string &format = options.dataFormat, &name = options.name;
  Output value = valueOf(input);
  auto spatial = spatialAxes(value, format);
  if (!spatial.ok())
    return failed(spatial.status(), name);
  auto window = windowOf(ksize, strides, *spatial, channelsFirst(format));
  if (!window.ok())
    return failed(window.status(), name);
  if (*spatial == 1)
    return avgPool1D(value, window->ksize, window->strides, padding,
                     {.dataFormat = format, .name = name});
  if (*spatial == 2)
    return rawOps::avgPool(
        value, window->ksize, window->strides, padding,
        {.dataFormat = format.empty() ? "NHWC" : format, .name = name});
  return rawOps::avgPool3D(
      value, window->ksize, window->strides, padding,
      {.dataFormat = format.empty() ? "NDHWC" : format, .name = name});
}

namespace {

/// **Errors**: INVALID_ARGUMENT with TensorFlow's texts.
Status checkPool(const Numbers &window, const std::string &type,
                 const std::string &padding, Numbers &strides,
                 Numbers &dilations) {
  size_t spatial = window.size();
  if (spatial < 1 || spatial > 3)
    return invalidArgumentError(
        strCat("`len(window_shape)` must be 1, 2, or 3. Received: "
               "window_shape=",
               listText(window), " of length ", spatial));
  KILN_RETURN_IF_ERROR(checkStrides(spatial, strides, dilations));
  auto isDilated = [](int64_t n) { return n > 1; };
  if (padding == "SAME" && std::ranges::any_of(dilations, isDilated))
    return invalidArgumentError(
        strCat("pooling with 'SAME' padding is not implemented for "
               "`dilation_rate` > 1. Received: padding=SAME and "
               "dilation_rate=[",
               strJoin(dilations, " "), "]"));
  for (size_t i = 0; i < spatial; ++i)
    if (strides[i] > window[i])
      return invalidArgumentError(strCat(
          "`strides` > `window_shape` not supported due to inconsistency "
          "between CPU and GPU implementations. Received: strides=[",
          strJoin(strides, " "), "] and window_shape=", listText(window)));
  if (type != "MAX" && type != "AVG")
    return invalidArgumentError(
        strCat(spatial, "-D ", type, " pooling is not supported."));
  return okStatus();
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  return text;
}

/// One pooling of blocks of the batch.
Output poolBlocks(const Input &blocks, const Numbers &ksize,
                  const Numbers &strides, const Padding &padding, bool isMax,
                  const std::string &format, const std::string &name) {
  if (ksize.size() == 5)
    return isMax ? maxPool3D(blocks, ksize, strides, padding.name,
                             {.dataFormat = format, .name = name})
                 : avgPool3D(blocks, ksize, strides, padding.name,
                             {.dataFormat = format, .name = name});
  return isMax ? maxPool(blocks, ksize, strides, padding,
                         {.dataFormat = format, .name = name})
               : avgPool(blocks, ksize, strides, padding.name,
                         {.dataFormat = format, .name = name});
}

} // namespace

Output pool(const Input &input, const Numbers &windowShape,
            const std::string &poolingType, const std::string &padding,
            const WindowPoolOptions &options) {
  FunctionScope scope(options.name, lower(poolingType) + "_pool", {&input});
  Output value = convert(input, "input");
  if (!value.node)
    return {};
  Numbers strides = options.strides, dilations = options.dilationRate;
  if (Status status =
          checkPool(windowShape, poolingType, padding, strides, dilations);
      !status.ok())
    return failed(status, scope);
  size_t spatial = windowShape.size();
  std::string format = options.dataFormat;
  bool isFirst = channelsFirst(format);
  Numbers axes, ksize = windowShape;
  for (size_t i = 0; i < spatial; ++i)
    axes.push_back(static_cast<int64_t>(i) + (isFirst ? 2 : 1));
  for (Numbers *numbers : {&ksize, &strides}) {
    numbers->insert(numbers->begin(), 1);
    numbers->insert(isFirst ? numbers->begin() : numbers->end(), 1);
    if (spatial == 1)
      numbers->insert(numbers->begin(), 1);
  }
  if (spatial == 1) {
    if (!format.empty() && format != "NWC" && format != "NCW")
      return failed(invalidArgumentError(
                        strCat("data_format must be either 'NWC' or 'NCW'. "
                               "Received: data_format=",
                               format)),
                    scope);
    format = isFirst ? "NCHW" : "NHWC";
  }
  auto op = [&](const Output &blocks, int64_t, const Padding &own) {
    Output images = spatial == 1 ? expandDims(blocks, axes[0]) : blocks;
    Output pooled = poolBlocks(images, ksize, strides, own,
                               poolingType == "MAX", format, scope);
    return spatial == 1 ? squeeze(pooled, {.axis = {axes[0]}}) : pooled;
  };
  return withSpaceToBatch(value, dilations, padding, op,
                          {.filterShape = windowShape, .spatialDims = axes});
}

PooledMaxima maxPoolWithArgmax(const Input &input, const Numbers &ksize,
                               const Numbers &strides,
                               const std::string &padding,
                               const ArgmaxPoolOptions &options) {
  if (options.dataFormat != "NHWC") {
    failed(invalidArgumentError(
               strCat("`data_format` values other  than 'NHWC' are not "
                      "supported. Received: data_format=",
                      options.dataFormat)),
           options.name);
    return {};
  }
  auto both = rawOps::maxPoolWithArgmax(
      input, ksize, strides, padding,
      {.targmax = options.targmax,
       .includeBatchInIndex = options.includeBatchInIndex,
       .name = options.name});
  return {both.output, both.argmax};
}

} // namespace kiln::ops
