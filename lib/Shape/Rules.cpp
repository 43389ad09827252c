// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape rules of elementwise ops, contractions, reductions and rearrangements.
#include "lib/Shape/Rules.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln {
namespace {

Status fail(DimSpace &space, const std::string &message) {
  return space.error({.prefix = message});
}

} // namespace

std::optional<int> normalizeAxis(int64_t axis, int rank) {
  if (axis < -rank || axis >= rank)
    return std::nullopt;
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}

StatusOr<Dims> unifyShapes(DimSpace &space, const Dims &a, const Dims &b,
                           GuardInfo info) {
  info.lhs = &a;
  info.rhs = &b;
  if (a.size() != b.size())
    return space.error(info);
  Dims result;
  for (size_t i = 0; i < a.size(); ++i) {
    KILN_ASSIGN_OR_RETURN(Dim dim, space.unify(a[i], b[i], info));
    result.push_back(dim);
  }
  return result;
}

StatusOr<Dims> matmulShape(DimSpace &space, const Dims &a, const Dims &b,
                           bool transposeA, bool transposeB) {
  for (const Dims *operand : {&a, &b})
    if (operand->size() != 2)
      return fail(space,
                  strCat("In[", operand == &a ? 0 : 1, "] ndims must be ",
                         operand->size() < 2 ? ">= 2" : "2"));
  GuardInfo info{.prefix = "Matrix size-incompatible: In[0]: ",
                 .joiner = ", In[1]: ",
                 .lhs = &a,
                 .rhs = &b};
  KILN_RETURN_IF_ERROR(
      space.unify(a[transposeA ? 0 : 1], b[transposeB ? 1 : 0], info).status());
  return Dims{a[transposeA ? 1 : 0], b[transposeB ? 0 : 1]};
}

StatusOr<Dims> batchMatmulShape(DimSpace &space, const Dims &a, const Dims &b,
                                bool adjointA, bool adjointB,
                                bool broadcastBatch) {
  for (const Dims *operand : {&a, &b})
    if (operand->size() < 2)
      return fail(space, strCat("In[", operand == &a ? 0 : 1,
                                "] ndims must be >= 2: ", operand->size()));
  Dims batchA(a.begin(), a.end() - 2), batchB(b.begin(), b.end() - 2), result;
  if (!broadcastBatch && a.size() != b.size())
    return space.error({.prefix = "In[0] and In[1] has different ndims: ",
                        .joiner = " vs. ",
                        .lhs = &a,
                        .rhs = &b});
  GuardInfo batch{.prefix =
                      "In[0] and In[1] must have compatible batch dimensions: ",
                  .joiner = " vs. ",
                  .lhs = &a,
                  .rhs = &b};
  result = batchA.size() >= batchB.size() ? batchA : batchB;
  for (size_t back = 1; back <= std::min(batchA.size(), batchB.size());
       ++back) {
    Dim left = batchA[batchA.size() - back],
        right = batchB[batchB.size() - back];
    size_t index = result.size() - back;
    std::string text = strCat("In[0].dim(", index, ") and In[1].dim(", index,
                              ") must be the same: ");
    GuardInfo same{.prefix = text, .joiner = " vs ", .lhs = &a, .rhs = &b};
    auto dim = broadcastBatch ? space.broadcast(left, right, batch)
                              : space.unify(left, right, same);
    KILN_ASSIGN_OR_RETURN(result[index], dim);
  }
  Dim k = a[a.size() - (adjointA ? 2 : 1)],
      otherK = b[b.size() - (adjointB ? 1 : 2)];
  std::string suffix = strCat(" ", adjointA ? 1 : 0, " ", adjointB ? 1 : 0);
  GuardInfo info{.prefix = "Matrix size-incompatible: In[0]: ",
                 .joiner = ", In[1]: ",
                 .suffix = suffix,
                 .lhs = &a,
                 .rhs = &b};
  KILN_RETURN_IF_ERROR(space.unify(k, otherK, info).status());
  result.push_back(a[a.size() - (adjointA ? 1 : 2)]);
  result.push_back(b[b.size() - (adjointB ? 2 : 1)]);
  return result;
}

StatusOr<Dims> reduceShape(DimSpace &space, const Dims &input,
                           std::span<const int64_t> axes, bool keepDims) {
  int rank = static_cast<int>(input.size());
  std::vector<bool> reduced(input.size());
  for (int64_t axis : axes) {
    std::optional<int> index = normalizeAxis(axis, rank);
    if (!index)
      return fail(space, strCat("Invalid reduction dimension (", axis,
                                " for input with ", rank, " dimension(s)"));
    if (reduced[static_cast<size_t>(*index)])
      return fail(space, strCat("Invalid reduction arguments: Axes contains "
                                "duplicate dimension: ",
                                *index));
    reduced[static_cast<size_t>(*index)] = true;
  }
  Dims result;
  for (size_t i = 0; i < input.size(); ++i) {
    if (!reduced[i])
      result.push_back(input[i]);
    else if (keepDims)
      result.push_back(Dim::known(1));
  }
  return result;
}

StatusOr<Dims> concatShape(DimSpace &space, std::span<const Dims> inputs,
                           int64_t axis) {
  int rank = static_cast<int>(inputs[0].size());
  std::optional<int> index = normalizeAxis(axis, rank);
  if (!index)
    return fail(
        space,
        strCat("ConcatOp : Expected concatenating dimensions in the range [",
               -rank, ", ", rank, "), but got ", axis));
  Dims result = inputs[0];
  for (size_t n = 1; n < inputs.size(); ++n) {
    std::string joiner = strCat(" vs. shape[", n, "] = ");
    if (inputs[n].size() != inputs[0].size())
      return space.error({.prefix = "ConcatOp : Ranks of all input tensors "
                                    "should match: shape[0] = ",
                          .joiner = joiner,
                          .lhs = &inputs[0],
                          .rhs = &inputs[n]});
    for (size_t i = 0; i < result.size(); ++i) {
      if (static_cast<int>(i) == *index) {
        result[i] = space.add(result[i], inputs[n][i]);
        continue;
      }
      std::string prefix = strCat("ConcatOp : Dimension ", i,
                                  " in both shapes must be equal: shape[0] = ");
      GuardInfo info{.prefix = prefix,
                     .joiner = joiner,
                     .lhs = &inputs[0],
                     .rhs = &inputs[n]};
      KILN_ASSIGN_OR_RETURN(result[i],
                            space.unify(result[i], inputs[n][i], info));
    }
  }
  return result;
}

StatusOr<Dims> packShape(DimSpace &space, std::span<const Dims> inputs,
                         int64_t axis) {
  int rank = static_cast<int>(inputs[0].size()) + 1;
  std::optional<int> index = normalizeAxis(axis, rank);
  if (!index)
    return fail(space,
                strCat("axis = ", axis, " not in [", -rank, ", ", rank, ")"));
  Dims result = inputs[0];
  for (size_t n = 1; n < inputs.size(); ++n) {
    std::string joiner = strCat(" != values[", n, "].shape = ");
    KILN_ASSIGN_OR_RETURN(
        result,
        unifyShapes(
            space, result, inputs[n],
            {.prefix = "Shapes of all inputs must match: values[0].shape = ",
             .joiner = joiner}));
  }
  result.insert(result.begin() + *index,
                Dim::known(static_cast<int64_t>(inputs.size())));
  return result;
}

StatusOr<Dims> transposeShape(DimSpace &space, const Dims &input,
                              std::span<const int64_t> permutation) {
  int rank = static_cast<int>(input.size());
  if (permutation.size() != input.size())
    return fail(space, strCat("transpose expects a vector of size ", rank,
                              ". But input(1) is a vector of size ",
                              permutation.size()));
  std::vector<bool> used(input.size());
  Dims result;
  for (int64_t axis : permutation) {
    std::optional<int> index = normalizeAxis(axis, rank);
    if (!index)
      return fail(space, strCat(axis, " is out of range [0 .. ", rank, ")"));
    used[static_cast<size_t>(*index)] = true;
    result.push_back(input[static_cast<size_t>(*index)]);
  }
  for (size_t i = 0; i < used.size(); ++i)
    if (!used[i])
      return fail(space, strCat(i, " is missing from {",
                                strJoin(permutation, ","), "}."));
  return result;
}

StatusOr<Dims> tileShape(DimSpace &space, const Dims &input,
                         const Dims &multiples) {
  if (multiples.size() != input.size())
    return fail(space,
                strCat("Expected multiples argument to be a vector of length ",
                       input.size(), " but got length ", multiples.size()));
  Dims result;
  for (size_t i = 0; i < input.size(); ++i) {
    std::string prefix = strCat("Expected multiples[", i, "] >= 0, but got ");
    Dims number = {multiples[i]}, none;
    KILN_RETURN_IF_ERROR(space.require(
        Guard::Kind::NonNegative, multiples[i], Dim::known(0),
        {.prefix = prefix, .lhs = &number, .rhs = &none, .asNumbers = true}));
    result.push_back(space.mul(input[i], multiples[i]));
  }
  return result;
}

StatusOr<Dims> padShape(DimSpace &space, const Dims &input,
                        const Dims &paddings) {
  Dims result;
  for (size_t i = 0; i < input.size(); ++i) {
    Dims before = {paddings[2 * i]}, after = {paddings[2 * i + 1]};
    GuardInfo info{.prefix = "Paddings must be non-negative: ",
                   .joiner = " ",
                   .lhs = &before,
                   .rhs = &after,
                   .asNumbers = true};
    for (Dim amount : {before[0], after[0]})
      KILN_RETURN_IF_ERROR(
          space.require(Guard::Kind::NonNegative, amount, Dim::known(0), info));
    result.push_back(space.add(space.add(input[i], before[0]), after[0]));
  }
  return result;
}

StatusOr<Dims> expandDimsShape(DimSpace &space, const Dims &input,
                               int64_t axis) {
  int rank = static_cast<int>(input.size());
  std::optional<int> index = normalizeAxis(axis, rank + 1);
  if (!index)
    return fail(space, strCat("Tried to expand dim index ", axis,
                              " for tensor with ", rank, " dimensions."));
  Dims result = input;
  result.insert(result.begin() + *index, Dim::known(1));
  return result;
}

StatusOr<std::optional<Dims>> squeezeShape(DimSpace &space, const Dims &input,
                                           std::span<const int64_t> axes) {
  int rank = static_cast<int>(input.size());
  std::vector<bool> removed(input.size());
  for (int64_t axis : axes) {
    std::optional<int> index = normalizeAxis(axis, rank);
    if (!index)
      return fail(space, strCat("Tried to squeeze dim index ", axis,
                                " for tensor with ", rank, " dimensions."));
    removed[static_cast<size_t>(*index)] = true;
  }
  Dims result;
  for (size_t i = 0; i < input.size(); ++i) {
    if (removed[i]) {
      std::string prefix = strCat("Can not squeeze dim[", i,
                                  "], expected a dimension of 1, got ");
      Dims number = {input[i]}, none;
      KILN_RETURN_IF_ERROR(space
                               .unify(input[i], Dim::known(1),
                                      {.prefix = prefix,
                                       .lhs = &number,
                                       .rhs = &none,
                                       .asNumbers = true})
                               .status());
      continue;
    }
    std::optional<bool> one = axes.empty() ? space.isOne(input[i]) : false;
    if (!one)
      return std::optional<Dims>();
    if (!*one)
      result.push_back(input[i]);
  }
  return std::optional<Dims>(std::move(result));
}

StatusOr<Dims> gatherShape(DimSpace &space, const Dims &params,
                           const Dims &indices, int64_t axis,
                           int64_t batchDims) {
  int rank = static_cast<int>(params.size());
  std::optional<int> index = normalizeAxis(axis, rank);
  if (!index) {
    auto bits = static_cast<uint64_t>(axis); // of any int64
    return fail(space,
                strCat("Shape must be at least rank ",
                       axis < 0 ? -bits : bits + 1, " but is rank ", rank));
  }
  auto most = static_cast<int64_t>(indices.size());
  if (batchDims < -most || batchDims > most)
    return fail(space, strCat("Expected batch_dims in the range [", -most, ", ",
                              most, "], but got ", batchDims));
  int64_t batch = batchDims < 0 ? batchDims + most : batchDims;
  if (batch >= rank)
    return fail(space,
                strCat("batch_dims (", batch,
                       ") must be less than rank(params) (", rank, ")."));
  if (batch > *index)
    return fail(space,
                strCat("batch_dims (", batch,
                       ") must be less than or equal to axis (", *index, ")."));
  Dims result(params.begin(), params.begin() + *index);
  for (size_t i = 0; i < static_cast<size_t>(batch); ++i) {
    std::string prefix = strCat("params.shape[", i, "]: "),
                joiner = strCat(" should be equal to indices.shape[", i, "]: ");
    Dims left = {params[i]}, right = {indices[i]};
    KILN_ASSIGN_OR_RETURN(result[i], space.unify(params[i], indices[i],
                                                 {.prefix = prefix,
                                                  .joiner = joiner,
                                                  .lhs = &left,
                                                  .rhs = &right,
                                                  .asNumbers = true}));
  }
  result.insert(result.end(), indices.begin() + batch, indices.end());
  result.insert(result.end(), params.begin() + *index + 1, params.end());
  return result;
}

} // namespace kiln
