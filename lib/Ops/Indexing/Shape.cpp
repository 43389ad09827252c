// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of scatters, gathers of tuples, and segments.
#include "lib/Ops/Indexing/Shape.h"

#include "lib/OpDefs/Contents.h"
#include "lib/OpDefs/Inference.h"
#include "lib/Ops/State/Shape.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln::shapes {
namespace {

/// Demands that the dimensions are equal, one by one.
Status unifyAll(InferenceContext &context, std::span<const Dim> a,
                std::span<const Dim> b, const GuardInfo &info) {
  if (a.size() != b.size())
    return context.dims().error(info);
  for (size_t i = 0; i < a.size(); ++i)
    KILN_RETURN_IF_ERROR(context.dims().unify(a[i], b[i], info).status());
  return okStatus();
}

std::string formatted(InferenceContext &context, const SymShape &shape) {
  return context.dims().format(shape.dims);
}

} // namespace

Status inferScatter(InferenceContext &context) {
  SymShape params = variableShape(context, 0);
  const SymShape &indices = context.inputShape(1),
                 &updates = context.inputShape(2);
  if (params.rankKnown && params.rank() == 0)
    return context.error("params must be at least 1-D, got shape []");
  if (params.rankKnown && indices.rankKnown && updates.rankKnown &&
      updates.rank() != 0) {
    std::string suffix = strCat(", params.shape ", formatted(context, params));
    Dims expected = indices.dims;
    expected.insert(expected.end(), params.dims.begin() + 1, params.dims.end());
    KILN_RETURN_IF_ERROR(unifyAll(
        context, updates.dims, expected,
        {.prefix = "Must have updates.shape = indices.shape + params.shape[1:] "
                   "or updates.shape = [], got updates.shape ",
         .joiner = ", indices.shape ",
         .suffix = suffix,
         .lhs = &updates.dims,
         .rhs = &indices.dims}));
  }
  if (context.numOutputs() > 0)
    context.setOutputShape(0, std::move(params));
  return okStatus();
}

namespace {

/// Demands that a tensor is empty, behind what is demanded of its shape.
Status demandEmpty(InferenceContext &context, const SymShape &shape,
                   const std::string &text) {
  DimSpace &dims = context.dims();
  const Dim count = dims.resolve(dims.product(shape.dims));
  if (!count.isKnown())
    return dims.require(Guard::Kind::LessEqual, count, Dim::known(0),
                        {.prefix = text});
  if (count.value > 0)
    dims.demandNever(context.error(text));
  return okStatus();
}

/// Demands that tuples of indices have as many elements as TensorFlow's kernels
/// take, unless there is nothing to write to.
Status checkTuples(InferenceContext &context, int tuple, const SymShape &params,
                   const SymShape &indices, const SymShape &updates,
                   bool makes) {
  if (context.isBuilding())
    return okStatus();
  if (tuple == 0)
    KILN_RETURN_IF_ERROR(demandEmpty(
        context, updates,
        makes ? "Indices and updates specified for empty output shape"
              : "Indices and updates specified for empty output.  indices "
                "shape: " +
                    context.dims().format(indices.dims)));
  // The message says 5, as there was no kernel for more at first.
  constexpr int most = 7;
  if (tuple > 0 && tuple <= most)
    return okStatus();
  return demandEmpty(
      context, params,
      strCat("Only indices.shape[-1] values between 1 and 5 are currently "
             "supported.  Requested rank: ",
             tuple));
}

/// Demands of updates [U..., I...] that they are slices of `params` [D...,
/// I...] for indices [U..., as many as D]. **Errors**: with TensorFlow's texts,
/// of which those of TensorScatter* differ.
Status checkNd(InferenceContext &context, const SymShape &params, int input,
               bool isTensor) {
  const SymShape &indices = context.inputShape(input),
                 &updates = context.inputShape(input + 1);
  if (!isTensor && params.rankKnown && params.rank() == 0)
    return context.isBuilding()
               ? okStatus()
               : context.error("Output must be at least 1-D, got shape: []");
  if (indices.rankKnown && indices.rank() == 0)
    return context.error("Indices shape must have rank at least one. Found:[]");
  if (updates.rankKnown && updates.rank() == 0)
    return context.error("Updates shape must have rank at least one. Found:[]");
  if (!params.rankKnown || !indices.rankKnown || !updates.rankKnown)
    return okStatus();
  int outer = indices.rank() - 1;
  Dim last = indices.dims.back();
  std::string depth = last.isKnown() ? strCat(last.value) : "?",
              prefix = strCat("Dimensions [0,", outer, ") of indices[shape="),
              joiner = strCat("] must match dimensions [0,", outer,
                              ") of updates[shape=");
  GuardInfo outerInfo{.prefix = prefix,
                      .joiner = joiner,
                      .suffix = "]",
                      .lhs = &indices.dims,
                      .rhs = &updates.dims};
  if (isTensor)
    outerInfo = {.prefix = "Outer dimensions of indices and update must match. "
                           "Indices shape: ",
                 .joiner = ", updates shape:",
                 .lhs = &indices.dims,
                 .rhs = &updates.dims};
  std::span<const Dim> all = updates.dims, places = indices.dims,
                       extents = params.dims;
  if (updates.rank() < outer)
    return context.dims().error(outerInfo);
  KILN_RETURN_IF_ERROR(
      unifyAll(context, places.first(static_cast<size_t>(outer)),
               all.first(static_cast<size_t>(outer)), outerInfo));
  std::string innerPrefix = strCat("Dimensions [", depth, ",", params.rank(),
                                   ") of input[shape="),
              innerJoiner = strCat("] must match dimensions [", outer, ",",
                                   updates.rank(), ") of updates[shape=");
  GuardInfo innerInfo{.prefix = innerPrefix,
                      .joiner = innerJoiner,
                      .suffix = "]",
                      .lhs = &params.dims,
                      .rhs = &updates.dims};
  if (isTensor)
    innerInfo = {.prefix = "Inner dimensions of output shape must match inner "
                           "dimensions of updates shape. Output: ",
                 .joiner = " updates: ",
                 .lhs = &params.dims,
                 .rhs = &updates.dims};
  int tuple = params.rank() - (updates.rank() - outer);
  if (tuple < 0)
    return context.dims().error(innerInfo);
  KILN_RETURN_IF_ERROR(
      context.dims().unify(last, Dim::known(tuple), innerInfo).status());
  KILN_RETURN_IF_ERROR(
      unifyAll(context, extents.subspan(static_cast<size_t>(tuple)),
               all.subspan(static_cast<size_t>(outer)), innerInfo));
  return checkTuples(context, tuple, params, indices, updates,
                     input == 0 || context.node().op().starts_with("Tensor"));
}

} // namespace

Status inferScatterNdVariable(InferenceContext &context) {
  SymShape params = variableShape(context, 0);
  KILN_RETURN_IF_ERROR(checkNd(context, params, 1, /*isTensor=*/false));
  if (context.numOutputs() > 0)
    context.setOutputShape(0, std::move(params));
  return okStatus();
}

Status inferTensorScatter(InferenceContext &context) {
  SymShape params = context.inputShape(0);
  if (params.rankKnown && params.rank() == 0)
    return context.error("Tensor shape must have rank at least one. Found:[]");
  KILN_RETURN_IF_ERROR(checkNd(context, params, 1, /*isTensor=*/true));
  context.setOutputShape(0, std::move(params));
  return okStatus();
}

/// x, i, v: rows of v for rows of x. TensorFlow checks them in the run alone.
Status inferInplace(InferenceContext &context) {
  const SymShape &x = context.inputShape(0), &i = context.inputShape(1),
                 &v = context.inputShape(2);
  context.setOutputShape(0, x);
  if (context.isBuilding() || !x.rankKnown || !i.rankKnown || !v.rankKnown)
    return okStatus();
  if (i.rank() != 1)
    return context.error("i must be a vector. " + formatted(context, i));
  if (x.rank() != v.rank())
    return context.error(
        "x and v shape doesn't match (ranks differ): " + formatted(context, x) +
        " vs. " + formatted(context, v));
  for (size_t dim = 1; dim < x.dims.size(); ++dim) {
    const std::string prefix =
        strCat("x and v shape doesn't match at index ", dim, " : ");
    KILN_RETURN_IF_ERROR(context.dims()
                             .unify(x.dims[dim], v.dims[dim],
                                    {.prefix = prefix,
                                     .joiner = " vs. ",
                                     .lhs = &x.dims,
                                     .rhs = &v.dims})
                             .status());
  }
  const GuardInfo info{.prefix = "i and x shape doesn't match at index 0: ",
                       .joiner = " vs. ",
                       .lhs = &i.dims,
                       .rhs = &v.dims};
  if (v.rank() == 0)
    return context.dims().error(info);
  return context.dims().unify(i.dims[0], v.dims[0], info).status();
}

Status inferScatterNd(InferenceContext &context) {
  KILN_ASSIGN_OR_RETURN(SymShape params, shapeFromContents(context, 2));
  KILN_RETURN_IF_ERROR(checkNd(context, params, 0, /*isTensor=*/false));
  context.setOutputShape(0, std::move(params));
  return okStatus();
}

/// indices : [], [n] or [n, rank]; values : [] or [n]
Status inferSparseToDense(InferenceContext &context) {
  const SymShape &indices = context.inputShape(0),
                 &extents = context.inputShape(1),
                 &values = context.inputShape(2);
  if (!context.isBuilding() && extents.rankKnown && extents.rank() != 1)
    return context.error("output_shape must be rank 1, got shape " +
                         formatted(context, extents));
  if (!context.isBuilding() && context.inputShape(3).rankKnown &&
      context.inputShape(3).rank() != 0)
    return context.error("default_value should be a scalar.");
  KILN_ASSIGN_OR_RETURN(SymShape shape, shapeFromContents(context, 1));
  if (indices.rankKnown && indices.rank() > 2)
    return context.error(
        strCat("sparse_indices should be a scalar, vector, or matrix, got "
               "shape ",
               formatted(context, indices)));
  if (indices.rankKnown && shape.rankKnown) {
    Dim tuple = indices.rank() < 2 ? Dim::known(1) : indices.dims[1];
    Dims got = {tuple}, rank = {Dim::known(shape.rank())};
    KILN_RETURN_IF_ERROR(
        context.dims()
            .unify(tuple, rank[0],
                   {.prefix = "output_shape has incorrect number of elements: ",
                    .joiner = " should be: ",
                    .lhs = &rank,
                    .rhs = &got,
                    .asNumbers = true})
            .status());
  }
  if (indices.rankKnown && values.rankKnown && values.rank() == 1) {
    Dims count = {indices.rank() == 0 ? Dim::known(1) : indices.dims[0]};
    KILN_RETURN_IF_ERROR(
        context.dims()
            .unify(count[0], values.dims[0],
                   {.prefix = "sparse_values has incorrect shape ",
                    .joiner = ", should be [] or ",
                    .lhs = &values.dims,
                    .rhs = &count})
            .status());
  }
  if (values.rankKnown && values.rank() > 1)
    return context.error(strCat(
        "sparse_values has incorrect shape ", formatted(context, values),
        ", should be [] or [",
        indices.rank() == 0 ? "1"
        : indices.rankKnown
            ? strCat(context.dims().sampleOf(indices.dims[0]).value_or(-1))
            : "?",
        "]"));
  context.setOutputShape(0, std::move(shape));
  return okStatus();
}

/// params : [D..., I...], indices : [U..., as many as D] -> [U..., I...]
Status inferGatherNd(InferenceContext &context) {
  SymShape params = variableShape(context, 0);
  const SymShape &indices = context.inputShape(1);
  if (params.rankKnown && params.rank() == 0)
    return context.error("params must be at least a vector");
  if (indices.rankKnown && indices.rank() == 0)
    return context.error("indices must be at least a vector");
  if (!params.rankKnown || !indices.rankKnown)
    return okStatus();
  std::optional<int64_t> known =
      context.dims().takeAsKnown(indices.dims.back());
  if (!known) {
    context.needExtents(1);
    return okStatus();
  }
  int64_t tuple = *known;
  if (tuple > params.rank())
    return context.error(strCat(
        "index innermost dimension length must be <= params rank; saw: ", tuple,
        " vs. ", params.rank()));
  Dims dims(indices.dims.begin(), indices.dims.end() - 1);
  dims.insert(dims.end(), params.dims.begin() + tuple, params.dims.end());
  context.setOutputShape(0, SymShape::of(std::move(dims)));
  return okStatus();
}

/// data : [ids..., row...], ids, number -> [number, row...]
Status inferUnsortedSegment(InferenceContext &context) {
  const SymShape &data = context.inputShape(0), &ids = context.inputShape(1);
  if (const SymShape &count = context.inputShape(2);
      !context.isBuilding() && count.rankKnown && count.rank() != 0)
    return context.error("num_segments should be a scalar, not shape " +
                         formatted(context, count));
  if (!data.rankKnown || !ids.rankKnown) {
    context.setOutputShape(0, SymShape::unknownRank());
    return okStatus();
  }
  if (data.rank() < ids.rank())
    return context.error(
        strCat("data.shape = ", context.dims().format(data.dims),
               " does not start with segment_ids.shape = ",
               context.dims().format(ids.dims)));
  for (size_t i = 0; i < ids.dims.size(); ++i)
    KILN_RETURN_IF_ERROR(
        context.dims()
            .unify(data.dims[i], ids.dims[i],
                   {.prefix = "data.shape = ",
                    .joiner = " does not start with segment_ids.shape = ",
                    .lhs = &data.dims,
                    .rhs = &ids.dims})
            .status());
  const Dims *number = context.inputAmounts(2);
  Dims dims(data.dims.begin() + ids.rank(), data.dims.end());
  dims.insert(dims.begin(),
              number && number->size() == 1 ? number->front() : Dim::unknown());
  // TensorFlow's kernel takes it in the type of the ids, its shape function as
  // it is. One that the run finds out is taken as it is, too.
  if (!context.dims().isBuilding() && dims.front().isKnown())
    dims.front() = wrapped(context.inputDType(1), dims.front());
  const Dims segments = {dims.front()}, none;
  KILN_RETURN_IF_ERROR(
      context.dims().require(Guard::Kind::NonNegative, dims.front(), Dim(),
                             {.prefix = "Input num_segments == ",
                              .suffix = " must not be negative.",
                              .lhs = &segments,
                              .rhs = &none,
                              .asNumbers = true}));
  context.setOutputShape(0, SymShape::of(std::move(dims)));
  return okStatus();
}

/// data : [n, row...], ids : [n] -> [last id and one, row...]
Status inferSegment(InferenceContext &context) {
  const SymShape &data = context.inputShape(0), &ids = context.inputShape(1);
  if (data.rankKnown && data.rank() == 0)
    return context.error("input must be at least rank 1");
  if (ids.rankKnown && ids.rank() != 1)
    return context.error("segment_ids should be a vector.");
  if (!data.rankKnown || !ids.rankKnown)
    return okStatus();
  KILN_RETURN_IF_ERROR(
      context.dims()
          .unify(data.dims[0], ids.dims[0],
                 {.prefix =
                      "segment_ids should be the same size as dimension 0 "
                      "of input."})
          .status());
  SymShape shape = data;
  shape.dims[0] = context.dims().runDim(0, /*isSize=*/true);
  context.setOutputShape(0, std::move(shape));
  return okStatus();
}

namespace {

/// Checks a data input, indices and segment ids.
Status checkSparseSegment(InferenceContext &context) {
  const SymShape &data = context.inputShape(0),
                 &indices = context.inputShape(1), &ids = context.inputShape(2);
  if (data.rankKnown && data.rank() == 0)
    return context.error("Shape must be at least rank 1");
  if (indices.rankKnown && indices.rank() != 1)
    return context.error("indices should be a vector.");
  if (ids.rankKnown && ids.rank() != 1)
    return context.error("segment_ids should be a vector.");
  if (!indices.rankKnown || !ids.rankKnown)
    return okStatus();
  return context.dims()
      .unify(indices.dims[0], ids.dims[0],
             {.prefix = "segment_ids and indices should have same size."})
      .status();
}

/// The rows of input 0, as many of them as `rows`.
Status setRows(InferenceContext &context, Dim rows) {
  SymShape shape = context.inputShape(0);
  if (!shape.rankKnown)
    return okStatus();
  shape.dims[0] = rows;
  context.setOutputShape(0, std::move(shape));
  return okStatus();
}

} // namespace

Status inferSparseSegment(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkSparseSegment(context));
  if (context.numInputs() == 3)
    return setRows(context, context.dims().runDim(0, /*isSize=*/true));
  Dim rows = scalarAmount(context, 3);
  KILN_RETURN_IF_ERROR(
      context.dims().require(Guard::Kind::NonNegative, rows, Dim(),
                             {.prefix = "segment ids must be >= 0"}));
  return setRows(context, rows);
}

Status inferSparseSegmentGrad(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkSparseSegment(context));
  Dim rows = scalarAmount(context, 3);
  Dims number = {rows};
  KILN_RETURN_IF_ERROR(context.dims().require(
      Guard::Kind::NonNegative, rows, Dim(),
      {.prefix = "output_dim0 must be non-negative, got ",
       .lhs = &number,
       .asNumbers = true}));
  return setRows(context, rows);
}

/// grad : [segments, row...] -> the rows of the data that the indices name,
/// and which these are.
Status inferSparseSegmentGradV2(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkSparseSegment(context));
  if (const SymShape &extent = context.inputShape(3);
      extent.rankKnown && extent.rank() != 0)
    return context.error("dense_output_dim0 should be a scalar.");
  Dim rows = context.dims().runDim(0, /*isSize=*/true);
  context.setOutputShape(1, SymShape::of({rows}));
  return setRows(context, rows);
}

} // namespace kiln::shapes
