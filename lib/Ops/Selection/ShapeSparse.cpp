// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape function of slices of sparse tensors.
#include "lib/Ops/Selection/Shape.h"

#include "lib/OpDefs/Contents.h"
#include "lib/OpDefs/Inference.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln::shapes {

/// **Errors**: INVALID_ARGUMENT with TensorFlow's texts.
static Status checkParts(InferenceContext &context) {
  struct Rank {
    int input, rank;
    std::string_view name;
  };
  for (auto [input, rank, name] :
       {Rank{0, 2, "indices"}, Rank{1, 1, "values"}, Rank{2, 1, "shape"}})
    if (const SymShape &shape = context.inputShape(input);
        shape.rankKnown && shape.rank() != rank)
      return context.error(strCat("Sparse ", name, " must be rank ", rank,
                                  " but is rank ", shape.rank()));
  for (auto [input, rank, name] : {Rank{3, 1, "start"}, Rank{4, 1, "size"}})
    if (const SymShape &shape = context.inputShape(input);
        shape.rankKnown && shape.rank() != rank)
      return context.error(strCat("Input ", name,
                                  " should be a vector but received shape ",
                                  context.dims().format(shape.dims)));
  return okStatus();
}

/// indices [n, r], values [n], shape [r], start [r], size [r] -> as many
/// indices and values as the run finds, and the shape of the slice.
Status inferSparseSlice(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkParts(context));
  DimSpace &space = context.dims();
  const SymShape &indices = context.inputShape(0),
                 &values = context.inputShape(1),
                 &shape = context.inputShape(2);
  Dim rank = shape.rankKnown ? shape.dims[0] : Dim::unknown();
  if (indices.rankKnown) {
    const Dims own = {indices.dims[1]}, all = {rank};
    KILN_ASSIGN_OR_RETURN(rank, space.unify(own[0], all[0],
                                            {.prefix = "Index rank (",
                                             .joiner = ") and shape rank (",
                                             .suffix = ") do not match",
                                             .lhs = &own,
                                             .rhs = &all,
                                             .asNumbers = true}));
  }
  if (indices.rankKnown && values.rankKnown) {
    const Dims places = {indices.dims[0]}, numbers = {values.dims[0]};
    KILN_RETURN_IF_ERROR(
        space
            .unify(places[0], numbers[0],
                   {.prefix = "Number of elements in indices (",
                    .joiner = ") and values (",
                    .suffix = ") do not match",
                    .lhs = &places,
                    .rhs = &numbers,
                    .asNumbers = true})
            .status());
  }
  for (int i : {3, 4}) {
    const SymShape &vector = context.inputShape(i);
    if (!vector.rankKnown)
      continue;
    const Dims all = {rank}, own = {vector.dims[0]};
    const std::string prefix = strCat("Expected ", i == 3 ? "start" : "size",
                                      " to be a vector of length ");
    KILN_RETURN_IF_ERROR(space
                             .unify(all[0], own[0],
                                    {.prefix = prefix,
                                     .joiner = " but got length ",
                                     .lhs = &all,
                                     .rhs = &own,
                                     .asNumbers = true})
                             .status());
  }
  const Dim count = space.runDim(0, /*isSize=*/true);
  context.setOutputShape(0, SymShape::of({count, rank}));
  context.setOutputShape(1, SymShape::of({count}));
  context.setOutputShape(2, SymShape::of({rank}));
  const auto all = knownNumbers(context.knownContents(2)),
             start = knownNumbers(context.knownContents(3)),
             size = knownNumbers(context.knownContents(4));
  if (!all || !start || !size)
    return okStatus();
  Dims extents;
  for (size_t d = 0; d < all->size(); ++d) {
    int64_t rest = 0;
    if (__builtin_sub_overflow((*all)[d], (*start)[d], &rest) ||
        (*size)[d] < 0 || (*all)[d] < 0) // the run's matter
      return okStatus();
    extents.push_back(
        Dim::known(std::max<int64_t>(std::min(rest, (*size)[d]), 0)));
  }
  context.setOutputContents(2, std::move(extents));
  return okStatus();
}

} // namespace kiln::shapes
