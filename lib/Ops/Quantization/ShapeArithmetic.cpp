// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of arithmetic on quantized numbers: those of the ops on other
// numbers, and the ends of ranges, which are scalars.
#include "lib/OpDefs/Ranks.h"
#include "lib/Ops/Array/Shape.h"
#include "lib/Ops/Convolution/WindowAttrs.h"
#include "lib/Ops/Linalg/Shape.h"
#include "lib/Ops/Math/Shape.h"
#include "lib/Ops/Quantization/Ends.h"
#include "lib/Ops/Quantization/Shape.h"
#include "lib/Shape/Rules.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln::shapes {
namespace {

/// Extent d of input i; unknown where the rank is.
Dim extentAt(const InferenceContext &context, int i, int d) {
  const SymShape &shape = context.inputShape(i);
  return shape.rankKnown ? shape.dims[static_cast<size_t>(d)] : Dim::unknown();
}

/// Outputs from `first` on are the ends of the range of those before.
void setEnds(InferenceContext &context, int first = 1) {
  for (int i = first; i < context.numOutputs(); ++i)
    context.setOutputShape(i, SymShape::of({}));
}

/// Demands one element, whatever the rank: "min must be ..., got [2]", where
/// `shows` says whether the text has the number at its end.
Status demandOne(InferenceContext &context, const SymShape &shape,
                 std::string_view text, bool shows = false,
                 std::string_view suffix = {}) {
  const Dims elements = {context.dims().product(shape.dims)};
  GuardInfo info{.prefix = text, .suffix = suffix};
  if (shows) {
    info.lhs = &elements;
    info.asNumbers = true;
  }
  return context.dims().unify(elements[0], Dim::known(1), info).status();
}

Status invalidRank(InferenceContext &context, std::string_view what, int rank,
                   const SymShape &shape) {
  return context.error(
      strCat(what, " must be rank ", rank, " but is rank ", shape.rank()));
}

/// A graph may hold a range that only the kernel refuses, if its shape is not
/// known before the run.
Status checkEnd(InferenceContext &context, EndText text, int i,
                std::string_view name) {
  const SymShape &shape = context.inputShape(i);
  if (!shape.rankKnown || shape.rank() == 0)
    return okStatus();
  if (context.isBuilding())
    return context.withRank(shape, 0).status();
  const std::string given = context.dims().format(shape.dims);
  switch (text) {
  case EndText::Quoted:
    return invalidRank(context, strCat("`", name, "`"), 0, shape);
  case EndText::Plain:
    return invalidRank(context, name, 0, shape);
  case EndText::Number:
    return context.error(strCat(name, " must be a scalar"));
  case EndText::Received:
    return context.error(strCat(name, " shape must be rank 0 but is rank ",
                                shape.rank(), ", received shape: ", given));
  case EndText::OneElement:
    return demandOne(context, shape, strCat(name, " must have 1 element"));
  case EndText::NotEmpty:
    return context.dims().require(
        Guard::Kind::LessEqual, Dim::known(1),
        context.dims().product(shape.dims),
        {.prefix = strCat(name, " must not be empty.")});
  case EndText::OneOrVector: {
    const std::string text =
        strCat(name, " must be a scalar or a vector of 1 element");
    return shape.rank() > 1 ? context.error(text)
                            : demandOne(context, shape, text);
  }
  }
  return okStatus();
}

/// The rank of an input of an op that says of a wrong one what `what` is.
Status checkRank(InferenceContext &context, int i, int rank,
                 std::string_view what) {
  const SymShape &shape = context.inputShape(i);
  if (!shape.rankKnown || shape.rank() == rank)
    return okStatus();
  return context.isBuilding() ? context.withRank(shape, rank).status()
                              : invalidRank(context, what, rank, shape);
}

/// Whether an operand, without the 1s that it begins with, has the last
/// dimensions of the result of a broadcast, as this run has them: in another
/// one of the same code it may be broadcast in other ways, and rightly.
bool isRepeated(DimSpace &dims, const Dims &operand, const Dims &result) {
  auto first = std::find_if(operand.begin(), operand.end(), [&](Dim dim) {
    return !dims.resolve(dim).isKnown(1);
  });
  return std::equal(first, operand.end(),
                    result.end() - (operand.end() - first), [&](Dim a, Dim b) {
                      return dims.equal(a, b) ||
                             dims.sampleOf(a) == dims.sampleOf(b);
                    });
}

/// Demands what TensorFlow's kernels of two operands can do: they repeat the
/// one of fewer elements as it lies in memory.
Status checkRepeated(InferenceContext &context, const Dims &x, const Dims &y,
                     const Dims &result) {
  DimSpace &dims = context.dims();
  if (!isRepeated(dims, x, result) || !isRepeated(dims, y, result))
    return unimplementedError(strCat("Broadcast between ", dims.format(x),
                                     " and ", dims.format(y),
                                     " is not supported yet."))
        .withNode(context.node().name());
  const Dim elementsX = dims.product(x), elementsY = dims.product(y);
  if (dims.equal(elementsX, elementsY) || elementsX.isKnown(1) ||
      elementsY.isKnown(1))
    return okStatus();
  return dims.require(Guard::Kind::NonZero, dims.product(result), Dim::known(0),
                      {.prefix = context.node().op() == "QuantizedMul"
                                     ? "vector must have at least 1 element"
                                     : "Must have some elements to add"});
}

} // namespace

Status checkEnds(InferenceContext &context, EndText text, int first,
                 std::initializer_list<std::string_view> names) {
  for (std::string_view name : names)
    KILN_RETURN_IF_ERROR(checkEnd(context, text, first++, name));
  return okStatus();
}

Status inferRequantize(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(
      checkEnds(context, EndText::Quoted, 1, {"input_min", "input_max"}));
  if (context.numInputs() > 3)
    KILN_RETURN_IF_ERROR(
        checkEnds(context, EndText::Quoted, 3,
                  {"requested_output_min", "requested_output_max"}));
  context.setOutputShape(0, context.inputShape(0));
  setEnds(context);
  return okStatus();
}

Status inferRequantizationRange(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(
      checkEnds(context, EndText::NotEmpty, 1, {"Input min", "Input max"}));
  setEnds(context, 0);
  return okStatus();
}

Status inferQuantizedActivation(InferenceContext &context) {
  const int first = context.numInputs() - 2;
  KILN_RETURN_IF_ERROR(
      checkEnds(context, EndText::Quoted, first, {"min_input", "max_input"}));
  if (first == 2)
    KILN_RETURN_IF_ERROR(checkEnds(context, EndText::Quoted, 1, {"max_value"}));
  context.setOutputShape(0, context.inputShape(0));
  setEnds(context);
  return okStatus();
}

Status inferQuantizedMatMul(InferenceContext &context) {
  const std::string_view names[] = {"min_a", "max_a", "min_b", "max_b"};
  for (int i = 0; i < 4; ++i) {
    const SymShape &shape = context.inputShape(i + 2);
    if (!shape.rankKnown || shape.rank() == 0)
      continue;
    if (context.isBuilding())
      return context.withRank(shape, 0).status();
    // The first must be a number, the others may be one in a vector.
    const std::string text =
        strCat(names[i], " must be a scalar, but got shape");
    if (i == 0)
      return context.error(strCat(text, context.dims().format(shape.dims)));
    KILN_RETURN_IF_ERROR(
        demandOne(context, shape, strCat(text, "["), true, "]"));
  }
  KILN_RETURN_IF_ERROR(inferMatMul(context));
  setEnds(context);
  return okStatus();
}

/// What the kernel takes of the attributes that Conv2D has, too.
static Status checkConvolution(InferenceContext &context) {
  const std::vector<int64_t> strides = context.intsAttr("strides"),
                             dilations = context.intsAttr("dilations");
  if (strides.size() != 4 || dilations.size() != 4)
    return okStatus(); // checkWindowAttrs() refuses them
  if (strides[1] != strides[2])
    return context.error("Current implementation only supports equal length "
                         "strides in the row and column dimensions.");
  if (strides[0] != 1 || strides[3] != 1)
    return context.error("Current implementation does not yet support strides "
                         "in the batch and depth dimensions.");
  if (dilations[1] != 1 || dilations[2] != 1)
    return context.error("Current implementation only supports dilated rate as "
                         "1 in the row and column dimensions.");
  if (dilations[0] != 1 || dilations[3] != 1)
    return context.error("Current implementation does not yet support "
                         "dilations in the batch and depth dimensions.");
  return okStatus();
}

Status inferQuantizedConv2D(InferenceContext &context) {
  if (!context.isBuilding())
    KILN_RETURN_IF_ERROR(checkConvolution(context));
  KILN_RETURN_IF_ERROR(checkRank(context, 0, 4, "input"));
  KILN_RETURN_IF_ERROR(checkRank(context, 1, 4, "filter"));
  KILN_RETURN_IF_ERROR(
      checkEnds(context, EndText::Plain, 2,
                {"min_input", "max_input", "min_filter", "max_filter"}));
  const Dims image = {extentAt(context, 0, 3)},
             filter = {extentAt(context, 1, 2)};
  if (!context.isBuilding())
    KILN_RETURN_IF_ERROR(
        context.dims()
            .unify(image[0], filter[0],
                   {.prefix = "input and filter must have the same depth: ",
                    .joiner = " vs ",
                    .lhs = &image,
                    .rhs = &filter,
                    .asNumbers = true})
            .status());
  KILN_RETURN_IF_ERROR(checkWindowAttrs(context, 2));
  const WindowSpec spec = windowSpecOf(context, context.def(), 2);
  auto extents = [&](int i, int first) {
    return Dims{extentAt(context, i, first), extentAt(context, i, first + 1)};
  };
  KILN_ASSIGN_OR_RETURN(
      std::vector<WindowDim> windows,
      spec.plan(context.dims(), extents(0, 1), extents(1, 0)));
  context.setOutputShape(
      0, SymShape::of({extentAt(context, 0, 0), windows[0].output,
                       windows[1].output, extentAt(context, 1, 3)}));
  setEnds(context);
  return okStatus();
}

Status inferQuantizedBiasAdd(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(
      checkEnds(context, EndText::Quoted, 2,
                {"min_input", "max_input", "min_bias", "max_bias"}));
  KILN_RETURN_IF_ERROR(inferBiasAdd(context));
  if (!context.isBuilding())
    KILN_RETURN_IF_ERROR(context.dims().require(
        Guard::Kind::LessEqual, Dim::known(1), extentAt(context, 1, 0),
        {.prefix = "Must provide at least 1 bias"}));
  setEnds(context);
  return okStatus();
}

Status inferQuantizedBinary(InferenceContext &context) {
  if (!context.isBuilding())
    KILN_RETURN_IF_ERROR(checkEnds(context,
                                   context.node().op() == "QuantizedMul"
                                       ? EndText::Number
                                       : EndText::Quoted,
                                   2, {"min_x", "max_x", "min_y", "max_y"}));
  const SymShape &x = context.inputShape(0), &y = context.inputShape(1);
  setEnds(context);
  if (!x.rankKnown || !y.rankKnown)
    return okStatus();
  KILN_RETURN_IF_ERROR(demandBroadcast(context, x.dims, y.dims));
  KILN_ASSIGN_OR_RETURN(Dims dims,
                        broadcastShapes(context.dims(), x.dims, y.dims));
  if (!context.isBuilding())
    KILN_RETURN_IF_ERROR(checkRepeated(context, x.dims, y.dims, dims));
  context.setOutputShape(0, SymShape::of(std::move(dims)));
  return okStatus();
}

Status inferQuantizedConcat(InferenceContext &context) {
  const int count = (context.numInputs() - 1) / 3;
  for (int i = 1 + count; i < context.numInputs(); ++i) {
    const SymShape &shape = context.inputShape(i);
    const bool isFirst = i <= 2 * count;
    if (context.isBuilding())
      KILN_RETURN_IF_ERROR(context.withRank(shape, 0).status());
    else if (shape.rankKnown && shape.rank() > 0)
      KILN_RETURN_IF_ERROR(demandOne(
          context, shape,
          strCat(isFirst ? "input_mins" : "input_maxes",
                 " each tensor's num elements must be 1, given num elements "),
          true, strCat(" in index ", (i - 1) % count)));
  }
  setEnds(context);
  std::vector<Dims> parts;
  for (int i = 1; i <= count; ++i) {
    const SymShape &shape = context.inputShape(i);
    if (!shape.rankKnown)
      return okStatus();
    parts.push_back(shape.dims);
  }
  const SymShape &axisShape = context.inputShape(0);
  if (axisShape.rankKnown && axisShape.rank() != 0)
    return context.error(
        strCat("Concat dim tensor should be a scalar integer, but got shape ",
               context.dims().format(axisShape.dims)));
  const Dims *axis = context.inputContents(0);
  if (!axis || axis->size() != 1 || !(*axis)[0].isKnown()) {
    context.setOutputShape(0, SymShape::unknownDims(parts[0].size()));
    return okStatus();
  }
  const int64_t number = (*axis)[0].value;
  const auto rank = static_cast<int64_t>(parts[0].size());
  if (!context.isBuilding() && (number < 0 || number >= rank))
    return context.error(
        strCat("ConcatOp : Expected concatenating dimensions in the range [0, ",
               rank, "), but got ", number));
  KILN_ASSIGN_OR_RETURN(Dims dims, concatShape(context.dims(), parts, number));
  context.setOutputShape(0, SymShape::of(std::move(dims)));
  return okStatus();
}

Status inferQuantizedReshape(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(inferReshape(context));
  KILN_RETURN_IF_ERROR(
      checkEnds(context, EndText::OneOrVector, 2, {"input_min", "input_max"}));
  setEnds(context);
  return okStatus();
}

} // namespace kiln::shapes
