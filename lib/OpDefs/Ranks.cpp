// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Demands ranks and extents while a graph is built.
#include "lib/OpDefs/Ranks.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln::shapes {

Status demandRanks(InferenceContext &context, std::initializer_list<int> ranks,
                   int first) {
  for (int rank : ranks) {
    if (context.isBuilding() && rank != anyRank)
      KILN_RETURN_IF_ERROR(
          context.withRank(context.inputShape(first), rank).status());
    ++first;
  }
  return okStatus();
}

Status demandRankAtLeast(InferenceContext &context, int input, int rank) {
  const SymShape &shape = context.inputShape(input);
  if (context.isBuilding() && shape.rankKnown && shape.rank() < rank)
    return context.error(strCat("Shape must be at least rank ", rank,
                                " but is rank ", shape.rank()));
  return okStatus();
}

Status demandRankAtMost(InferenceContext &context, int input, int rank) {
  const SymShape &shape = context.inputShape(input);
  if (context.isBuilding() && shape.rankKnown && shape.rank() > rank)
    return context.error(strCat("Shape must be at most rank ", rank,
                                " but is rank ", shape.rank()));
  return okStatus();
}

Dim extentOf(const InferenceContext &context, int input, int d) {
  const SymShape &shape = context.inputShape(input);
  if (!context.isBuilding() || !shape.rankKnown || d >= shape.rank())
    return Dim::unknown();
  return shape.dims[static_cast<size_t>(d)];
}

StatusOr<Dim> sameExtent(InferenceContext &context, Dim a, Dim b) {
  const Dims first = {a}, second = {b};
  return context.dims().unify(a, b,
                              {.prefix = "Dimensions must be equal, but are ",
                               .joiner = " and ",
                               .lhs = &first,
                               .rhs = &second,
                               .asNumbers = true});
}

Status demandBroadcast(InferenceContext &context, const Dims &a,
                       const Dims &b) {
  const size_t count = std::min(a.size(), b.size());
  for (size_t back = context.isBuilding() ? count : 0; back > 0; --back) {
    const Dim left = a[a.size() - back], right = b[b.size() - back];
    if (left.isKnown() && right.isKnown() && left.value != 1 &&
        right.value != 1)
      KILN_RETURN_IF_ERROR(sameExtent(context, left, right).status());
  }
  return okStatus();
}

Status demandSameShape(InferenceContext &context, const SymShape &a,
                       const SymShape &b) {
  if (!context.isBuilding())
    return okStatus();
  if (auto merged = toShape(a).merge(toShape(b)); !merged.ok())
    return context.error(std::string(merged.status().message()));
  return okStatus();
}

} // namespace kiln::shapes
