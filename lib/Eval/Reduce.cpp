// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluates reductions in the order of runtime/arithmetic/ReductionOrder.h.
#include "lib/Eval/ElementwiseLoops.h"
#include "lib/Eval/Interpreter.h"
#include "lib/Eval/StridedCopy.h"
#include "lib/Support/StatusMacros.h"
#include "runtime/arithmetic/CpuVariants.h"
#include "runtime/arithmetic/ReductionOrder.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <vector>

namespace kiln::eval {
namespace {

/// A run may be cancelled in the middle of a reduction.
constexpr int64_t elementsBetweenPolls = int64_t(1) << 20;

/// An operand seen as [outer, reduced, inner], contiguous.
struct ReductionView {
  Tensor tensor;
  bool isScratch = false;
  int64_t outer = 1, reduced = 1, inner = 1;
};

/// Brings the reduced axes together, in ascending order; where they are not
/// neighbours by a transposed copy. Kept dimensions before the first axis are
/// the outer ones; with the last dimension among the axes all kept ones are.
StatusOr<ReductionView> viewOf(ValueId value, std::span<const int64_t> axes,
                               Interpreter &interpreter) {
  ReductionView view;
  KILN_ASSIGN_OR_RETURN(view.tensor, interpreter.dense(value));
  int64_t rank = view.tensor.rank();
  bool innermost = !axes.empty() && axes.back() == rank - 1;
  InlineVector<int64_t, 8> order;
  auto isAxis = [&](int64_t dim) {
    return std::ranges::find(axes, dim) != axes.end();
  };
  for (int64_t i = 0; i < rank; ++i)
    if (!isAxis(i) && (innermost || axes.empty() || i < axes.front())) {
      order.push_back(i);
      view.outer *= view.tensor.dim(static_cast<int>(i));
    }
  for (int64_t axis : axes) {
    order.push_back(axis);
    view.reduced *= view.tensor.dim(static_cast<int>(axis));
  }
  for (int64_t i = 0; i < rank; ++i)
    if (std::ranges::find(order, i) == order.end()) {
      order.push_back(i);
      view.inner *= view.tensor.dim(static_cast<int>(i));
    }
  if (std::ranges::is_sorted(order))
    return view;
  auto from = rowMajorStrides(view.tensor.shape().dims());
  CopyLoops loops;
  int64_t stride = view.tensor.numElements();
  for (int64_t dim : order) {
    int64_t extent = view.tensor.dim(static_cast<int>(dim));
    stride = extent == 0 ? 0 : stride / extent;
    loops.push_back({extent, stride, from[static_cast<size_t>(dim)]});
  }
  KILN_ASSIGN_OR_RETURN(
      Tensor copy,
      interpreter.allocate(view.tensor.dtype(),
                           Shape{view.outer, view.reduced, view.inner}));
  KILN_RETURN_IF_ERROR(copyStrided(copy.mutableRawData(), view.tensor.rawData(),
                                   loops, dtypeSize(copy.dtype()),
                                   interpreter));
  view.tensor = std::move(copy);
  view.isScratch = true;
  return view;
}

/// Sixteen lanes of `count` reduced elements: of an INNERMOST order the lanes
/// of a row, of an OUTER one `width` columns of rows `pitch` elements apart.
template <class T> struct LanesOf {
  const T *source;
  int64_t count;
  int64_t pitch = 0; ///< 0: INNERMOST
  size_t width = reduction::lanes;
};

template <class T, class Op>
[[gnu::always_inline]] inline reduction::LaneVector<T>
reduceLanes(const LanesOf<T> &part) {
  if (part.pitch == 0)
    return reduction::lanesOfInnermost<T, Op>(
        part.count, [&](int64_t i) { return part.source[i]; });
  reduction::BlockCounter<Op, reduction::LaneVector<T>> counter;
  for (int64_t begin = 0; begin < part.count; begin += reduction::outerBlock) {
    const int64_t end = std::min(part.count, begin + reduction::outerBlock);
    auto acc = reduction::neutralLanes<Op, T>();
    for (int64_t row = begin; row < end; ++row) {
      const T *elements = part.source + row * part.pitch;
      if (part.width == reduction::lanes) {
        for (size_t lane = 0; lane < reduction::lanes; ++lane)
          acc[lane] = Op::template combine<T>(acc[lane], elements[lane]);
      } else {
        for (size_t lane = 0; lane < part.width; ++lane)
          acc[lane] = Op::template combine<T>(acc[lane], elements[lane]);
      }
    }
    counter.push(acc);
  }
  return counter.finish(reduction::neutralLanes<Op, T>());
}
template <class T, class Op>
reduction::LaneVector<T> reduceLanesPlainly(const LanesOf<T> &part) {
  return reduceLanes<T, Op>(part);
}
template <class T, class Op>
KILN_TARGET_WIDE reduction::LaneVector<T>
reduceLanesWide(const LanesOf<T> &part) {
  return reduceLanes<T, Op>(part);
}

/// A reduction as parts that threads share: a part is all of a row or of
/// sixteen columns, or a power of two of its blocks, so that the totals of
/// parts are the values that the counter of all blocks has.
template <class T, class Op> class SharedReduction {
public:
  SharedReduction(const ReductionView &view, bool innermost, T *target)
      : view(view), innermost(innermost), target(target) {
    // A part has so many elements, and is worth being shared.
    constexpr int64_t elements = int64_t(1) << 15;
    const int64_t block =
        innermost ? reduction::innermostBlock : reduction::outerBlock;
    const int64_t depth = innermost ? elements : elements / reduction::lanes;
    static_assert(std::has_single_bit(uint64_t(reduction::innermostBlock)) &&
                  std::has_single_bit(uint64_t(reduction::outerBlock)));
    groups =
        innermost ? 1 : (view.inner + reduction::lanes - 1) / reduction::lanes;
    partDepth = std::max(block, depth);
    numParts =
        view.reduced <= partDepth ? 1 : (view.reduced - 1) / partDepth + 1;
    const int64_t work =
        std::min(view.reduced, partDepth) *
        (innermost ? 1 : std::min(view.inner, reduction::lanes));
    grain = std::max<int64_t>(elements / std::max<int64_t>(work, 1), 1);
    pollEvery =
        std::max<int64_t>(elementsBetweenPolls / std::max<int64_t>(work, 1), 1);
    if constexpr (std::is_floating_point_v<T>)
      if (isWideCpu())
        lanes = &reduceLanesWide<T, Op>;
  }

  Status run(const Interpreter &interpreter) {
    const int64_t rows = view.outer * groups;
    if (numParts > 1)
      totals.resize(static_cast<size_t>(rows * numParts));
    interpreter.parallelFor(rows * numParts, grain, /*isLeftOut=*/true,
                            [&](int64_t begin, int64_t end) {
                              for (int64_t part = begin; part < end; ++part) {
                                if ((part - begin) % pollEvery ==
                                        pollEvery - 1 &&
                                    !interpreter.pollCancel().ok())
                                  return;
                                const auto total = lanes(partAt(part));
                                if (numParts == 1)
                                  store(part, total);
                                else
                                  totals[static_cast<size_t>(part)] = total;
                              }
                            });
    KILN_RETURN_IF_ERROR(interpreter.poll());
    if (numParts > 1)
      for (int64_t row = 0; row < rows; ++row)
        store(row, totalOf(row));
    return okStatus();
  }

private:
  using Lanes = reduction::LaneVector<T>;

  LanesOf<T> partAt(int64_t number) const {
    const int64_t row = number / numParts,
                  first = number % numParts * partDepth;
    const int64_t o = row / groups, column = row % groups * reduction::lanes;
    const T *plane = static_cast<const T *>(view.tensor.rawData()) +
                     o * view.reduced * view.inner;
    LanesOf<T> part{plane + first * view.inner + column,
                    std::min(partDepth, view.reduced - first)};
    if (!innermost) {
      part.pitch = view.inner;
      part.width =
          static_cast<size_t>(std::min(reduction::lanes, view.inner - column));
    }
    return part;
  }
  Lanes totalOf(int64_t row) const {
    const Lanes *of = totals.data() + row * numParts;
    reduction::BlockCounter<Op, Lanes> counter;
    const int64_t block =
        innermost ? reduction::innermostBlock : reduction::outerBlock;
    const int64_t last = view.reduced - (numParts - 1) * partDepth;
    const bool isLastWhole = last > partDepth - block;
    for (int64_t part = 0; part < numParts - !isLastWhole; ++part)
      counter.push(of[part]);
    return isLastWhole ? counter.finish(reduction::neutralLanes<Op, T>())
                       : counter.finishBefore(of[numParts - 1]);
  }
  void store(int64_t row, const Lanes &total) const {
    if (innermost) {
      target[row] = reduction::combineLanes<Op, T>(total);
      return;
    }
    const int64_t column = row % groups * reduction::lanes;
    std::copy_n(total.begin(), std::min(reduction::lanes, view.inner - column),
                target + row / groups * view.inner + column);
  }

  const ReductionView &view;
  const bool innermost;
  T *const target;
  int64_t groups = 1;    ///< of columns of a plane
  int64_t partDepth = 0; ///< reduced elements of a part
  int64_t numParts = 1;  ///< of a row or group of columns
  int64_t grain = 1, pollEvery = 1;
  Lanes (*lanes)(const LanesOf<T> &) = &reduceLanesPlainly<T, Op>;
  std::vector<Lanes> totals; ///< of parts
};

/// The first index of the best element of each column of a [reduced, inner]
/// plane. As TensorFlow's (Eigen), the search starts with the worst finite
/// number at index 0: NaN never wins, nor does an infinity of the wrong sign.
template <class T, class Index, bool smallest>
Status bestIndices(const T *source, Index *target, int64_t reduced,
                   int64_t inner, Interpreter &interpreter) {
  using Limits = std::numeric_limits<T>;
  InlineVector<T, 16> best(static_cast<size_t>(inner),
                           smallest ? Limits::max() : Limits::lowest());
  std::fill_n(target, inner, Index(0));
  int64_t pollRows =
      std::max<int64_t>(elementsBetweenPolls / std::max<int64_t>(inner, 1), 1);
  for (int64_t row = 0; row < reduced; ++row) {
    if (row % pollRows == 0)
      KILN_RETURN_IF_ERROR(interpreter.poll());
    for (int64_t column = 0; column < inner; ++column) {
      T element = source[row * inner + column];
      T &current = best[static_cast<size_t>(column)];
      if (smallest ? element < current : element > current) {
        current = element;
        target[column] = static_cast<Index>(row);
      }
    }
  }
  return okStatus();
}

template <class T, class Index>
Status argReduce(const ReductionView &view, bool smallest, Index *target,
                 Interpreter &interpreter) {
  const T *source = static_cast<const T *>(view.tensor.rawData());
  for (int64_t o = 0; o < view.outer;
       ++o, source += view.reduced * view.inner, target += view.inner)
    KILN_RETURN_IF_ERROR(
        (smallest ? bestIndices<T, Index, true>(source, target, view.reduced,
                                                view.inner, interpreter)
                  : bestIndices<T, Index, false>(source, target, view.reduced,
                                                 view.inner, interpreter)));
  return okStatus();
}

} // namespace

Status evaluateOp(const Op &op, const ReduceOp &reduce,
                  Interpreter &interpreter) {
  const Program &program = interpreter.program;
  std::span<const int64_t> axes = program.numbersOf(reduce.axes);
  ValueId operand = interpreter.operandOf(op);
  KILN_ASSIGN_OR_RETURN(Tensor result,
                        interpreter.allocateFor(interpreter.resultOf(op)));
  KILN_ASSIGN_OR_RETURN(ReductionView view, viewOf(operand, axes, interpreter));
  bool innermost =
      !axes.empty() &&
      axes.back() + 1 == static_cast<int64_t>(program.dimsOf(operand).size());
  auto reduceBy = [&]<class Op>(Op) {
    return dispatchNumber(result.dtype(), [&]<class T>(T) {
      return SharedReduction<T, Op>(view, innermost,
                                    static_cast<T *>(result.mutableRawData()))
          .run(interpreter);
    });
  };
  bool *flags = static_cast<bool *>(result.mutableRawData());
  Status status;
  switch (reduce.kind) {
  case ReduceKind::Sum:
    status = reduceBy(reduction::Sum());
    break;
  case ReduceKind::Prod:
    status = reduceBy(reduction::Prod());
    break;
  case ReduceKind::Max:
    status = reduceBy(reduction::Max());
    break;
  case ReduceKind::Min:
    status = reduceBy(reduction::Min());
    break;
  case ReduceKind::All:
    status = SharedReduction<bool, reduction::All>(view, innermost, flags)
                 .run(interpreter);
    break;
  case ReduceKind::Any:
    status = SharedReduction<bool, reduction::Any>(view, innermost, flags)
                 .run(interpreter);
    break;
  }
  KILN_RETURN_IF_ERROR(std::move(status));
  if (view.isScratch)
    interpreter.release(view.tensor);
  interpreter.bindOwned(interpreter.resultOf(op), std::move(result));
  return okStatus();
}

Status evaluateOp(const Op &op, const ArgReduceOp &reduce,
                  Interpreter &interpreter) {
  int64_t axes[] = {reduce.axis};
  KILN_ASSIGN_OR_RETURN(Tensor result,
                        interpreter.allocateFor(interpreter.resultOf(op)));
  KILN_ASSIGN_OR_RETURN(ReductionView view,
                        viewOf(interpreter.operandOf(op), axes, interpreter));
  KILN_RETURN_IF_ERROR(dispatchOrdered(view.tensor.dtype(), [&]<class T>(T) {
    return dispatchInteger(result.dtype(), [&]<class Index>(Index) {
      return argReduce<T>(view, reduce.smallest,
                          static_cast<Index *>(result.mutableRawData()),
                          interpreter);
    });
  }));
  if (view.isScratch)
    interpreter.release(view.tensor);
  interpreter.bindOwned(interpreter.resultOf(op), std::move(result));
  return okStatus();
}

} // namespace kiln::eval
