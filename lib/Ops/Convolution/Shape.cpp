// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of convolutions and their gradients.
#include "lib/Ops/Convolution/Shape.h"

#include "lib/Ops/Convolution/WindowAttrs.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln::shapes {
namespace {

/// A convolution's operands, channels last: image [B, S..., C], filter [K...,
/// C / groups, F], places [B, O..., F]; of a depthwise one the filter is [K...,
/// C, M] and F is C * M.
struct Shapes {
  Dims image, filter, places;
};

class Convolution {
public:
  Convolution(InferenceContext &context, int spatial, bool isDepthwise)
      : context(context), dims(context.dims()), spatial(spatial),
        isDepthwise(isDepthwise) {}

  Status check() {
    KILN_RETURN_IF_ERROR(checkWindowAttrs(context, spatial));
    spec = windowSpecOf(context, context.def(), spatial);
    return okStatus();
  }

  int rank() const { return spatial + 2; }
  Dims last(const Dims &shape) const {
    return channelsLast(shape, spec.channelsFirst);
  }
  SymShape outside(Dims shape) const {
    return SymShape::of(fromChannelsLast(std::move(shape), spec.channelsFirst));
  }

  /// The shape, of this rank. **Errors**: "convolution input must be
  /// 4-dimensional: [2,5,6]".
  StatusOr<Dims> operand(const SymShape &shape, std::string_view what,
                         bool showsShape) {
    if (!shape.rankKnown)
      return Dims(static_cast<size_t>(rank()), Dim::unknown());
    if (shape.rank() != rank())
      return context.error(
          strCat(what, " must be ", rank(), "-dimensional",
                 showsShape ? strCat(": ", dims.format(shape.dims)) : ""));
    return shape.dims;
  }

  /// The places that the windows of an image have. **Errors**: sizes that do
  /// not fit.
  StatusOr<Dims> places(const Dims &image, const Dims &filter) {
    Dim channels = image.back(), own = filter[filter.size() - 2];
    Dims lhs = {channels}, rhs = {own};
    if (isDepthwise) {
      KILN_RETURN_IF_ERROR(
          dims.unify(channels, own,
                     {.prefix = "input and filter must have the same depth: ",
                      .joiner = " vs ",
                      .lhs = &lhs,
                      .rhs = &rhs,
                      .asNumbers = true})
              .status());
    } else {
      KILN_RETURN_IF_ERROR(checkGroups(channels, own, filter.back()));
    }
    KILN_ASSIGN_OR_RETURN(std::vector<WindowDim> windows,
                          spec.plan(dims, spatialOf(image),
                                    Dims(filter.begin(), filter.end() - 2)));
    Dims result = {image.front()};
    for (const WindowDim &window : windows)
      result.push_back(window.output);
    result.push_back(isDepthwise ? dims.mul(own, filter.back())
                                 : filter.back());
    return result;
  }

  /// Demands elements of a filter: for two dimensions only where there is
  /// something to compute from something.
  Status checkElements(const Dims &image, const Dims &filter,
                       const Dims &places) {
    Dim least = Dim::known(1), some = Dim::known(1);
    for (Dim extent : filter)
      least = dims.min(least, extent);
    if (least.isKnown(1))
      return okStatus();
    if (spatial == 2)
      for (const Dims *all : {&image, &places})
        for (Dim extent : *all)
          some = dims.min(some, extent);
    return dims.require(
        Guard::Kind::LessEqual, some, least,
        {.prefix = "filter must not have zero elements (i.e. all dimensions "
                   "must be non-zero)"});
  }

  /// Demands that a gradient has the places of the convolution.
  Status checkGradient(const Dims &image, const Dims &filter,
                       const Dims &gradient) {
    KILN_ASSIGN_OR_RETURN(Dims expected, places(image, filter));
    std::string name = kernelName();
    for (size_t i = 0; i < expected.size(); ++i) {
      Dims lhs = {gradient[i]}, rhs = {expected[i]};
      std::string prefix = name, suffix;
      GuardInfo info{.prefix = {}, .lhs = &lhs, .rhs = &rhs, .asNumbers = true};
      if (i == 0) {
        prefix += ": input and out_backprop must have the same batch size";
        if (isDepthwise) {
          info = {};
        } else {
          prefix += ". Input batch: ";
          info.joiner = ", outbackprop batch: ";
          suffix = ", batch_dim: 0";
          std::swap(lhs, rhs);
        }
      } else if (i + 1 < expected.size()) {
        prefix += strCat(": ",
                         !isDepthwise ? "Size"
                         : i == 1     ? "Number of rows"
                                      : "Number of cols",
                         " of out_backprop doesn't match computed: actual = ");
        info.joiner = ", computed = ";
        if (!isDepthwise)
          suffix = describe(i - 1, image, filter, gradient);
      } else if (spatial == 3) {
        prefix = "out_backprop and filter_sizes must have the same number of "
                 "channels. Got ";
        info.joiner = " for out_backprop and ";
        suffix = " for filter_sizes";
      } else {
        prefix += isDepthwise
                      ? ": depth_multiplier * in_depth not equal to out_depth"
                      : ": filter and out_backprop must have the same "
                        "out_depth";
        info = {};
      }
      info.prefix = prefix;
      info.suffix = suffix;
      KILN_RETURN_IF_ERROR(dims.unify(gradient[i], expected[i], info).status());
    }
    return okStatus();
  }

  /// Filters whose elements the code has to count.
  void settleWindows(const Dims &filter) {
    for (int i = 0; i < spatial; ++i)
      (void)dims.takeAsKnown(filter[static_cast<size_t>(i)]);
  }

  InferenceContext &context;
  DimSpace &dims;
  const int spatial;
  const bool isDepthwise;
  WindowSpec spec;

private:
  Status checkGroups(Dim channels, Dim own, Dim filters) {
    // How many groups there are decides the code.
    if (!dims.equal(channels, own)) {
      (void)dims.takeAsKnown(channels);
      (void)dims.takeAsKnown(own);
      (void)dims.takeAsKnown(filters);
    }
    const Dims all = {dims.resolve(channels)}, part = {dims.resolve(own)};
    if (own.isUnknown() || channels.isUnknown())
      return okStatus();
    KILN_RETURN_IF_ERROR(dims.require(
        Guard::Kind::NonZero, own, Dim::known(0),
        {.prefix = "filter depth must be stricly positive, got 0"}));
    if (dims.equal(channels, own))
      return okStatus();
    KILN_RETURN_IF_ERROR(dims.require(
        Guard::Kind::Divides, channels, own,
        {.prefix = "input depth must be evenly divisible by filter depth: ",
         .joiner = " vs ",
         .lhs = &all,
         .rhs = &part,
         .asNumbers = true}));
    // Without channels there is one group of nothing.
    const Dims groups = {dims.max(dims.floorDiv(channels, own), Dim::known(1))};
    const Dims outputs = {dims.resolve(filters)};
    return dims.require(
        Guard::Kind::Divides, filters, groups[0],
        {.prefix =
             "output depth must be evenly divisible by number of groups: ",
         .joiner = " vs ",
         .lhs = &outputs,
         .rhs = &groups,
         .asNumbers = true});
  }

  /// As its errors name it.
  std::string kernelName() const {
    const bool ofImage = context.node().op().find("Input") != std::string::npos;
    return strCat(isDepthwise    ? "DepthwiseConv2D"
                  : spatial == 2 ? "Conv2DCustom"
                                 : "Conv3D",
                  ofImage ? "BackpropInput" : "BackpropFilter",
                  spatial == 3 ? "Op" : "");
  }

  std::string describe(size_t i, const Dims &image, const Dims &filter,
                       const Dims &gradient) const {
    // What the run finds out has no number yet.
    auto number = [&](Dim dim) {
      std::optional<int64_t> sample = dims.sampleOf(dim);
      return sample && !dims.symbols().isInRun(dim) ? strCat(*sample) : "?";
    };
    return strCat(
        " spatial_dim: ", i + (spec.channelsFirst ? 2 : 1),
        " input: ", number(image[i + 1]), " filter: ", number(filter[i]),
        " output: ", number(gradient[i + 1]), " stride: ", spec.strides[i],
        " dilation: ", spec.dilations[i]);
  }
};

Status inferForward(InferenceContext &context, int spatial, bool isDepthwise) {
  Convolution op(context, spatial, isDepthwise);
  KILN_RETURN_IF_ERROR(op.check());
  KILN_ASSIGN_OR_RETURN(
      Dims image, op.operand(context.inputShape(0), "convolution input", true));
  KILN_ASSIGN_OR_RETURN(Dims filter, op.operand(context.inputShape(1),
                                                "convolution filter", true));
  image = op.last(image);
  if (isDepthwise)
    op.settleWindows(filter);
  KILN_ASSIGN_OR_RETURN(Dims places, op.places(image, filter));
  if (!isDepthwise && !context.isBuilding())
    KILN_RETURN_IF_ERROR(op.checkElements(image, filter, places));
  context.setOutputShape(0, op.outside(std::move(places)));
  return okStatus();
}

/// Sizes that are told may be any numbers.
Status checkSizes(InferenceContext &context, const Dims &sizes,
                  bool isDepthwise, const char *of) {
  for (size_t i = 0; i < sizes.size(); ++i) {
    const Dims size = {sizes[i]};
    const std::string place = strCat("Dimension ", i, " of ", of);
    GuardInfo info{.prefix = place, .suffix = " must be >= 0"};
    if (!isDepthwise) {
      info.prefix = "Dimension ";
      info.lhs = &size;
      info.asNumbers = true;
    }
    KILN_RETURN_IF_ERROR(context.dims().require(Guard::Kind::NonNegative,
                                                sizes[i], Dim::known(0), info));
  }
  return okStatus();
}

/// The gradient with regard to the image, whose sizes input 0 tells: all, or
/// the spatial ones.
Status inferInputGradient(InferenceContext &context, int spatial,
                          bool isDepthwise) {
  Convolution op(context, spatial, isDepthwise);
  KILN_RETURN_IF_ERROR(op.check());
  std::string name = strCat("Conv", spatial, "DCustomBackpropInput");
  KILN_ASSIGN_OR_RETURN(
      Dims filter, op.operand(context.inputShape(1), name + ": filter", false));
  KILN_ASSIGN_OR_RETURN(
      Dims gradient,
      op.operand(context.inputShape(2), name + ": out_backprop", false));
  gradient = op.last(gradient);
  // The first op of this kind had the image itself as its input.
  bool isImage = context.def().inputs[0].name == "input";
  const SymShape &like = context.inputShape(0);
  const Dims *sizes =
      isImage ? like.rankKnown ? &like.dims : nullptr : context.inputAmounts(0);
  // How many channels there are decides how many groups the filter has, and
  // with it the code: where they are fed they become part of the signature.
  if (sizes && !isImage && static_cast<int>(sizes->size()) == op.rank() &&
      context.dims().symbols().isInRun(op.last(*sizes).back()))
    if (const Dims *fed = context.inputContents(0);
        fed && std::ranges::none_of(*fed, &Dim::isUnknown))
      sizes = fed;
  if (!sizes) {
    context.setOutputShape(
        0, SymShape::unknownDims(static_cast<size_t>(op.rank())));
    return okStatus();
  }
  Dims image = *sizes;
  if (static_cast<int>(image.size()) == spatial) {
    image.insert(image.begin(), gradient.front());
    image.push_back(filter[static_cast<size_t>(spatial)]);
  } else if (static_cast<int>(image.size()) == op.rank()) {
    image = op.last(image);
  } else {
    return context.error(strCat(
        context.node().op(), " requires input_sizes to contain ", op.rank(),
        " values or ", spatial, " values, but got: ", image.size()));
  }
  KILN_RETURN_IF_ERROR(checkSizes(context, image, isDepthwise, "input_sizes"));
  op.settleWindows(filter);
  KILN_RETURN_IF_ERROR(op.checkGradient(image, filter, gradient));
  context.setOutputShape(0, op.outside(std::move(image)));
  return okStatus();
}

/// The gradient with regard to the filter, whose sizes input 1 tells.
Status inferFilterGradient(InferenceContext &context, int spatial,
                           bool isDepthwise) {
  Convolution op(context, spatial, isDepthwise);
  KILN_RETURN_IF_ERROR(op.check());
  std::string name = strCat("Conv", spatial, "DCustomBackpropFilter");
  KILN_ASSIGN_OR_RETURN(
      Dims image, op.operand(context.inputShape(0), name + ": input", false));
  KILN_ASSIGN_OR_RETURN(
      Dims gradient,
      op.operand(context.inputShape(2), name + ": out_backprop", false));
  bool isFilter = context.def().inputs[1].name == "filter";
  const SymShape &like = context.inputShape(1);
  const Dims *sizes =
      isFilter ? like.rankKnown ? &like.dims : nullptr : context.inputSizes(1);
  if (!sizes) {
    context.setOutputShape(
        0, SymShape::unknownDims(static_cast<size_t>(op.rank())));
    return okStatus();
  }
  Dims filter = *sizes;
  if (static_cast<int>(filter.size()) != op.rank())
    return context.error(
        strCat(name, ": filter must be ", op.rank(), "-dimensional"));
  KILN_RETURN_IF_ERROR(
      checkSizes(context, filter, isDepthwise, "filter_sizes"));
  if (isDepthwise)
    op.settleWindows(filter);
  KILN_RETURN_IF_ERROR(
      op.checkGradient(op.last(image), filter, op.last(gradient)));
  context.setOutputShape(0, SymShape::of(std::move(filter)));
  return okStatus();
}

} // namespace

Status inferConv2D(InferenceContext &context) {
  return inferForward(context, 2, false);
}
Status inferConv3D(InferenceContext &context) {
  return inferForward(context, 3, false);
}
Status inferConv2DInputGradient(InferenceContext &context) {
  return inferInputGradient(context, 2, false);
}
Status inferConv3DInputGradient(InferenceContext &context) {
  return inferInputGradient(context, 3, false);
}
Status inferConv2DFilterGradient(InferenceContext &context) {
  return inferFilterGradient(context, 2, false);
}
Status inferConv3DFilterGradient(InferenceContext &context) {
  return inferFilterGradient(context, 3, false);
}
Status inferDepthwise(InferenceContext &context) {
  return inferForward(context, 2, true);
}
Status inferDepthwiseInputGradient(InferenceContext &context) {
  return inferInputGradient(context, 2, true);
}
Status inferDepthwiseFilterGradient(InferenceContext &context) {
  return inferFilterGradient(context, 2, true);
}

} // namespace kiln::shapes
