// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of elementwise ops and of the neural network functions.
#include "lib/Ops/Math/Shape.h"

#include "lib/OpDefs/Inference.h"
#include "lib/OpDefs/Ranks.h"
#include "lib/Ops/Math/Contents.h"
#include "lib/Ops/TensorList/Shape.h"
#include "lib/Shape/Rules.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln::shapes {
namespace {

/// "Inputs to operation n of type Op must have the same size and shape.  Input
/// 0: [2] != input 1: [3]"
StatusOr<SymShape> numberedSameShape(InferenceContext &context,
                                     const SymShape &a, const SymShape &b,
                                     int first, int second) {
  std::string prefix =
      strCat("Inputs to operation ", context.node().name(), " of type ",
             context.node().op(), " must have the same size and shape.  Input ",
             first, ": ");
  std::string joiner = strCat(" != input ", second, ": ");
  return sameShape(context, a, b, {.prefix = prefix, .joiner = joiner});
}

StatusOr<SymShape> broadcast(InferenceContext &context, const SymShape &a,
                             const SymShape &b) {
  if (!a.rankKnown || !b.rankKnown)
    return SymShape::unknownRank();
  KILN_RETURN_IF_ERROR(demandBroadcast(context, a.dims, b.dims));
  KILN_ASSIGN_OR_RETURN(Dims dims,
                        broadcastShapes(context.dims(), a.dims, b.dims));
  return SymShape::of(std::move(dims));
}

/// The place of the channels; -1 where the rank is not known.
StatusOr<int> channelDim(InferenceContext &context, const SymShape &shape) {
  if (!shape.rankKnown)
    return -1;
  if (shape.rank() < 2)
    return context.error("Input tensor must be at least 2D: " +
                         context.dims().format(shape.dims));
  return context.def().findAttr("data_format") &&
                 context.stringAttr("data_format") == "NCHW"
             ? 1
             : shape.rank() - 1;
}

} // namespace

Status inferBinary(InferenceContext &context) {
  KILN_ASSIGN_OR_RETURN(
      SymShape shape,
      broadcast(context, context.inputShape(0), context.inputShape(1)));
  context.setOutputShape(0, shape);
  return setBinaryContents(context, shape);
}

Status inferApproximate(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(
      demandSameShape(context, context.inputShape(0), context.inputShape(1)));
  KILN_ASSIGN_OR_RETURN(
      SymShape shape,
      sameShape(context, context.inputShape(0), context.inputShape(1),
                {.prefix = "x and y must be of the same shape. x shape: ",
                 .joiner = ". y shape: "}));
  context.setOutputShape(0, std::move(shape));
  return okStatus();
}

Status inferCompare(InferenceContext &context) {
  const SymShape &a = context.inputShape(0), &b = context.inputShape(1);
  // Equal and NotEqual may be told to answer with a scalar where shapes do not
  // fit.
  const AttrDef *lenient = context.def().findAttr("incompatible_shape_error");
  if (lenient && !context.boolAttr("incompatible_shape_error")) {
    if (a.isStatic() && b.isStatic()) {
      auto dims = broadcastShapes(context.dims(), a.dims, b.dims);
      context.setOutputShape(0, dims.ok() ? SymShape::of(*std::move(dims))
                                          : SymShape::scalar());
    }
    return okStatus();
  }
  return inferBinary(context);
}

Status inferUnary(InferenceContext &context) {
  context.setOutputShape(0, context.inputShape(0));
  setUnaryContents(context);
  return okStatus();
}

Status inferSame(InferenceContext &context) {
  context.setOutputShape(0, context.inputShape(0));
  return okStatus();
}

Status inferZerosLike(InferenceContext &context) {
  return context.inputDType(0) == DType::Variant ? inferListZerosLike(context)
                                                 : inferSame(context);
}

Status inferAddN(InferenceContext &context) {
  if (context.inputDType(0) == DType::Variant)
    return inferListAddN(context);
  SymShape shape = context.inputShape(0);
  for (int i = 1; i < context.numInputs(); ++i) {
    KILN_ASSIGN_OR_RETURN(
        shape, numberedSameShape(context, shape, context.inputShape(i), 0, i));
  }
  context.setOutputShape(0, std::move(shape));
  return okStatus();
}

Status inferAccumulated(InferenceContext &context) {
  SymShape shape = context.shapeAttr("shape");
  for (int i = 0; i < context.numInputs(); ++i) {
    KILN_ASSIGN_OR_RETURN(
        shape,
        sameShape(context, shape, context.inputShape(i),
                  {.prefix = "Parameters and update must be the same size: ",
                   .joiner = " vs. "}));
  }
  context.setOutputShape(0, std::move(shape));
  return okStatus();
}

Status inferNumberedGrad(InferenceContext &context) {
  KILN_ASSIGN_OR_RETURN(SymShape shape,
                        numberedSameShape(context, context.inputShape(0),
                                          context.inputShape(1), 0, 1));
  context.setOutputShape(0, std::move(shape));
  return okStatus();
}

// TensorFlow compares element counts only; shapes that differ with equal counts
// never come out of its gradients.
Status inferCwiseGrad(InferenceContext &context) {
  GuardInfo info{.prefix = "The two arguments to a cwise op must have same "
                           "number of elements, got ",
                 .joiner = " and ",
                 .asNumbers = true};
  KILN_ASSIGN_OR_RETURN(
      SymShape shape,
      sameShape(context, context.inputShape(0), context.inputShape(1), info));
  context.setOutputShape(0, std::move(shape));
  return okStatus();
}

Status inferSelect(InferenceContext &context) {
  const SymShape &condition = context.inputShape(0);
  KILN_ASSIGN_OR_RETURN(SymShape shape,
                        numberedSameShape(context, context.inputShape(1),
                                          context.inputShape(2), 1, 2));
  context.setOutputShape(0, shape);
  if (!condition.rankKnown || !shape.rankKnown || condition.rank() == 0)
    return setSelectContents(context, shape);
  if (condition.rank() == 1 && shape.rank() > 1) {
    Dims rows = {shape.dims[0]};
    GuardInfo info{
        .prefix =
            "Number of batches of 'then' must match size of 'cond', but saw: ",
        .joiner = " vs. ",
        .lhs = &rows,
        .rhs = &condition.dims,
        .asNumbers = true};
    return context.dims().unify(rows[0], condition.dims[0], info).status();
  }
  KILN_ASSIGN_OR_RETURN(SymShape merged,
                        numberedSameShape(context, condition, shape, 0, 1));
  context.setOutputShape(0, merged);
  return setSelectContents(context, merged);
}

Status inferSelectV2(InferenceContext &context) {
  const SymShape &condition = context.inputShape(0),
                 &then = context.inputShape(1),
                 &otherwise = context.inputShape(2);
  auto values = broadcast(context, then, otherwise);
  auto all = values.ok() ? broadcast(context, *values, condition) : values;
  if (!all.ok())
    return context.error("condition " + context.dims().format(condition.dims) +
                         ", then " + context.dims().format(then.dims) +
                         ", and else " + context.dims().format(otherwise.dims) +
                         " must be broadcastable");
  context.setOutputShape(0, *all);
  return setSelectContents(context, *all);
}

Status inferCast(InferenceContext &context) {
  context.setOutputShape(0, context.inputShape(0));
  setCastContents(context);
  return okStatus();
}

Status inferBiasAdd(InferenceContext &context) {
  SymShape value = context.inputShape(0);
  const SymShape &bias = context.inputShape(1);
  if (bias.rankKnown && bias.rank() != 1)
    return context.error("Biases must be 1D: " +
                         context.dims().format(bias.dims));
  KILN_ASSIGN_OR_RETURN(int channel, channelDim(context, value));
  if (channel >= 0 && bias.rankKnown) {
    GuardInfo info{.prefix = "Must provide as many biases as the last "
                             "dimension of the input tensor: ",
                   .joiner = " vs. ",
                   .lhs = &bias.dims,
                   .rhs = &context.inputShape(0).dims};
    Dim &extent = value.dims[static_cast<size_t>(channel)];
    KILN_ASSIGN_OR_RETURN(extent,
                          context.dims().unify(extent, bias.dims[0], info));
  }
  context.setOutputShape(0, std::move(value));
  return okStatus();
}

Status inferBiasAddGrad(InferenceContext &context) {
  const SymShape &gradient = context.inputShape(0);
  KILN_ASSIGN_OR_RETURN(int channel, channelDim(context, gradient));
  context.setOutputShape(
      0, SymShape::of({channel < 0
                           ? Dim::unknown()
                           : gradient.dims[static_cast<size_t>(channel)]}));
  return okStatus();
}

Status inferSoftmax(InferenceContext &context) {
  if (context.inputShape(0).rank() == 0)
    return context.error("Input dims must be <= 5 and >=1");
  return inferSame(context);
}

Status inferScalar(InferenceContext &context) {
  context.setOutputShape(0, SymShape::scalar());
  return okStatus();
}

Status inferClip(InferenceContext &context) {
  const SymShape &value = context.inputShape(0);
  context.setOutputShape(0, value);
  const SymShape &low = context.inputShape(1), &high = context.inputShape(2);
  std::string suffix =
      strCat("clip_value_max shape: ", context.dims().format(high.dims));
  for (const SymShape *bound : {&low, &high}) {
    if (!value.rankKnown || !bound->rankKnown || bound->rank() == 0)
      continue;
    Dims shape = value.dims, lowShape = low.dims;
    GuardInfo info{.prefix = "clip_value_min and clip_value_max must be either "
                             "of the same shape as input, or a "
                             "scalar. input shape: ",
                   .joiner = "clip_value_min shape: ",
                   .suffix = suffix,
                   .lhs = &shape,
                   .rhs = &lowShape};
    if (bound->rank() != value.rank())
      return context.dims().error(info);
    for (size_t i = 0; i < shape.size(); ++i)
      KILN_RETURN_IF_ERROR(
          context.dims().unify(value.dims[i], bound->dims[i], info).status());
  }
  return okStatus();
}

} // namespace kiln::shapes
