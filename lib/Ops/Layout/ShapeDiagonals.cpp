// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of diagonals and bands.
#include "lib/OpDefs/Contents.h"
#include "lib/OpDefs/Inference.h"
#include "lib/Ops/Layout/DiagonalRange.h"
#include "lib/Ops/Layout/Shape.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace kiln::shapes {
namespace {

/// What input `i`, where there is one, says; nothing where it is not known.
/// **Errors**: INVALID_ARGUMENT with TensorFlow's texts.
StatusOr<std::optional<DiagonalRange>> rangeOf(InferenceContext &context,
                                               int i) {
  if (i >= context.numInputs())
    return std::optional(DiagonalRange());
  auto numbers = knownNumbers(context.inputContents(i));
  if (!numbers)
    return std::optional<DiagonalRange>();
  if (numbers->empty() || numbers->size() > 2)
    return context.error(
        strCat("diag_index must have only one or two elements, received ",
               numbers->size(), " elements."));
  DiagonalRange range{numbers->front(), numbers->back()};
  if (range.lower > range.upper)
    return context.error(
        strCat("lower_diag_index must not be larger than upper_diag_index: ",
               range.lower, " > ", range.upper));
  return std::optional(range);
}

StatusOr<SymShape> matricesOf(InferenceContext &context) {
  const SymShape &input = context.inputShape(0);
  if (input.rankKnown && input.rank() < 2)
    return context.error(
        strCat("input must be at least 2-dim, received shape: ",
               context.dims().format(input.dims)));
  return input;
}

/// Demands that each bound is a diagonal of the matrices: 0 of empty ones, too.
Status checkBounds(InferenceContext &context, const SymShape &matrices,
                   DiagonalRange range) {
  size_t rank = matrices.dims.size();
  Dim rows = matrices.dims[rank - 2], columns = matrices.dims[rank - 1];
  for (bool isLower : {true, false}) {
    int64_t bound = isLower ? range.lower : range.upper;
    if (bound == 0)
      continue;
    if (bound == std::numeric_limits<int64_t>::min())
      bound += 1;
    std::string prefix = strCat(isLower ? "lower" : "upper",
                                "_diag_index is out of bound: ", bound,
                                isLower ? "." : "", " It must be between -");
    Dims height = {rows}, width = {columns};
    KILN_RETURN_IF_ERROR(context.dims().require(Guard::Kind::LessEqual,
                                                Dim::known(std::abs(bound) + 1),
                                                bound < 0 ? rows : columns,
                                                {.prefix = prefix,
                                                 .joiner = " and ",
                                                 .lhs = &height,
                                                 .rhs = &width,
                                                 .asNumbers = true}));
  }
  return okStatus();
}

} // namespace

Dim longestDiagonal(DimSpace &space, DiagonalRange range, Dim rows,
                    Dim columns) {
  return space.min(
      space.add(rows, Dim::known(std::min<int64_t>(range.upper, 0))),
      space.sub(columns, Dim::known(std::max<int64_t>(range.lower, 0))));
}

Status inferMatrixBandPart(InferenceContext &context) {
  KILN_ASSIGN_OR_RETURN(SymShape shape, matricesOf(context));
  for (int i : {1, 2})
    if (context.inputShape(i).rankKnown && context.inputShape(i).rank() != 0)
      return context.error(strCat(
          i == 1 ? "num_lower" : "num_upper", " must be scalar, got shape ",
          context.dims().format(context.inputShape(i).dims)));
  context.setOutputShape(0, std::move(shape));
  return okStatus();
}

Status inferDiag(InferenceContext &context) {
  SymShape shape = context.inputShape(0);
  if (shape.rankKnown) {
    if (shape.rank() == 0)
      return context.error("Input must be at least rank 1, got 0");
    Dims twice = shape.dims;
    shape.dims.insert(shape.dims.end(), twice.begin(), twice.end());
  }
  context.setOutputShape(0, std::move(shape));
  return okStatus();
}

Status inferDiagPart(InferenceContext &context) {
  SymShape shape = context.inputShape(0);
  if (!shape.rankKnown)
    return okStatus();
  size_t half = shape.dims.size() / 2;
  if (shape.dims.size() % 2 != 0)
    return context.error(
        strCat("The rank of the tensor should be even and positive, got shape ",
               context.dims().format(shape.dims)));
  for (size_t i = 0; i < half; ++i) {
    std::string suffix =
        strCat(": dimensions ", i, " and ", i + half, " do not match.");
    KILN_ASSIGN_OR_RETURN(
        shape.dims[i], context.dims().unify(shape.dims[i], shape.dims[i + half],
                                            {.prefix = "Invalid shape ",
                                             .suffix = suffix,
                                             .lhs = &shape.dims}));
  }
  shape.dims.resize(half);
  context.setOutputShape(0, std::move(shape));
  return okStatus();
}

Status inferMatrixDiag(InferenceContext &context) {
  SymShape shape = context.inputShape(0);
  if (shape.rankKnown && shape.rank() == 0)
    return context.error("diagonal must be at least 1-dim, received shape: []");
  KILN_ASSIGN_OR_RETURN(std::optional<DiagonalRange> range,
                        rangeOf(context, 1));
  if (!range || !shape.rankKnown)
    return okStatus();
  DimSpace &space = context.dims();
  Dim length = shape.dims.back(), given[2] = {Dim::known(-1), Dim::known(-1)};
  for (int i : {2, 3})
    if (i < context.numInputs())
      given[i - 2] = scalarSize(context, i);
  shape.dims.pop_back();
  if (range->count() > 1) {
    GuardInfo info{.prefix =
                       "The number of diagonals provided in the input does not "
                       "match the lower_diag_index and upper_diag_index "
                       "range."};
    if (shape.dims.empty())
      return space.error(info);
    KILN_RETURN_IF_ERROR(
        space.unify(shape.dims.back(), Dim::known(range->count()), info)
            .status());
    shape.dims.pop_back();
  }
  Dim least[2] = {
      space.sub(length, Dim::known(std::min<int64_t>(range->upper, 0))),
      space.add(length, Dim::known(std::max<int64_t>(range->lower, 0)))};
  Dim square = space.max(least[0], least[1]);
  bool isOpen = given[0].isKnown(-1) && given[1].isKnown(-1);
  for (int i : {0, 1}) {
    Dim extent = given[i].isKnown(-1) ? (isOpen ? square : least[i]) : given[i];
    std::string prefix =
        strCat("The number of ", i == 0 ? "rows" : "columns", " is too small.");
    if (extent.isKnown() && extent.value < 0)
      return context.error(prefix);
    KILN_RETURN_IF_ERROR(space.require(Guard::Kind::LessEqual, least[i], extent,
                                       {.prefix = prefix}));
    given[i] = extent;
  }
  if (given[0].isKnown() && given[1].isKnown() && least[0].isKnown() &&
      given[0] != least[0] && given[1] != least[1])
    return context.error("The number of rows or columns is not consistent with "
                         "the specified d_lower, d_upper, and diagonal.");
  shape.dims.insert(shape.dims.end(), {given[0], given[1]});
  context.setOutputShape(0, std::move(shape));
  return okStatus();
}

Status inferMatrixDiagPart(InferenceContext &context) {
  KILN_ASSIGN_OR_RETURN(SymShape shape, matricesOf(context));
  KILN_ASSIGN_OR_RETURN(std::optional<DiagonalRange> range,
                        rangeOf(context, 1));
  if (context.numInputs() > 2 && context.inputShape(2).rankKnown &&
      context.inputShape(2).rank() != 0)
    return context.error("Padding must be scalar.");
  if (!range || !shape.rankKnown)
    return okStatus();
  KILN_RETURN_IF_ERROR(checkBounds(context, shape, *range));
  size_t rank = shape.dims.size();
  Dim length = longestDiagonal(context.dims(), *range, shape.dims[rank - 2],
                               shape.dims[rank - 1]);
  shape.dims.resize(rank - 2);
  if (range->count() > 1)
    shape.dims.push_back(Dim::known(range->count()));
  shape.dims.push_back(length);
  context.setOutputShape(0, std::move(shape));
  return okStatus();
}

Status inferMatrixSetDiag(InferenceContext &context) {
  KILN_ASSIGN_OR_RETURN(SymShape shape, matricesOf(context));
  KILN_ASSIGN_OR_RETURN(std::optional<DiagonalRange> range,
                        rangeOf(context, 2));
  context.setOutputShape(0, shape);
  const SymShape &diagonal = context.inputShape(1);
  if (diagonal.rankKnown && diagonal.rank() == 0)
    return context.error("diagonal must be at least 1-dim, received shape: []");
  if (!range || !shape.rankKnown || !diagonal.rankKnown)
    return okStatus();
  KILN_RETURN_IF_ERROR(checkBounds(context, shape, *range));
  GuardInfo info{
      .prefix = "Either first dimensions of diagonal don't match "
                "input.shape[:-2], or diagonal.shape[:-1] is not equal to the "
                "longests diagonal in range "
                "[lower_diag_index:upper_diag_index]."};
  size_t rank = shape.dims.size();
  Dims expected(shape.dims.begin(), shape.dims.end() - 2);
  if (range->count() > 1)
    expected.push_back(Dim::known(range->count()));
  expected.push_back(longestDiagonal(
      context.dims(), *range, shape.dims[rank - 2], shape.dims[rank - 1]));
  if (expected.size() != diagonal.dims.size())
    return context.dims().error(info);
  if (size_t place = expected.size() - 2;
      range->count() > 1 && diagonal.dims[place].isKnown() &&
      diagonal.dims[place] != expected[place])
    return context.error("The number of diagonals provided in `diag` is not "
                         "consistent with `lower_diag_index` and "
                         "`upper_diag_index`");
  for (size_t i = 0; i < expected.size(); ++i)
    KILN_RETURN_IF_ERROR(
        context.dims().unify(expected[i], diagonal.dims[i], info).status());
  return okStatus();
}

} // namespace kiln::shapes
