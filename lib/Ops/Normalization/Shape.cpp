// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of normalizations.
#include "lib/Ops/Normalization/Shape.h"

#include "lib/OpDefs/Inference.h"
#include "lib/Shape/Rules.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln::shapes {
namespace {

/// The channels of input i. **Errors**: a rank that is none of an image's.
StatusOr<Dim> channelsOf(InferenceContext &context, int i,
                         std::string_view what) {
  const SymShape &image = context.inputShape(i);
  if (!image.rankKnown)
    return Dim::unknown();
  if (image.rank() != 4 && image.rank() != 5)
    return context.error(strCat(what, " must be 4 or 5-dimensional",
                                context.dims().format(image.dims)));
  return context.stringAttr("data_format")[1] == 'C' ? image.dims[1]
                                                     : image.dims.back();
}

/// Demands that input i is a vector with an element for each channel.
Status checkVector(InferenceContext &context, int i, std::string_view what,
                   Dim &channels) {
  const SymShape &vector = context.inputShape(i);
  if (!vector.rankKnown)
    return okStatus();
  if (vector.rank() != 1)
    return context.error(strCat(what, " must be 1-dimensional",
                                context.dims().format(vector.dims)));
  std::string prefix = strCat(what, " must have the same number of elements as "
                                    "the channels of x, got ");
  Dims rhs = {channels};
  KILN_ASSIGN_OR_RETURN(channels, context.dims().unify(vector.dims[0], channels,
                                                       {.prefix = prefix,
                                                        .joiner = " and ",
                                                        .lhs = &vector.dims,
                                                        .rhs = &rhs,
                                                        .asNumbers = true}));
  return okStatus();
}

Status imageLike(InferenceContext &context, int i, std::string_view text) {
  const SymShape &image = context.inputShape(i);
  return image.rankKnown && image.rank() != 4 ? context.error(std::string(text))
                                              : okStatus();
}

} // namespace

Status inferBatchNorm(InferenceContext &context) {
  KILN_ASSIGN_OR_RETURN(Dim channels, channelsOf(context, 0, "input"));
  KILN_RETURN_IF_ERROR(checkVector(context, 1, "scale", channels));
  KILN_RETURN_IF_ERROR(checkVector(context, 2, "offset", channels));
  bool isTraining = context.boolAttr("is_training");
  bool isMixed = context.def().findAttr("exponential_avg_factor") &&
                 context.floatAttr("exponential_avg_factor") != 1;
  if (!isTraining || isMixed) {
    std::string when = isTraining ? "When exponential_avg_factor != 1, "
                                  : "When is_training=false, ";
    KILN_RETURN_IF_ERROR(checkVector(context, 3, when + "mean", channels));
    KILN_RETURN_IF_ERROR(checkVector(context, 4, when + "variance", channels));
  }
  context.setOutputShape(0, context.inputShape(0));
  for (int i = 1; i < 5; ++i)
    context.setOutputShape(i, SymShape::of({channels}));
  if (context.numOutputs() > 5)
    context.setOutputShape(5, SymShape::scalar());
  return okStatus();
}

Status inferBatchNormGradient(InferenceContext &context) {
  KILN_ASSIGN_OR_RETURN(Dim channels, channelsOf(context, 0, "y_backprop"));
  KILN_RETURN_IF_ERROR(channelsOf(context, 1, "input").status());
  SymShape image = context.inputShape(1);
  const SymShape &gradient = context.inputShape(0);
  if (image.rankKnown && gradient.rankKnown) {
    KILN_ASSIGN_OR_RETURN(
        Dims dims,
        unifyShapes(context.dims(), gradient.dims, image.dims,
                    {.prefix = "x and y_backprop must have same shape, but x "
                               "has shape ",
                     .joiner = " and y_backprop has shape ",
                     .lhs = &image.dims,
                     .rhs = &gradient.dims}));
    image = SymShape::of(std::move(dims));
  }
  KILN_RETURN_IF_ERROR(checkVector(context, 2, "scale", channels));
  KILN_RETURN_IF_ERROR(checkVector(context, 3, "saved mean", channels));
  KILN_RETURN_IF_ERROR(checkVector(context, 4, "saved variance", channels));
  context.setOutputShape(0, std::move(image));
  context.setOutputShape(1, SymShape::of({channels}));
  context.setOutputShape(2, SymShape::of({channels}));
  for (int i : {3, 4})
    context.setOutputShape(i, SymShape::of({Dim::known(0)}));
  return okStatus();
}

Status inferGlobalNorm(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(imageLike(context, 0, "input must be 4-dimensional"));
  const SymShape &image = context.inputShape(0);
  Dim channels = image.rankKnown ? image.dims.back() : Dim::unknown();
  constexpr std::string_view names[] = {"", "mean", "var", "beta", "gamma"};
  for (int i = 1; i < 5; ++i)
    KILN_RETURN_IF_ERROR(checkVector(context, i, names[i], channels));
  context.setOutputShape(0, image);
  return okStatus();
}

Status inferGlobalNormGradient(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(imageLike(context, 0, "input must be 4-dimensional"));
  KILN_RETURN_IF_ERROR(
      imageLike(context, 4, "output backprop must be 4-dimensional"));
  SymShape image = context.inputShape(0);
  const SymShape &gradient = context.inputShape(4);
  if (image.rankKnown && gradient.rankKnown) {
    KILN_ASSIGN_OR_RETURN(
        Dims dims, unifyShapes(context.dims(), image.dims, gradient.dims,
                               {.prefix = "input and output backprop must have "
                                          "the same shape, but got ",
                                .joiner = " and "}));
    image = SymShape::of(std::move(dims));
  }
  Dim channels = image.rankKnown ? image.dims.back() : Dim::unknown();
  constexpr std::string_view names[] = {"", "mean", "var", "gamma"};
  for (int i = 1; i < 4; ++i)
    KILN_RETURN_IF_ERROR(checkVector(context, i, names[i], channels));
  context.setOutputShape(0, std::move(image));
  for (int i = 1; i < 5; ++i)
    context.setOutputShape(i, SymShape::of({channels}));
  return okStatus();
}

Status inferResponseNorm(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(imageLike(context, 0, "in must be 4-dimensional"));
  context.setOutputShape(0, context.inputShape(0));
  return okStatus();
}

Status inferResponseNormGradient(InferenceContext &context) {
  Dims all(4, Dim::unknown());
  for (int i = 0; i < 3; ++i) {
    KILN_RETURN_IF_ERROR(imageLike(context, i, "inputs must be 4-dimensional"));
    const SymShape &image = context.inputShape(i);
    if (!image.rankKnown)
      continue;
    KILN_ASSIGN_OR_RETURN(
        all, unifyShapes(context.dims(), all, image.dims,
                         {.prefix = "input_grads, input_image, and out_image "
                                    "should have the same shape"}));
  }
  context.setOutputShape(0, SymShape::of(std::move(all)));
  return okStatus();
}

} // namespace kiln::shapes
