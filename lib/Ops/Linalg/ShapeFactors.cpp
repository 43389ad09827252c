// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of factorizations and of systems of equations.
#include "lib/OpDefs/Inference.h"
#include "lib/Ops/Linalg/Shape.h"
#include "lib/Shape/Rules.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln::shapes {
namespace {

Dims without(const Dims &dims, size_t last) {
  return Dims(dims.begin(), dims.end() - static_cast<ptrdiff_t>(last));
}
SymShape with(Dims outer, std::initializer_list<Dim> inner) {
  outer.insert(outer.end(), inner.begin(), inner.end());
  return SymShape::of(std::move(outer));
}

/// The shape of a batch of matrices. **Errors**: "Input tensor 0 must have rank
/// >= 2, got 1".
StatusOr<SymShape> matrices(InferenceContext &context, int i) {
  const SymShape &shape = context.inputShape(i);
  if (shape.rankKnown && shape.rank() < 2)
    return context.error(
        strCat("Input tensor ", i, " must have rank >= 2, got ", shape.rank()));
  return shape;
}

StatusOr<SymShape> squareMatrices(InferenceContext &context, int i,
                                  std::string_view message) {
  KILN_ASSIGN_OR_RETURN(SymShape shape, matrices(context, i));
  if (!shape.rankKnown)
    return shape;
  const size_t rank = shape.dims.size();
  KILN_ASSIGN_OR_RETURN(Dim side, context.dims().unify(shape.dims[rank - 2],
                                                       shape.dims[rank - 1],
                                                       {.prefix = message}));
  shape.dims[rank - 2] = shape.dims[rank - 1] = side;
  return shape;
}
StatusOr<SymShape> squareMatrices(InferenceContext &context, int i) {
  return squareMatrices(context, i, "Input matrix must be square.");
}

/// Makes the dimensions of two tensors but the last two the same; nothing where
/// one has no known rank.
StatusOr<std::optional<Dims>>
commonBatch(InferenceContext &context, const SymShape &a, const SymShape &b) {
  if (!a.rankKnown || !b.rankKnown)
    return std::optional<Dims>();
  if (a.rank() != b.rank())
    return context.error("All input tensors must have the same rank.");
  KILN_ASSIGN_OR_RETURN(
      Dims batch,
      unifyShapes(context.dims(), without(a.dims, 2), without(b.dims, 2),
                  {.prefix = "All input tensors must have the same outer "
                             "dimensions."}));
  return std::optional<Dims>(std::move(batch));
}

StatusOr<Dim> commonRows(InferenceContext &context, const SymShape &a,
                         const SymShape &b) {
  return context.dims().unify(
      a.dims[a.dims.size() - 2], b.dims[b.dims.size() - 2],
      {.prefix = "Input matrix and rhs are incompatible."});
}

} // namespace

Status inferSquare(InferenceContext &context) {
  KILN_ASSIGN_OR_RETURN(SymShape shape, squareMatrices(context, 0));
  context.setOutputShape(0, std::move(shape));
  return okStatus();
}

Status inferCholeskyGrad(InferenceContext &context) {
  KILN_ASSIGN_OR_RETURN(SymShape a, matrices(context, 0));
  KILN_ASSIGN_OR_RETURN(SymShape b, matrices(context, 1));
  KILN_RETURN_IF_ERROR(commonBatch(context, a, b).status());
  if (a.rankKnown && b.rankKnown)
    KILN_RETURN_IF_ERROR(
        unifyShapes(context.dims(), a.dims, b.dims,
                    {.prefix = "Inputs (L and grad) must have the same shape."})
            .status());
  return inferSquare(context);
}

Status inferDeterminant(InferenceContext &context) {
  KILN_ASSIGN_OR_RETURN(SymShape shape, squareMatrices(context, 0));
  for (int i = 0; shape.rankKnown && i < context.numOutputs(); ++i)
    context.setOutputShape(i, SymShape::of(without(shape.dims, 2)));
  return okStatus();
}

Status inferLu(InferenceContext &context) {
  KILN_ASSIGN_OR_RETURN(SymShape shape, squareMatrices(context, 0));
  if (shape.rankKnown)
    context.setOutputShape(1, SymShape::of(without(shape.dims, 1)));
  context.setOutputShape(0, std::move(shape));
  return okStatus();
}

Status inferSelfAdjointEig(InferenceContext &context) {
  KILN_ASSIGN_OR_RETURN(SymShape shape, squareMatrices(context, 0));
  if (shape.rankKnown)
    context.setOutputShape(0, SymShape::of(without(shape.dims, 1)));
  if (!context.boolAttr("compute_v"))
    shape = SymShape::of({Dim::known(0)});
  context.setOutputShape(1, std::move(shape));
  return okStatus();
}

Status inferSelfAdjointEigRows(InferenceContext &context) {
  KILN_ASSIGN_OR_RETURN(SymShape shape, squareMatrices(context, 0));
  if (!shape.rankKnown)
    return okStatus();
  const Dim side = shape.dims.back();
  context.setOutputShape(0,
                         with(without(shape.dims, 2),
                              {context.dims().add(side, Dim::known(1)), side}));
  return okStatus();
}

Status inferQr(InferenceContext &context) {
  KILN_ASSIGN_OR_RETURN(SymShape x, matrices(context, 0));
  if (!x.rankKnown)
    return okStatus();
  const size_t rank = x.dims.size();
  const Dim m = x.dims[rank - 2], n = x.dims[rank - 1];
  const Dim inner =
      context.boolAttr("full_matrices") ? m : context.dims().min(m, n);
  context.setOutputShape(0, with(without(x.dims, 2), {m, inner}));
  context.setOutputShape(1, with(without(x.dims, 2), {inner, n}));
  return okStatus();
}

Status inferSvd(InferenceContext &context) {
  KILN_ASSIGN_OR_RETURN(SymShape x, matrices(context, 0));
  const bool hasVectors = context.boolAttr("compute_uv"),
             isFull = context.boolAttr("full_matrices");
  if (!hasVectors)
    for (int i : {1, 2})
      context.setOutputShape(i, SymShape::of({Dim::known(0)}));
  if (!x.rankKnown)
    return okStatus();
  const size_t rank = x.dims.size();
  const Dim m = x.dims[rank - 2], n = x.dims[rank - 1],
            count = context.dims().min(m, n);
  const Dims batch = without(x.dims, 2);
  context.setOutputShape(0, with(batch, {count}));
  if (hasVectors) {
    context.setOutputShape(1, with(batch, {m, isFull ? m : count}));
    context.setOutputShape(2, with(batch, {n, isFull ? n : count}));
  }
  return okStatus();
}

Status inferMatrixSolve(InferenceContext &context) {
  KILN_ASSIGN_OR_RETURN(
      SymShape a,
      squareMatrices(context, 0, "First input (lhs) must be a square matrix."));
  KILN_ASSIGN_OR_RETURN(SymShape b, matrices(context, 1));
  KILN_ASSIGN_OR_RETURN(std::optional<Dims> batch, commonBatch(context, a, b));
  if (!batch)
    return okStatus();
  KILN_ASSIGN_OR_RETURN(Dim rows, commonRows(context, a, b));
  context.setOutputShape(0, with(*std::move(batch), {rows, b.dims.back()}));
  return okStatus();
}

Status inferMatrixSolveLs(InferenceContext &context) {
  KILN_ASSIGN_OR_RETURN(SymShape a, matrices(context, 0));
  KILN_ASSIGN_OR_RETURN(SymShape b, matrices(context, 1));
  const SymShape &l2 = context.inputShape(2);
  if (context.isBuilding())
    KILN_RETURN_IF_ERROR(context.withRank(l2, 0).status());
  else if (l2.rankKnown && l2.rank() != 0)
    return context.error(strCat("l2_regularizer must be scalar, got shape ",
                                context.dims().format(l2.dims)));
  KILN_ASSIGN_OR_RETURN(std::optional<Dims> batch, commonBatch(context, a, b));
  if (!batch)
    return okStatus();
  KILN_RETURN_IF_ERROR(commonRows(context, a, b).status());
  context.setOutputShape(
      0, with(*std::move(batch), {a.dims.back(), b.dims.back()}));
  return okStatus();
}

static Status checkMatrices(InferenceContext &context) {
  for (int i : {0, 1}) {
    const SymShape &shape = context.inputShape(i);
    if (shape.rankKnown && shape.rank() < 2)
      return context.error(
          strCat("In[", i, "] ndims must be >= 2: ", shape.rank()));
  }
  return okStatus();
}

/// Diagonals [..., k, n], which are the matrices [..., n, n].
Status inferBandedTriangularSolve(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkMatrices(context));
  SymShape a = context.inputShape(0), b = context.inputShape(1);
  if (!a.rankKnown || !b.rankKnown)
    return okStatus();
  for (int i : {0, 1}) {
    const Dims &dims = context.inputShape(i).dims;
    const std::string text =
        strCat("In[", i, "] must not be an empty tensor, got shape ");
    for (Dim dim : dims)
      KILN_RETURN_IF_ERROR(
          context.dims().require(Guard::Kind::NonZero, dim, Dim::known(0),
                                 {.prefix = text, .lhs = &dims}));
  }
  a.dims[a.dims.size() - 2] = a.dims.back();
  KILN_ASSIGN_OR_RETURN(Dims dims,
                        batchMatmulShape(context.dims(), a.dims, b.dims,
                                         /*adjointA=*/false, /*adjointB=*/false,
                                         /*broadcastBatch=*/true));
  context.setOutputShape(0, SymShape::of(std::move(dims)));
  return okStatus();
}

Status inferTriangularSolve(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkMatrices(context));
  SymShape a = context.inputShape(0), b = context.inputShape(1);
  if (!a.rankKnown || !b.rankKnown)
    return okStatus();
  const size_t rank = a.dims.size();
  const Dims columns = {a.dims[rank - 1]}, rows = {a.dims[rank - 2]};
  KILN_RETURN_IF_ERROR(
      context.dims()
          .unify(rows[0], columns[0],
                 {.prefix = "In[0] matrices in the last dimensions must be "
                            "square (",
                  .joiner = " =/= ",
                  .suffix = ")",
                  .lhs = &columns,
                  .rhs = &rows,
                  .asNumbers = true})
          .status());
  KILN_ASSIGN_OR_RETURN(Dims dims,
                        batchMatmulShape(context.dims(), a.dims, b.dims,
                                         /*adjointA=*/false, /*adjointB=*/false,
                                         /*broadcastBatch=*/true));
  context.setOutputShape(0, SymShape::of(std::move(dims)));
  return okStatus();
}

Status inferTridiagonalMatMul(InferenceContext &context) {
  constexpr std::string_view wrong[] = {"Invalid superdiagonal shape.",
                                        "Invalid main diagonal shape.",
                                        "Invalid subdiagonal shape."};
  KILN_ASSIGN_OR_RETURN(SymShape rhs, matrices(context, 3));
  for (int i = 0; i < 3; ++i) {
    KILN_ASSIGN_OR_RETURN(SymShape diagonal, matrices(context, i));
    KILN_RETURN_IF_ERROR(commonBatch(context, diagonal, rhs).status());
    if (!diagonal.rankKnown || !rhs.rankKnown)
      continue;
    const size_t rank = rhs.dims.size();
    KILN_RETURN_IF_ERROR(
        context.dims()
            .unify(diagonal.dims[rank - 2], Dim::known(1), {.prefix = wrong[i]})
            .status());
    KILN_RETURN_IF_ERROR(context.dims()
                             .unify(diagonal.dims[rank - 1], rhs.dims[rank - 2],
                                    {.prefix = wrong[i]})
                             .status());
  }
  context.setOutputShape(0, std::move(rhs));
  return okStatus();
}

Status inferTridiagonalSolve(InferenceContext &context) {
  KILN_ASSIGN_OR_RETURN(SymShape diagonals, matrices(context, 0));
  KILN_ASSIGN_OR_RETURN(SymShape rhs, matrices(context, 1));
  KILN_RETURN_IF_ERROR(commonBatch(context, diagonals, rhs).status());
  if (diagonals.rankKnown) {
    const Dim rows = diagonals.dims[diagonals.dims.size() - 2];
    const Dims given = {rows}, none;
    KILN_RETURN_IF_ERROR(
        context.dims()
            .unify(rows, Dim::known(3),
                   {.prefix = "Expected diagonals to be provided as a matrix "
                              "with 3 rows, got ",
                    .suffix = " rows.",
                    .lhs = &given,
                    .rhs = &none,
                    .asNumbers = true})
            .status());
  }
  if (diagonals.rankKnown && rhs.rankKnown) {
    const Dims left = {diagonals.dims.back()},
               right = {rhs.dims[rhs.dims.size() - 2]};
    KILN_RETURN_IF_ERROR(
        context.dims()
            .unify(left[0], right[0],
                   {.prefix = "Expected the same number of left-hand sides and "
                              "right-hand sides, got ",
                    .joiner = " and ",
                    .suffix = ".",
                    .lhs = &left,
                    .rhs = &right,
                    .asNumbers = true})
            .status());
  }
  context.setOutputShape(0, std::move(rhs));
  return okStatus();
}

Status inferCross(InferenceContext &context) {
  KILN_ASSIGN_OR_RETURN(
      SymShape shape,
      sameShape(context, context.inputShape(0), context.inputShape(1),
                {.prefix = "Both inputs must be of same shape: ",
                 .joiner = " vs. "}));
  if (shape.rankKnown) {
    if (shape.rank() < 1)
      return context.error("Input must be at least 1D[]");
    const auto length = context.isBuilding()
                            ? std::optional<int64_t>()
                            : context.dims().takeAsKnown(shape.dims.back());
    if (length && *length != 3)
      return failedPreconditionError(
                 "Cross-products are only defined for 3-element vectors.")
          .withNode(context.node().name());
    KILN_ASSIGN_OR_RETURN(
        shape.dims.back(),
        context.dims().unify(
            shape.dims.back(), Dim::known(3),
            {.prefix = "Dimension must be 3 but is another one."}));
  }
  context.setOutputShape(0, std::move(shape));
  return okStatus();
}

} // namespace kiln::shapes
