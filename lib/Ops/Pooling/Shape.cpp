// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of pools and their gradients.
#include "lib/Ops/Pooling/Shape.h"

#include "lib/Ops/Convolution/WindowAttrs.h"
#include "lib/Ops/Quantization/Ends.h"
#include "lib/Shape/Rules.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln::shapes {
namespace {

Status checkRank(const InferenceContext &context, const SymShape &image,
                 int spatial) {
  if (!image.rankKnown || image.rank() == spatial + 2)
    return okStatus();
  return context.error(
      spatial == 2 ? strCat("tensor_in_shape must have 2 spatial dimensions. ",
                            image.rank(), " 0")
                   : strCat("tensor_in must be ", spatial + 2, "-dimensional"));
}

/// A window along the channels, of MaxPool alone. In a run they lie side by
/// side.
struct ChannelWindow {
  int64_t extent = 1, stride = 1;
  bool isOne() const { return extent == 1 && stride == 1; }
};

StatusOr<ChannelWindow> channelWindow(const InferenceContext &context,
                                      const std::vector<int64_t> &window,
                                      const std::vector<int64_t> &strides) {
  const size_t last = window.size() - 1;
  bool isFirst = context.stringAttr("data_format")[1] == 'C';
  const ChannelWindow channels = {window[last], strides[last]};
  if (isFirst || channels.isOne())
    return ChannelWindow();
  const bool isMaximum = context.node().op().starts_with("MaxPool");
  // TensorFlow looks at what no kernel does in the run.
  if (context.isBuilding())
    return isMaximum && last == 3 ? channels : ChannelWindow();
  auto unimplemented = [&](std::string text) {
    return unimplementedError(std::move(text)).withNode(context.node().name());
  };
  if (std::any_of(window.begin(), window.end() - 1,
                  [](int64_t extent) { return extent != 1; }))
    return unimplemented("MaxPooling supports exactly one of pooling across "
                         "depth or pooling across width/height.");
  if (!isMaximum)
    return unimplemented(
        "Non-spatial pooling is not yet supported. Volunteers? :)");
  if (channels.extent != channels.stride)
    return unimplemented("Depthwise max pooling requires the depth window to "
                         "equal the depth stride.");
  return channels;
}
StatusOr<ChannelWindow> channelWindow(const InferenceContext &context) {
  return channelWindow(context, context.intsAttr("ksize"),
                       context.intsAttr("strides"));
}

/// How many windows there are along the channels.
StatusOr<Dim> pooledChannels(InferenceContext &context, const Dim &all,
                             Padding padding, ChannelWindow window) {
  DimSpace &space = context.dims();
  const Dim extent = Dim::known(window.extent);
  if (context.isBuilding()) {
    WindowDim plan = {.input = all, .window = extent, .stride = window.stride};
    KILN_RETURN_IF_ERROR(planWindow(
        space, padding == Padding::Same ? padding : Padding::Valid, plan));
    return plan.output;
  }
  KILN_RETURN_IF_ERROR(space.require(
      Guard::Kind::Divides, all, extent,
      {.prefix = "Depthwise max pooling requires the depth window to evenly "
                 "divide the input depth"}));
  return space.floorDiv(all, extent);
}

/// The shape of the pool of an image.
StatusOr<SymShape> poolOf(InferenceContext &context, const SymShape &image,
                          const WindowSpec &spec, ChannelWindow channels) {
  Dims dims = channelsLast(
      image.rankKnown ? image.dims : Dims(spec.rank() + 2, Dim::unknown()),
      spec.channelsFirst);
  Dims windows;
  for (int64_t extent : spec.window)
    windows.push_back(Dim::known(extent));
  KILN_ASSIGN_OR_RETURN(std::vector<WindowDim> plan,
                        spec.plan(context.dims(), spatialOf(dims), windows));
  for (size_t i = 0; i < plan.size(); ++i)
    dims[i + 1] = plan[i].output;
  if (!channels.isOne()) {
    KILN_ASSIGN_OR_RETURN(dims.back(), pooledChannels(context, dims.back(),
                                                      spec.padding, channels));
  }
  return SymShape::of(fromChannelsLast(std::move(dims), spec.channelsFirst));
}

Status inferPool(InferenceContext &context, int spatial) {
  KILN_RETURN_IF_ERROR(checkWindowAttrs(context, spatial));
  const SymShape &image = context.inputShape(0);
  KILN_RETURN_IF_ERROR(checkRank(context, image, spatial));
  ChannelWindow channels;
  if (context.def().findAttr("data_format")) {
    KILN_ASSIGN_OR_RETURN(channels, channelWindow(context));
  }
  KILN_ASSIGN_OR_RETURN(SymShape pool,
                        poolOf(context, image,
                               windowSpecOf(context, context.def(), spatial),
                               channels));
  for (int i = 1; i < context.numOutputs(); ++i)
    context.setOutputShape(i, pool);
  context.setOutputShape(0, std::move(pool));
  return okStatus();
}

/// Demands that input i has a shape, where both ranks are known.
Status unifyInput(InferenceContext &context, int i, const SymShape &expected,
                  std::string_view prefix) {
  const SymShape &given = context.inputShape(i);
  if (!given.rankKnown || !expected.rankKnown)
    return okStatus();
  return unifyShapes(context.dims(), expected.dims, given.dims,
                     {.prefix = prefix, .joiner = ", but got "})
      .status();
}

Status checkGradient(InferenceContext &context, const SymShape &image,
                     const WindowSpec &spec, int gradient) {
  KILN_ASSIGN_OR_RETURN(SymShape pool, poolOf(context, image, spec, {}));
  if (context.def().inputs[1].name == "orig_output" && !context.isBuilding())
    KILN_RETURN_IF_ERROR(
        unifyInput(context, 1, pool, "Expected orig_output shape to be "));
  return unifyInput(context, gradient, pool, "Expected grad shape to be ");
}

Status inferGradient(InferenceContext &context, int spatial, int gradient) {
  KILN_RETURN_IF_ERROR(checkWindowAttrs(context, spatial));
  const SymShape &image = context.inputShape(0);
  KILN_RETURN_IF_ERROR(checkRank(context, image, spatial));
  if (context.def().findAttr("data_format")) {
    KILN_ASSIGN_OR_RETURN(ChannelWindow channels, channelWindow(context));
    if (!channels.isOne() && !context.isBuilding())
      return unimplementedError("MaxPoolGrad across depth")
          .withNode(context.node().name());
  }
  KILN_RETURN_IF_ERROR(checkGradient(
      context, image, windowSpecOf(context, context.def(), spatial), gradient));
  context.setOutputShape(0, image);
  return okStatus();
}

struct ComputedWindows {
  WindowSpec spec;
  ChannelWindow channels;
};

/// The windows of an op that is told them by its inputs from `first` on;
/// nothing where they are not known yet.
StatusOr<std::optional<ComputedWindows>>
computedWindows(InferenceContext &context, int first) {
  WindowSpec spec = windowSpecOf(context, context.def(), 2);
  std::vector<int64_t> window, strides;
  for (auto [input, list] :
       {std::pair(first, &window), std::pair(first + 1, &strides)}) {
    const Dims *numbers = context.inputContents(input);
    if (!numbers || !std::all_of(numbers->begin(), numbers->end(),
                                 [](Dim dim) { return dim.isKnown(); }))
      return std::optional<ComputedWindows>();
    if (numbers->size() != 4)
      return context.error(strCat("Sliding window ",
                                  list == &window ? "ksize" : "strides",
                                  " field must specify 4 dimensions"));
    for (Dim dim : *numbers)
      if (dim.value <= 0)
        return context.error("Sliding window must be positive");
      else
        list->push_back(dim.value);
  }
  if (window[0] != 1 || strides[0] != 1 ||
      (spec.channelsFirst && (window[1] != 1 || strides[1] != 1)))
    return unimplementedError(
               "Pooling is not yet supported on the batch dimension.")
        .withNode(context.node().name());
  KILN_ASSIGN_OR_RETURN(ChannelWindow channels,
                        channelWindow(context, window, strides));
  auto at = spec.channelsFirst ? 2 : 1;
  spec.window.assign(window.begin() + at, window.begin() + at + 2);
  spec.strides.assign(strides.begin() + at, strides.begin() + at + 2);
  return std::optional(ComputedWindows{std::move(spec), channels});
}

Status inferAverageGradient(InferenceContext &context, int spatial) {
  KILN_RETURN_IF_ERROR(checkWindowAttrs(context, spatial));
  KILN_RETURN_IF_ERROR(channelWindow(context).status());
  const Dims *sizes = context.inputContents(0);
  if (!sizes) {
    context.setOutputShape(
        0, SymShape::unknownDims(static_cast<size_t>(spatial) + 2));
    return okStatus();
  }
  SymShape image = SymShape::of(*sizes);
  if (image.rank() != spatial + 2)
    return context.error(strCat("orig_input_shape must be 1-dimensional and ",
                                spatial + 2, " elements"));
  for (Dim dim : image.dims)
    KILN_RETURN_IF_ERROR(
        context.dims().require(Guard::Kind::NonNegative, dim, Dim::known(0),
                               {.prefix = "orig_input_shape must be >= 0"}));
  KILN_RETURN_IF_ERROR(checkGradient(
      context, image, windowSpecOf(context, context.def(), spatial), 1));
  context.setOutputShape(0, std::move(image));
  return okStatus();
}

/// The pool of a gradient, in windows of `spec`.
Status setPoolOfGradient(InferenceContext &context, const WindowSpec &spec) {
  const SymShape &image = context.inputShape(0);
  KILN_ASSIGN_OR_RETURN(SymShape pool, poolOf(context, image, spec, {}));
  KILN_RETURN_IF_ERROR(
      unifyInput(context, 1, pool, "Expected orig_output shape to be "));
  KILN_RETURN_IF_ERROR(
      unifyInput(context, 2, image, "Expected grad shape to be "));
  context.setOutputShape(0, std::move(pool));
  return okStatus();
}

Status inferGradientOfGradient(InferenceContext &context, int spatial) {
  KILN_RETURN_IF_ERROR(checkWindowAttrs(context, spatial));
  KILN_RETURN_IF_ERROR(checkRank(context, context.inputShape(0), spatial));
  return setPoolOfGradient(context,
                           windowSpecOf(context, context.def(), spatial));
}

} // namespace

Status inferPool2D(InferenceContext &context) { return inferPool(context, 2); }
Status inferPool3D(InferenceContext &context) { return inferPool(context, 3); }

Status inferQuantizedPool(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(inferPool(context, 2));
  if (!context.isBuilding() && context.intsAttr("ksize").back() != 1)
    return unimplementedError(
               "Non-spatial pooling is not yet supported. Volunteers? :)")
        .withNode(context.node().name());
  KILN_RETURN_IF_ERROR(
      checkEnds(context, EndText::Received, 1, {"min_input", "max_input"}));
  for (int i = 1; i < context.numOutputs(); ++i)
    context.setOutputShape(i, SymShape::of({}));
  return okStatus();
}

Status inferPoolComputed(InferenceContext &context) {
  const SymShape &image = context.inputShape(0);
  KILN_RETURN_IF_ERROR(checkRank(context, image, 2));
  KILN_ASSIGN_OR_RETURN(std::optional<ComputedWindows> windows,
                        computedWindows(context, 1));
  if (!windows) {
    context.setOutputShape(0, SymShape::unknownDims(4));
    return okStatus();
  }
  KILN_ASSIGN_OR_RETURN(
      SymShape pool, poolOf(context, image, windows->spec, windows->channels));
  context.setOutputShape(0, std::move(pool));
  return okStatus();
}

Status inferPoolGradient2D(InferenceContext &context) {
  return inferGradient(context, 2, context.numInputs() - 1);
}
Status inferPoolGradient3D(InferenceContext &context) {
  return inferGradient(context, 3, 2);
}

Status inferPoolGradientComputed(InferenceContext &context) {
  const SymShape &image = context.inputShape(0);
  KILN_RETURN_IF_ERROR(checkRank(context, image, 2));
  KILN_ASSIGN_OR_RETURN(std::optional<ComputedWindows> windows,
                        computedWindows(context, 3));
  if (windows && !windows->channels.isOne() && !context.isBuilding())
    return unimplementedError("MaxPoolGrad across depth")
        .withNode(context.node().name());
  if (windows)
    KILN_RETURN_IF_ERROR(checkGradient(context, image, windows->spec, 2));
  context.setOutputShape(0, image);
  return okStatus();
}

Status inferPoolGradientOfGradient2D(InferenceContext &context) {
  return inferGradientOfGradient(context, 2);
}
Status inferPoolGradientOfGradient3D(InferenceContext &context) {
  return inferGradientOfGradient(context, 3);
}

Status inferPoolGradientOfGradientComputed(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkRank(context, context.inputShape(0), 2));
  KILN_ASSIGN_OR_RETURN(std::optional<ComputedWindows> windows,
                        computedWindows(context, 3));
  if (!windows) {
    context.setOutputShape(0, SymShape::unknownDims(4));
    return okStatus();
  }
  if (!windows->channels.isOne() && !context.isBuilding())
    return unimplementedError("MaxPoolGradGrad across depth")
        .withNode(context.node().name());
  return setPoolOfGradient(context, windows->spec);
}

Status inferPoolGradientOfPlaces(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(inferGradient(context, 2, 1));
  const SymShape &gradient = context.inputShape(1),
                 &places = context.inputShape(2);
  if (!gradient.rankKnown || !places.rankKnown)
    return okStatus();
  return unifyShapes(context.dims(), places.dims, gradient.dims,
                     {.prefix = "Expected argmax shape to be ",
                      .joiner = ", but got ",
                      .lhs = &gradient.dims,
                      .rhs = &places.dims})
      .status();
}

Status inferAveragePoolGradient2D(InferenceContext &context) {
  return inferAverageGradient(context, 2);
}
Status inferAveragePoolGradient3D(InferenceContext &context) {
  return inferAverageGradient(context, 3);
}

} // namespace kiln::shapes
