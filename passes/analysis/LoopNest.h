// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loops that a set of kiln ops can share, whatever machine runs them: what
// is legal. How a machine runs them says a schedule (passes/schedule).
#ifndef KILN_PASSES_ANALYSIS_LOOPNEST_H
#define KILN_PASSES_ANALYSIS_LOOPNEST_H

#include "dialect/Kiln.h"
#include "dialect/Types.h"
#include "runtime/arithmetic/ReductionOrder.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include <optional>

namespace kiln::passes {

/// The loops of a nest, from the outside in: parallel, reduced ("rows"), inner
/// ("columns", the axis along which elements are neighbours in memory).
enum class Level { Parallel, Reduced, Inner };

/// One loop: its trip count, a product of extents, and where it stands.
struct Axis {
  ir::Extents factors;
  Level level = Level::Parallel;

  /// The trip count where all factors are known.
  std::optional<int64_t> knownExtent() const;
  /// The same, and 0 where one factor is.
  std::optional<int64_t> foldedExtent() const;
};

/// Maps each dimension of a value to the axis that walks it; `unwalked` for one
/// of extent 1 (or one that an index picks from), `collapsed` for one that the
/// next dimension's axis walks along with its own.
inline constexpr int unwalked = -1, collapsed = -2;
using AxisList = llvm::SmallVector<int, 4>;

/// The loops of a set of ops, or the reason why there are none.
///
/// Invariants. (1) Every dimension with an extent other than 1 of every value
/// has exactly one axis, and no value has an axis twice. (2) At most one axis
/// is Reduced and at most one is Inner after collapsing; the order of `axes` is
/// the order of the loops. (3) An inner reduction (the last dimension among its
/// axes: 16 lanes) reduces exactly the inner axis; an outer one (one lane,
/// blocks of 32) exactly the reduced axis. (4) What follows an outer reduction
/// ("epilogue") has no Reduced axis. (5) A value that leaves the set has all
/// Parallel axes.
struct LoopNest {
  llvm::SmallVector<Axis, 4> axes;
  llvm::DenseMap<mlir::Value, AxisList> values; ///< results of the set's ops
  llvm::DenseMap<mlir::OpOperand *, AxisList>
      leaves;       ///< uses of values from outside the set
  int reduced = -1; ///< the Reduced axis, or -1
  int inner = -1;   ///< the Inner axis, or -1
  bool hasInnerReduction = false, hasOuterReduction = false;
  /// The results that are used outside the set, or by a terminator.
  llvm::SmallVector<mlir::Value, 4> stored;

  bool has(const AxisList &list, int axis) const {
    return axis >= 0 && llvm::is_contained(list, axis);
  }
};

/// Whether a reduction is in the order of the innermost axis (16 lanes).
bool isInnerReduction(ir::ReduceOp op);

/// The one shape of all operands and results of elementwise ops, with an
/// element type that does not matter; null where there are several, or other
/// ops than these and splats.
mlir::RankedTensorType uniformShape(llvm::ArrayRef<mlir::Operation *> ops);

/// The loop nest of \p ops (in program order; terminators are skipped), or
/// failure with the reason in \p why.
mlir::FailureOr<LoopNest> analyzeLoopNest(llvm::ArrayRef<mlir::Operation *> ops,
                                          std::string *why = nullptr);

} // namespace kiln::passes

#endif // KILN_PASSES_ANALYSIS_LOOPNEST_H
