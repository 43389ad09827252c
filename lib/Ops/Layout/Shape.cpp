// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of mirrored borders, shifts, turned sequences and largest
// elements.
#include "lib/Ops/Layout/Shape.h"

#include "lib/OpDefs/Contents.h"
#include "lib/OpDefs/Inference.h"
#include "lib/Shape/Rules.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln::shapes {
namespace {

/// Before and after each dimension; nothing where that is not known.
StatusOr<std::optional<Dims>> paddingsOf(InferenceContext &context) {
  using Result = std::optional<Dims>;
  const SymShape &input = context.inputShape(0);
  if (!input.rankKnown)
    return Result();
  const Dims *paddings = context.inputAmounts(1);
  const SymShape pairs = context.dims().resolve(context.inputShape(1));
  if (!paddings)
    return Result();
  if (pairs.rank() != 2 || paddings->size() != 2 * input.dims.size())
    return context.error(
        strCat("The first dimension of paddings must be the rank of inputs",
               context.dims().format(pairs.dims), ", ",
               context.dims().format(input.dims)));
  for (size_t i = 0; i < paddings->size(); i += 2) {
    Dims before = {(*paddings)[i]}, after = {(*paddings)[i + 1]};
    for (Dim amount : {before[0], after[0]})
      KILN_RETURN_IF_ERROR(
          context.dims().require(Guard::Kind::NonNegative, amount, Dim(),
                                 {.prefix = "paddings must be non-negative: ",
                                  .joiner = " ",
                                  .lhs = &before,
                                  .rhs = &after,
                                  .asNumbers = true}));
  }
  return Result(*paddings);
}

/// Demands that what is mirrored lies in a dimension: without its last element
/// where that is not repeated (REFLECT).
Status checkMirrored(InferenceContext &context, Dim extent, Dim before,
                     Dim after, const char *of) {
  bool reflects = context.stringAttr("mode") == "REFLECT";
  std::string prefix =
                  strCat("paddings must be ", reflects ? "less" : "no greater",
                         " than the ", of, "dimension size: "),
              joiner = reflects ? " not less than " : " greater than ";
  DimSpace &space = context.dims();
  Dims amounts = {before, after}, size = {extent};
  for (Dim amount : amounts)
    KILN_RETURN_IF_ERROR(space.require(
        Guard::Kind::LessEqual, space.add(amount, Dim::known(reflects)), extent,
        {.prefix = prefix,
         .joiner = joiner,
         .lhs = &amounts,
         .rhs = &size,
         .asNumbers = true}));
  return okStatus();
}

/// Demands that something is left between the borders, which TensorFlow's
/// kernel of the gradient wants of extents of 0, too.
Status checkTotal(InferenceContext &context, Dim extent, Dim total) {
  if (context.isBuilding())
    return okStatus();
  DimSpace &space = context.dims();
  Dims sum = {total}, size = {extent};
  return space.require(
      Guard::Kind::LessEqual, space.add(total, Dim::known(1)), extent,
      {.prefix = "Total paddings must be less than the input dimension size: ",
       .joiner = " was not less than ",
       .lhs = &sum,
       .rhs = &size,
       .asNumbers = true});
}

/// Output 0 has the input's shape.
Status keepShape(InferenceContext &context) {
  context.setOutputShape(0, context.inputShape(0));
  return okStatus();
}

} // namespace

Status inferMirrorPad(InferenceContext &context) {
  KILN_ASSIGN_OR_RETURN(auto paddings, paddingsOf(context));
  SymShape shape = context.inputShape(0);
  if (!paddings) {
    if (shape.rankKnown)
      context.setOutputShape(0, SymShape::unknownDims(shape.dims.size()));
    return okStatus();
  }
  for (size_t i = 0; i < shape.dims.size(); ++i) {
    Dim before = (*paddings)[2 * i], after = (*paddings)[2 * i + 1];
    KILN_RETURN_IF_ERROR(
        checkMirrored(context, shape.dims[i], before, after, ""));
    shape.dims[i] =
        context.dims().add(context.dims().add(shape.dims[i], before), after);
  }
  context.setOutputShape(0, std::move(shape));
  return okStatus();
}

Status inferMirrorPadGrad(InferenceContext &context) {
  KILN_ASSIGN_OR_RETURN(auto paddings, paddingsOf(context));
  SymShape shape = context.inputShape(0);
  if (!paddings) {
    if (shape.rankKnown)
      context.setOutputShape(0, SymShape::unknownDims(shape.dims.size()));
    return okStatus();
  }
  for (size_t i = 0; i < shape.dims.size(); ++i) {
    Dim before = (*paddings)[2 * i], after = (*paddings)[2 * i + 1],
        total = context.dims().add(before, after);
    KILN_RETURN_IF_ERROR(checkTotal(context, shape.dims[i], total));
    shape.dims[i] = context.dims().sub(shape.dims[i], total);
    KILN_RETURN_IF_ERROR(
        checkMirrored(context, shape.dims[i], before, after, "output "));
  }
  context.setOutputShape(0, std::move(shape));
  return okStatus();
}

Status inferRoll(InferenceContext &context) {
  const SymShape &input = context.inputShape(0);
  if (input.rankKnown && input.rank() == 0)
    return context.error("input must be 1-D or higher");
  for (int i : {1, 2})
    if (context.inputShape(i).rankKnown && context.inputShape(i).rank() > 1)
      return context.error(
          strCat(i == 1 ? "shift" : "axis",
                 " must be a scalar or a 1-D vector. Found: ",
                 context.dims().format(context.inputShape(i).dims)));
  const Dims *shifts = context.inputAmounts(1),
             *axes = context.inputContents(2);
  if (shifts && axes && shifts->size() != axes->size())
    return context.error("shift and axis must have the same size");
  if (auto numbers = knownNumbers(axes); numbers && input.rankKnown)
    for (int64_t axis : *numbers)
      if (!normalizeAxis(axis, input.rank()))
        return context.error(strCat("axis ",
                                    axis < 0 ? axis + input.rank() : axis,
                                    " is out of range"));
  return keepShape(context);
}

Status inferReverseSequence(InferenceContext &context) {
  const SymShape &input = context.inputShape(0),
                 &lengths = context.inputShape(1);
  int64_t sequence = context.intAttr("seq_dim"),
          batch = context.intAttr("batch_dim");
  if (lengths.rankKnown && lengths.rank() != 1)
    return context.error(
        strCat("seq_lens input must be 1-dim, not ", lengths.rank()));
  if (!input.rankKnown)
    return okStatus();
  int64_t rank = input.rank();
  if (batch == sequence)
    return context.error(strCat("batch_dim == seq_dim == ", sequence));
  if (sequence < 0 || sequence >= rank)
    return context.error(strCat("seq_dim must be < input rank ( ", sequence,
                                " vs. ", rank, ")"));
  if (batch < 0 || batch >= rank)
    return context.error(
        strCat("batch_dim must be < input rank ( ", batch, " vs. ", rank, ")"));
  SymShape output = input;
  if (lengths.rankKnown) {
    Dims got = {lengths.dims[0]},
         expected = {input.dims[static_cast<size_t>(batch)]};
    std::string prefix =
        strCat("Length of seq_lengths != input.dims(", batch, "), (");
    KILN_ASSIGN_OR_RETURN(output.dims[static_cast<size_t>(batch)],
                          context.dims().unify(expected[0], got[0],
                                               {.prefix = prefix,
                                                .joiner = " vs. ",
                                                .suffix = ")",
                                                .lhs = &got,
                                                .rhs = &expected,
                                                .asNumbers = true}));
  }
  context.setOutputShape(0, std::move(output));
  return okStatus();
}

Status inferTopK(InferenceContext &context) {
  SymShape shape = context.inputShape(0);
  if (shape.rankKnown && shape.rank() == 0)
    return context.error("input must be >= 1-D, got shape []");
  Dim k;
  if (context.numInputs() == 1) {
    k = Dim::known(context.intAttr("k"));
  } else {
    const SymShape &given = context.inputShape(1);
    if (given.rankKnown && given.rank() != 0)
      return context.error(strCat("k must be scalar, got shape ",
                                  context.dims().format(given.dims)));
    k = scalarAmount(context, 1);
  }
  Dims needed = {k};
  KILN_RETURN_IF_ERROR(context.dims().require(
      Guard::Kind::NonNegative, k, Dim(),
      {.prefix = "Need k >= 0, got ", .lhs = &needed, .asNumbers = true}));
  if (!shape.rankKnown)
    return okStatus();
  Dims had = {shape.dims.back()};
  KILN_RETURN_IF_ERROR(context.dims().require(
      Guard::Kind::LessEqual, k, shape.dims.back(),
      {.prefix = "input must have at least k columns. Had ",
       .joiner = ", needed ",
       .lhs = &had,
       .rhs = &needed,
       .asNumbers = true}));
  shape.dims.back() = k;
  context.setOutputShape(0, shape);
  context.setOutputShape(1, std::move(shape));
  return okStatus();
}

/// TensorFlow has a kernel for the last dimension and the largest elements
/// alone, and it gives k of them whatever the shape function says.
Status inferApproxTopK(InferenceContext &context) {
  const SymShape &input = context.inputShape(0);
  const int64_t dim = context.intAttr("reduction_dimension");
  if (input.rankKnown && !normalizeAxis(dim, input.rank()))
    return context.error(strCat("Invalid reduction dimension: ", dim,
                                ". Must be within the range of [",
                                -input.rank(), ", ", input.rank() - 1, "]"));
  const bool isMax = context.boolAttr("is_max_k");
  if (!context.isBuilding() && (dim != -1 || !isMax))
    return context.error(
        strCat("No OpKernel was registered to support Op 'ApproxTopK' with "
               "these attrs: [reduction_dimension=",
               dim, ", is_max_k=", isMax ? "true" : "false", "]"));
  if (dim == -1)
    return inferTopK(context);
  for (int i : {0, 1})
    context.setOutputShape(i, input.rankKnown
                                  ? SymShape::unknownDims(input.dims.size())
                                  : SymShape());
  return okStatus();
}

Status inferNthElement(InferenceContext &context) {
  SymShape shape = context.inputShape(0);
  const SymShape &n = context.inputShape(1);
  if (shape.rankKnown && shape.rank() == 0)
    return context.error("Input must be at least rank 1 but is rank 0");
  if (n.rankKnown && n.rank() != 0)
    return context.error(strCat("N must be scalar but has rank ", n.rank()));
  if (shape.rankKnown)
    shape.dims.pop_back();
  context.setOutputShape(0, std::move(shape));
  return okStatus();
}

} // namespace kiln::shapes
