// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of what has a range for each channel, or works on channels:
// depthwise convolutions, normalizations, resizing.
#include "lib/OpDefs/Ranks.h"
#include "lib/Ops/Convolution/Shape.h"
#include "lib/Ops/Image/Shape.h"
#include "lib/Ops/Quantization/Ends.h"
#include "lib/Ops/Quantization/Shape.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln::shapes {
namespace {

void setEnds(InferenceContext &context, int first = 1) {
  for (int i = first; i < context.numOutputs(); ++i)
    context.setOutputShape(i, SymShape::of({}));
}

/// An input of so many dimensions; `text` begins what is said of others.
Status demandRank(InferenceContext &context, int i, int rank,
                  std::string_view text, bool showsShape) {
  const SymShape &shape = context.inputShape(i);
  if (!shape.rankKnown || shape.rank() == rank)
    return okStatus();
  if (context.isBuilding())
    return context.withRank(shape, rank).status();
  return context.error(showsShape
                           ? strCat(text, context.dims().format(shape.dims))
                           : std::string(text));
}

/// The ranges of channels, inputs 1 and 2, are as many as there are channels,
/// or, where that may be, one.
Status checkRanges(InferenceContext &context, bool maySingle) {
  const SymShape &image = context.inputShape(0), &low = context.inputShape(1),
                 &high = context.inputShape(2);
  for (const SymShape *ends : {&low, &high})
    if (ends->rankKnown && ends->rank() > 1)
      return context.withRank(*ends, 1).status();
  if (!low.rankKnown || !high.rankKnown || low.rank() != high.rank() ||
      low.rank() == 0)
    return okStatus();
  DimSpace &dims = context.dims();
  const Dims first = {low.dims[0]}, last = {high.dims[0]};
  KILN_RETURN_IF_ERROR(
      dims.unify(first[0], last[0],
                 {.prefix = "input_max has incorrect size, expected ",
                  .joiner = " was ",
                  .lhs = &first,
                  .rhs = &last,
                  .asNumbers = true})
          .status());
  if (!image.rankKnown || (maySingle && dims.isOne(first[0]).value_or(false)))
    return okStatus();
  const Dims channels = {image.dims.back()};
  return dims
      .unify(channels[0], first[0],
             {.prefix = "input must have same number of channels as length of "
                        "input_min: ",
              .joiner = " vs ",
              .lhs = &channels,
              .rhs = &first,
              .asNumbers = true})
      .status();
}

} // namespace

Status inferRequantizeChannels(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(demandRank(
      context, 0, 4,
      "Current RequantizePerChannel operatorsupports 4D tensors only.", false));
  KILN_RETURN_IF_ERROR(checkRanges(context, true));
  KILN_RETURN_IF_ERROR(
      checkEnds(context, EndText::OneElement, 3,
                {"requested_output_min", "requested_output_max"}));
  context.setOutputShape(0, context.inputShape(0));
  setEnds(context);
  return okStatus();
}

Status inferRangeOfChannels(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(
      demandRank(context, 0, 4, "input must be in NHWC format", false));
  for (int i = 1; i < 3; ++i)
    KILN_RETURN_IF_ERROR(context.withRank(context.inputShape(i), 1).status());
  KILN_RETURN_IF_ERROR(checkRanges(context, false));
  setEnds(context, 0);
  return okStatus();
}

Status inferQuantizedDepthwise(InferenceContext &context) {
  if (!context.isBuilding() && context.def().findAttr("padding_list") &&
      !context.intsAttr("padding_list").empty())
    return unimplementedError("padding_list of a quantized convolution")
        .withNode(context.node().name());
  KILN_RETURN_IF_ERROR(inferDepthwise(context));
  const int first = context.numInputs() - 4;
  KILN_RETURN_IF_ERROR(
      checkEnds(context, EndText::OneElement, first,
                {"min_input", "max_input", "min_filter", "max_filter"}));
  setEnds(context);
  return okStatus();
}

Status inferQuantizedBatchNorm(InferenceContext &context) {
  const char *const names[] = {"input", "mean", "var", "beta", "gamma"};
  KILN_RETURN_IF_ERROR(
      demandRank(context, 0, 4, "input must be 4-dimensional", true));
  for (int i = 1; i < 5; ++i)
    KILN_RETURN_IF_ERROR(demandRank(
        context, 3 * i, 1, strCat(names[i], " must be 1-dimensional"), true));
  for (int i = 0; i < 5; ++i)
    KILN_RETURN_IF_ERROR(
        checkEnds(context, EndText::OneElement, 3 * i + 1,
                  {strCat(names[i], "_min"), strCat(names[i], "_max")}));
  SymShape image = context.inputShape(0);
  const SymShape &mean = context.inputShape(3);
  setEnds(context);
  if (!image.rankKnown || !mean.rankKnown)
    return okStatus();
  KILN_ASSIGN_OR_RETURN(
      image.dims.back(),
      context.dims().unify(
          image.dims.back(), mean.dims[0],
          {.prefix = "Must provide as many means as the last dimension of the "
                     "input tensor: ",
           .joiner = " vs. ",
           .lhs = &mean.dims,
           .rhs = &context.inputShape(0).dims}));
  for (int i = 2; i < 5; ++i)
    if (const SymShape &other = context.inputShape(3 * i); other.rankKnown)
      KILN_RETURN_IF_ERROR(
          context.dims()
              .unify(mean.dims[0], other.dims[0],
                     {.prefix = strCat("Mean and ", names[i],
                                       " tensors must have the same shape: "),
                      .joiner = " vs. ",
                      .lhs = &mean.dims,
                      .rhs = &other.dims})
              .status());
  context.setOutputShape(0, std::move(image));
  return okStatus();
}

Status inferQuantizedInstanceNorm(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(
      checkEnds(context, EndText::Quoted, 1, {"x_min", "x_max"}));
  KILN_ASSIGN_OR_RETURN(SymShape shape,
                        context.withRank(context.inputShape(0), 4));
  context.setOutputShape(0, std::move(shape));
  setEnds(context);
  return okStatus();
}

Status inferQuantizedResize(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkEnds(context, EndText::Number, 2, {"min", "max"}));
  KILN_RETURN_IF_ERROR(inferResize(context));
  setEnds(context);
  return okStatus();
}

} // namespace kiln::shapes
