// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape rules as functions on dimensions, shared by graph building, import and
// the dialect.
#ifndef KILN_LIB_SHAPE_RULES_H
#define KILN_LIB_SHAPE_RULES_H

#include "lib/Shape/DimSpace.h"

#include <optional>
#include <span>
#include <vector>

namespace kiln {

// All functions: **Errors**: INVALID_ARGUMENT with TensorFlow's run-time text
// and the node that the space blames. Dimensions may be unknown; ranks and axes
// are known: callers give up where they are not.

/// a and b aligned at the right; missing dimensions count as 1. "Incompatible
/// shapes: [4,5] vs. [2,3]".
StatusOr<Dims> broadcastShapes(DimSpace &space, const Dims &a, const Dims &b);
/// `from` broadcast to exactly `to`.
Status checkBroadcastTo(DimSpace &space, const Dims &from, const Dims &to);
/// Two shapes that must be equal; returns what is known from both. The info's
/// lhs and rhs are set here. **Errors**: also different ranks.
StatusOr<Dims> unifyShapes(DimSpace &space, const Dims &a, const Dims &b,
                           GuardInfo info);

/// An axis counted from the end made an index; nothing outside of [-rank,
/// rank).
std::optional<int> normalizeAxis(int64_t axis, int rank);

/// Shapes: a [m, k] or transposed, b [k, n] or transposed.
StatusOr<Dims> matmulShape(DimSpace &space, const Dims &a, const Dims &b,
                           bool transposeA, bool transposeB);
/// Shapes: a [..., m, k], b [..., k, n]; the leading dimensions broadcast, or
/// must be equal (the first BatchMatMul).
StatusOr<Dims> batchMatmulShape(DimSpace &space, const Dims &a, const Dims &b,
                                bool adjointA, bool adjointB,
                                bool broadcastBatch);

StatusOr<Dims> reduceShape(DimSpace &space, const Dims &input,
                           std::span<const int64_t> axes, bool keepDims);
/// Axis in [-rank, rank).
StatusOr<Dims> concatShape(DimSpace &space, std::span<const Dims> inputs,
                           int64_t axis);
StatusOr<Dims> packShape(DimSpace &space, std::span<const Dims> inputs,
                         int64_t axis);
/// 1 for a number below 0, else 0.
Dim isBelowZero(DimSpace &space, Dim number);
/// begin and size have one element a dimension; a size of -1 is the rest.
StatusOr<Dims> sliceShape(DimSpace &space, const Dims &input, const Dims &begin,
                          const Dims &size);
StatusOr<Dims> transposeShape(DimSpace &space, const Dims &input,
                              std::span<const int64_t> permutation);
/// The elements of target are dimensions; a single -1, which the run may find,
/// is what remains.
StatusOr<Dims> reshapeShape(DimSpace &space, const Dims &input,
                            const Dims &target);
StatusOr<Dims> tileShape(DimSpace &space, const Dims &input,
                         const Dims &multiples);
/// paddings: before and after for each dimension.
StatusOr<Dims> padShape(DimSpace &space, const Dims &input,
                        const Dims &paddings);
StatusOr<Dims> expandDimsShape(DimSpace &space, const Dims &input,
                               int64_t axis);
/// No axes: every dimension that is 1. A dimension that is not known to be 1 is
/// settled through isOne; nothing where that leaves the rank open.
StatusOr<std::optional<Dims>> squeezeShape(DimSpace &space, const Dims &input,
                                           std::span<const int64_t> axes);
/// Axis and batchDims are normalized here.
StatusOr<Dims> gatherShape(DimSpace &space, const Dims &params,
                           const Dims &indices, int64_t axis,
                           int64_t batchDims);
/// The number of elements from start, up to or down to limit.
StatusOr<Dim> rangeLength(DimSpace &space, Dim start, Dim limit, Dim delta);

/// Axes to sum a gradient over, for the two operands of a broadcast. Nothing
/// where dimensions are not decided.
struct BroadcastAxes {
  std::vector<int64_t> a, b;
};
StatusOr<std::optional<BroadcastAxes>>
broadcastGradientAxes(DimSpace &space, const Dims &a, const Dims &b);

/// The elements of begin, end and strides may be unknown (whole lists:
/// nullopt); masks as in TensorFlow.
struct StridedSliceSpec {
  std::optional<Dims> begin, end, strides;
  /// Number of entries; -1 where not even that is known.
  int numEntries = -1;
  int64_t beginMask = 0, endMask = 0, ellipsisMask = 0, newAxisMask = 0,
          shrinkAxisMask = 0;
};
/// One dimension of the input as a strided slice sees it.
struct StridedDim {
  Dim begin = Dim::unknown();
  Dim stride = Dim::known(1);
  Dim extent = Dim::unknown();
  /// An index rather than a range: not in the output.
  bool shrink = false;
};
struct StridedSlicePlan {
  /// One a dimension of the input.
  std::vector<StridedDim> dims;
  /// The output's dimensions in order: an index into `dims`, or -1 for a new
  /// axis of extent 1.
  std::vector<int> outputs;
  Dims shape;
};
StatusOr<StridedSlicePlan> planStridedSlice(DimSpace &space, const Dims &input,
                                            const StridedSliceSpec &spec);

} // namespace kiln

#endif // KILN_LIB_SHAPE_RULES_H
