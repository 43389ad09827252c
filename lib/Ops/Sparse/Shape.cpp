// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of ops on sparse tensors: what they know before a run.
#include "lib/Ops/Sparse/Shape.h"

#include "lib/OpDefs/Contents.h"
#include "lib/OpDefs/Ranks.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln::shapes {
namespace {

/// Outputs 0 to 2: as many indices and values as the run finds, and the shape.
void setSparse(InferenceContext &context, Dim rank, Dim count = Dim::unknown(),
               int first = 0) {
  context.setOutputShape(first, SymShape::of({count, rank}));
  context.setOutputShape(first + 1, SymShape::of({count}));
  context.setOutputShape(first + 2, SymShape::of({rank}));
}

/// In a run input i has the rank, in the words of the op's kernel: `text` and
/// the shape, or the rank.
Status demandInRun(InferenceContext &context, int i, int rank,
                   std::string_view text, bool showsRank = false) {
  const SymShape &shape = context.inputShape(i);
  if (context.isBuilding() || !shape.rankKnown || shape.rank() == rank)
    return okStatus();
  return context.error(showsRank
                           ? strCat(text, shape.rank())
                           : strCat(text, context.dims().format(shape.dims)));
}

/// In a run the extents are equal, in the words of the op's kernel.
Status demandEqualInRun(InferenceContext &context, Dim a, Dim b,
                        std::string_view prefix, std::string_view joiner,
                        std::string_view suffix) {
  if (context.isBuilding())
    return okStatus();
  const Dims first = {a}, second = {b};
  return context.dims()
      .unify(a, b,
             {.prefix = prefix,
              .joiner = joiner,
              .suffix = suffix,
              .lhs = joiner.empty() ? nullptr : &first,
              .rhs = joiner.empty() ? nullptr : &second,
              .asNumbers = !joiner.empty()})
      .status();
}

/// Three inputs are a sparse tensor; gives its rank. **Source**:
/// shape_inference::ValidateSparseTensor.
StatusOr<Dim> sparseRank(InferenceContext &context, int first) {
  KILN_RETURN_IF_ERROR(demandRanks(context, {2, 1, 1}, first));
  KILN_RETURN_IF_ERROR(sameExtent(context, extentOf(context, first, 0),
                                  extentOf(context, first + 1, 0))
                           .status());
  return sameExtent(context, extentOf(context, first, 1),
                    extentOf(context, first + 2, 0));
}

} // namespace

Status inferUnknownShapes(InferenceContext &context) {
  for (int i = 0; i < context.numOutputs(); ++i)
    context.setOutputShape(i, SymShape::unknownRank());
  return okStatus();
}

Status inferDenseSets(InferenceContext &context) {
  Dim rank = Dim::unknown();
  for (int i = 0; i < 2 && context.isBuilding(); ++i) {
    const SymShape &shape = context.inputShape(i);
    if (!shape.rankKnown)
      continue;
    KILN_RETURN_IF_ERROR(demandRankAtLeast(context, i, 2));
    if (rank.isKnown())
      KILN_RETURN_IF_ERROR(
          context.withRank(shape, static_cast<int>(rank.value)).status());
    rank = Dim::known(shape.rank());
  }
  for (int d = 0; rank.isKnown() && d + 1 < rank.value; ++d)
    KILN_RETURN_IF_ERROR(
        sameExtent(context, extentOf(context, 0, d), extentOf(context, 1, d))
            .status());
  setSparse(context, rank);
  return okStatus();
}

Status inferDenseAndSparseSets(InferenceContext &context) {
  KILN_ASSIGN_OR_RETURN(Dim rank, sparseRank(context, 1));
  KILN_RETURN_IF_ERROR(demandRankAtLeast(context, 0, 2));
  if (const SymShape &dense = context.inputShape(0);
      context.isBuilding() && dense.rankKnown) {
    KILN_ASSIGN_OR_RETURN(rank,
                          sameExtent(context, rank, Dim::known(dense.rank())));
  }
  setSparse(context, rank);
  return okStatus();
}

Status inferSparseSets(InferenceContext &context) {
  KILN_ASSIGN_OR_RETURN(Dim first, sparseRank(context, 0));
  KILN_ASSIGN_OR_RETURN(Dim second, sparseRank(context, 3));
  for (Dim rank : {first, second})
    if (rank.isKnown() && rank.value < 2)
      return context.error(
          strCat("Input 0, expected rank >= 2, got ", rank.value, "."));
  KILN_ASSIGN_OR_RETURN(Dim rank, sameExtent(context, first, second));
  setSparse(context, rank);
  return okStatus();
}

Status inferSparseReorder(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(demandRanks(context, {2, 1, 1}));
  const SymShape &indices = context.inputShape(0),
                 &values = context.inputShape(1),
                 &shape = context.inputShape(2);
  if (!context.isBuilding()) {
    KILN_RETURN_IF_ERROR(demandInRun(
        context, 0, 2, "Sparse indices must be rank 2 but is rank ", true));
    KILN_RETURN_IF_ERROR(demandInRun(
        context, 1, 1, "Sparse values must be rank 1 but is rank ", true));
    KILN_RETURN_IF_ERROR(demandInRun(
        context, 2, 1, "Sparse shape must be rank 1 but is rank ", true));
    if (indices.rankKnown && values.rankKnown)
      KILN_RETURN_IF_ERROR(
          demandEqualInRun(context, indices.dims[0], values.dims[0],
                           "Number of elements in indices (", ") and values (",
                           ") do not match"));
    if (indices.rankKnown && shape.rankKnown)
      KILN_RETURN_IF_ERROR(demandEqualInRun(
          context, indices.dims[1], shape.dims[0], "Index rank (",
          ") and shape rank (", ") do not match"));
  }
  context.setOutputShape(0, indices.rankKnown ? indices
                                              : SymShape::unknownDims(2));
  context.setOutputShape(1,
                         values.rankKnown ? values : SymShape::unknownDims(1));
  return okStatus();
}

Status inferSparseReshape(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(demandRanks(context, {2, 1, 1}));
  const SymShape &indices = context.inputShape(0),
                 &shape = context.inputShape(1),
                 &target = context.inputShape(2);
  if (!context.isBuilding()) {
    if (indices.rankKnown && indices.rank() != 2)
      return context.error("Input must be a matrix.");
    if (shape.rankKnown && shape.rank() != 1)
      return context.error("Input shape must be a vector.");
    if (indices.rankKnown && shape.rankKnown)
      KILN_RETURN_IF_ERROR(demandEqualInRun(
          context, indices.dims[1], shape.dims[0],
          "Input tensor rank must match input shape length.", {}, {}));
    KILN_RETURN_IF_ERROR(demandInRun(
        context, 2, 1, "Target shape should be a vector but received shape "));
  }
  const Dim rank = target.rankKnown ? target.dims[0] : Dim::unknown();
  context.setOutputShape(
      0, SymShape::of(
             {indices.rankKnown ? indices.dims[0] : Dim::unknown(), rank}));
  context.setOutputShape(1, SymShape::of({rank}));
  return okStatus();
}

Status inferSparseConcat(InferenceContext &context) {
  const int parts = context.numInputs() / 3;
  Dim count = Dim::known(0), rank = Dim::unknown(), extents = Dim::unknown();
  for (int i = 0; i < parts; ++i) {
    KILN_RETURN_IF_ERROR(demandRanks(context, {2}, i));
    KILN_RETURN_IF_ERROR(demandRanks(context, {1}, parts + i));
    KILN_RETURN_IF_ERROR(demandRanks(context, {1}, 2 * parts + i));
    KILN_ASSIGN_OR_RETURN(Dim own, sameExtent(context, extentOf(context, i, 0),
                                              extentOf(context, parts + i, 0)));
    count =
        context.isBuilding() ? context.dims().add(count, own) : Dim::unknown();
    KILN_ASSIGN_OR_RETURN(rank,
                          sameExtent(context, rank, extentOf(context, i, 1)));
    KILN_ASSIGN_OR_RETURN(
        extents,
        sameExtent(context, extents, extentOf(context, 2 * parts + i, 0)));
  }
  context.setOutputShape(0, SymShape::of({count, rank}));
  context.setOutputShape(1, SymShape::of({count}));
  context.setOutputShape(2, SymShape::of({extents}));
  return okStatus();
}

Status inferSparseSplit(InferenceContext &context) {
  const int parts = context.numOutputs() / 3;
  const Dim rank = extentOf(context, 3, 0);
  for (int i = 0; i < parts; ++i) {
    context.setOutputShape(i, SymShape::of({Dim::unknown(), rank}));
    context.setOutputShape(parts + i, SymShape::of({Dim::unknown()}));
    context.setOutputShape(2 * parts + i, SymShape::of({rank}));
  }
  return okStatus();
}

Status inferSparseSliceGrad(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(demandRanks(context, {2}, 1));
  context.setOutputShape(0, SymShape::of({extentOf(context, 1, 0)}));
  return okStatus();
}

/// What the run finds out of SparseFillEmptyRows: how many elements there are
/// then, and rows.
static Status inferFilledRows(InferenceContext &context) {
  const SymShape &indices = context.inputShape(0),
                 &values = context.inputShape(1),
                 &shape = context.inputShape(2);
  KILN_RETURN_IF_ERROR(
      demandInRun(context, 2, 1, "dense_shape must be a vector, saw: "));
  KILN_RETURN_IF_ERROR(
      demandInRun(context, 0, 2, "indices must be a matrix, saw: "));
  KILN_RETURN_IF_ERROR(
      demandInRun(context, 1, 1, "values must be a vector, saw: "));
  const Dim count = values.rankKnown ? values.dims[0] : Dim::unknown(),
            rank = shape.rankKnown ? shape.dims[0] : Dim::unknown();
  if (indices.rankKnown) {
    KILN_RETURN_IF_ERROR(demandEqualInRun(
        context, count, indices.dims[0], "The length of `values` (",
        ") must match the first dimension of `indices` (", ")."));
    KILN_RETURN_IF_ERROR(demandEqualInRun(
        context, rank, indices.dims[1], "The length of `dense_shape` (",
        ") must match the second dimension of `indices` (", ")."));
  }
  KILN_RETURN_IF_ERROR(
      demandInRun(context, 3, 0, "default_value must be a scalar, saw: "));
  KILN_RETURN_IF_ERROR(
      context.dims().require(Guard::Kind::LessEqual, Dim::known(1), rank,
                             {.prefix = "Dense shape cannot be empty."}));
  const Dim filled = context.dims().runDim(0, /*isSize=*/true),
            rows = context.dims().runDim(1, /*isSize=*/true);
  context.setOutputShape(0, SymShape::of({filled, rank}));
  context.setOutputShape(1, SymShape::of({filled}));
  context.setOutputShape(2, SymShape::of({rows}));
  context.setOutputShape(3, SymShape::of({count}));
  return okStatus();
}

Status inferSparseFill(InferenceContext &context) {
  if (!context.isBuilding())
    return inferFilledRows(context);
  KILN_RETURN_IF_ERROR(demandRanks(context, {2, 1, 1, 0}));
  KILN_ASSIGN_OR_RETURN(Dim count, sameExtent(context, extentOf(context, 0, 0),
                                              extentOf(context, 1, 0)));
  KILN_ASSIGN_OR_RETURN(Dim rank, sameExtent(context, extentOf(context, 0, 1),
                                             extentOf(context, 2, 0)));
  if (rank.isKnown() && rank.value == 0)
    return context.error("dense_shape must not be empty");
  const Dims *extents = context.knownContents(2);
  const Dim rows =
      extents && !extents->empty() ? (*extents)[0] : Dim::unknown();
  context.setOutputShape(0, SymShape::of({Dim::unknown(), rank}));
  context.setOutputShape(1, SymShape::of({Dim::unknown()}));
  context.setOutputShape(2, SymShape::of({rows}));
  context.setOutputShape(3, SymShape::of({count}));
  return okStatus();
}

/// Where the shape and the axes are known.
Status inferSparseReduce(InferenceContext &context) {
  context.setOutputShape(0, SymShape::unknownRank());
  const Dims *extents = context.knownContents(2);
  const auto axes = knownNumbers(context.knownContents(3));
  if (!context.isBuilding() || !extents || !axes)
    return okStatus();
  const auto rank = static_cast<int64_t>(extents->size());
  if (rank == 0)
    return context.error("Number of dims in shape tensor must not be 0");
  const bool keepsDims = context.boolAttr("keep_dims");
  Dims result;
  for (int64_t d = 0; d < rank; ++d) {
    const bool isReduced = std::ranges::any_of(
        *axes, [&](int64_t axis) { return (axis % rank + rank) % rank == d; });
    if (!isReduced)
      result.push_back((*extents)[static_cast<size_t>(d)]);
    else if (keepsDims)
      result.push_back(Dim::known(1));
  }
  context.setOutputShape(0, SymShape::of(std::move(result)));
  return okStatus();
}

Status inferSparseSoftmax(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(demandRanks(context, {2, 1, 1}));
  context.setOutputShape(0, SymShape::of({extentOf(context, 1, 0)}));
  return okStatus();
}

Status inferSparseDense(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(demandRanks(context, {2}));
  context.setOutputShape(0, SymShape::of({extentOf(context, 0, 0)}));
  return okStatus();
}

Status inferSparseExtremes(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(demandRanks(context, {2, 1, 1, 2, 1, 1}));
  context.setOutputShape(0, SymShape::of({Dim::unknown(), Dim::unknown()}));
  context.setOutputShape(1, SymShape::of({Dim::unknown()}));
  return okStatus();
}

Status inferSparseAdd(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(demandRanks(context, {1}, 2));
  setSparse(context, extentOf(context, 2, 0));
  return okStatus();
}

Status inferSparseAddGrad(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(demandRanks(context, {2, 2}, 1));
  for (int i : {0, 1})
    context.setOutputShape(i, SymShape::of({extentOf(context, i + 1, 0)}));
  return okStatus();
}

Status inferOntoDense(InferenceContext &context) {
  context.setOutputShape(0, context.isBuilding() ? context.inputShape(3)
                                                 : SymShape::unknownRank());
  return okStatus();
}

Status inferSparseBincount(InferenceContext &context) {
  context.setOutputShape(0, SymShape::unknownRank());
  KILN_RETURN_IF_ERROR(demandRanks(context, {anyRank, anyRank, anyRank, 0}));
  const Dims *size = context.knownContents(3);
  const Dim rank = extentOf(context, 2, 0);
  if (!context.isBuilding() || !size || size->empty() || !rank.isKnown())
    return okStatus();
  if ((*size)[0].isKnown() && (*size)[0].value < 0)
    return context.error(
        strCat("size (", (*size)[0].value, ") must be non-negative"));
  Dims extents = {(*size)[0]};
  if (rank.value > 1)
    extents.insert(extents.begin(), Dim::unknown());
  context.setOutputShape(0, SymShape::of(std::move(extents)));
  return okStatus();
}

/// Weights that may have elements are of the values' shape; in a run the kernel
/// sees whether they have.
static Status checkWeights(InferenceContext &context) {
  const SymShape &weights = context.inputShape(1);
  bool isEmpty = std::ranges::any_of(weights.dims, [](const Dim &dim) {
    return dim.isKnown() && dim.value == 0;
  });
  if (!context.isBuilding() || isEmpty)
    return okStatus();
  return sameShape(context, weights, context.inputShape(0),
                   {.prefix = "Shapes of weights and values must be equal, "
                              "but are ",
                    .joiner = " and "})
      .status();
}

Status inferDenseCounts(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkWeights(context));
  const SymShape &values = context.inputShape(0);
  setSparse(context, context.isBuilding() && values.rankKnown
                         ? Dim::known(values.rank())
                         : Dim::unknown());
  return okStatus();
}

Status inferSparseCounts(InferenceContext &context) {
  setSparse(context, extentOf(context, 0, 1));
  return okStatus();
}

Status inferRaggedCounts(InferenceContext &context) {
  setSparse(context, Dim::known(2));
  return okStatus();
}

/// The larger extents of both, but for the sequences'.
Status inferEditDistance(InferenceContext &context) {
  context.setOutputShape(0, SymShape::unknownRank());
  const auto hypothesis = knownNumbers(context.knownContents(2)),
             truth = knownNumbers(context.knownContents(5));
  if (!context.isBuilding() || !hypothesis || !truth)
    return okStatus();
  if (hypothesis->size() != truth->size() || truth->size() < 2)
    return context.error(
        strCat("Num elements of hypothesis_shape does not match truth_shape: ",
               hypothesis->size(), " vs. ", truth->size()));
  Dims extents;
  for (size_t d = 0; d + 1 < truth->size(); ++d)
    extents.push_back(Dim::known(std::max((*hypothesis)[d], (*truth)[d])));
  context.setOutputShape(0, SymShape::of(std::move(extents)));
  return okStatus();
}

Status inferSparseCross(InferenceContext &context) {
  setSparse(context, Dim::known(2));
  return okStatus();
}

Status inferSerializedSparse(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(demandRanks(context, {2, 1, 1}));
  context.setOutputShape(0, SymShape::of({Dim::known(3)}));
  return okStatus();
}

Status inferSerializedRows(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(demandRanks(context, {2, 1, 1}));
  context.setOutputShape(0, SymShape::of({Dim::unknown(), Dim::known(3)}));
  return okStatus();
}

Status inferDeserializedSparse(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(demandRankAtLeast(context, 0, 1));
  const SymShape &serialized = context.inputShape(0);
  if (context.isBuilding() && serialized.rankKnown &&
      serialized.dims.back().isKnown() && serialized.dims.back().value != 3)
    return context.error(
        strCat("Dimension must be 3 but is ", serialized.dims.back().value));
  setSparse(context, Dim::unknown());
  return okStatus();
}

Status inferDeserializedRows(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(demandRanks(context, {2}));
  return inferDeserializedSparse(context);
}

} // namespace kiln::shapes
