// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What shape functions demand of the inputs of ops that the session does:
// while a graph is built, for in a run the op says it in its own words.
#ifndef KILN_LIB_OPDEFS_RANKS_H
#define KILN_LIB_OPDEFS_RANKS_H

#include "lib/OpDefs/Inference.h"

#include <initializer_list>

namespace kiln::shapes {

inline constexpr int anyRank = -1;

/// The inputs from `first` on have these ranks. **Errors**: "Shape must be rank
/// 2 but is rank 1".
Status demandRanks(InferenceContext &context, std::initializer_list<int> ranks,
                   int first = 0);
Status demandRankAtLeast(InferenceContext &context, int input, int rank);
Status demandRankAtMost(InferenceContext &context, int input, int rank);
/// Extent d of an input; unknown where the input's shape is, or has none.
Dim extentOf(const InferenceContext &context, int input, int d);
/// What is known of two extents that must be equal. **Errors**: "Dimensions
/// must be equal, but are 3 and 4".
StatusOr<Dim> sameExtent(InferenceContext &context, Dim a, Dim b);
/// No two extents of shapes that are broadcast differ where neither is 1: a run
/// shows the whole shapes. **Errors**: those of sameExtent().
Status demandBroadcast(InferenceContext &context, const Dims &a, const Dims &b);
/// The shapes are equal. **Errors**: "Shapes must be equal rank, but are 1 and
/// 2"; "Dimension 0 in both shapes must be equal, but are 2 and 3. Shapes are
/// [2] and [3].".
Status demandSameShape(InferenceContext &context, const SymShape &a,
                       const SymShape &b);

} // namespace kiln::shapes

#endif // KILN_LIB_OPDEFS_RANKS_H
