// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluates reductions in the order of runtime/arithmetic/ReductionOrder.h.
#include "lib/Eval/ElementwiseLoops.h"
#include "lib/Eval/Interpreter.h"
#include "lib/Eval/StridedCopy.h"
#include "lib/Support/StatusMacros.h"
#include "runtime/arithmetic/CpuVariants.h"
#include "runtime/arithmetic/ReductionOrder.h"

#include <algorithm>
#include <limits>

namespace kiln::eval {
namespace {

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

/// One row of `inner` results from `reduced` rows, sixteen columns at a time,
/// in the OUTER order. Unfinished once `stop` returns true.
template <class T, class Op, class Stop>
void reduceColumns(const T *source, T *target, int64_t reduced, int64_t inner,
                   Stop &&stop) {
  using Columns = reduction::LaneVector<T>;
  constexpr int64_t stopRows =
      reduction::elementsBetweenStops / reduction::lanes;
  for (int64_t column = 0; column < inner; column += reduction::lanes) {
    size_t width =
        static_cast<size_t>(std::min(reduction::lanes, inner - column));
    reduction::BlockCounter<Op, Columns> counter;
    for (int64_t begin = 0; begin < reduced; begin += reduction::outerBlock) {
      if (begin % stopRows == 0 && stop())
        return;
      int64_t end = std::min(reduced, begin + reduction::outerBlock);
      Columns acc = reduction::neutralLanes<Op, T>();
      for (int64_t row = begin; row < end; ++row) {
        const T *elements = source + row * inner + column;
        if (width == reduction::lanes) {
          for (size_t lane = 0; lane < reduction::lanes; ++lane)
            acc[lane] = Op::template combine<T>(acc[lane], elements[lane]);
        } else {
          for (size_t lane = 0; lane < width; ++lane)
            acc[lane] = Op::template combine<T>(acc[lane], elements[lane]);
        }
      }
      counter.push(acc);
    }
    Columns total = counter.finish(reduction::neutralLanes<Op, T>());
    std::copy_n(total.begin(), width, target + column);
  }
}

/// Rows of `reduced` contiguous elements, in the INNERMOST order.
template <class T, class Op, class Stop>
[[gnu::always_inline]] inline T reduceRow(const T *source, int64_t reduced,
                                          Stop &&stop) {
  return reduction::reduceInnermost<T, Op>(
      reduced, [&](int64_t i) { return source[i]; }, stop);
}
struct StopFunction {
  const Interpreter &interpreter;
  bool operator()() const { return !interpreter.poll().ok(); }
};
template <class T, class Op>
T reduceRowPlainly(const T *source, int64_t reduced, StopFunction stop) {
  return reduceRow<T, Op>(source, reduced, stop);
}
template <class T, class Op>
KILN_TARGET_WIDE T reduceRowWide(const T *source, int64_t reduced,
                                 StopFunction stop) {
  return reduceRow<T, Op>(source, reduced, stop);
}

template <class T, class Op>
Status reduceView(const ReductionView &view, bool innermost, T *target,
                  Interpreter &interpreter) {
  StopFunction stop{interpreter};
  auto *row = &reduceRowPlainly<T, Op>;
  if constexpr (std::is_floating_point_v<T>)
    if (isWideCpu())
      row = &reduceRowWide<T, Op>;
  const T *source = static_cast<const T *>(view.tensor.rawData());
  int64_t plane = view.reduced * view.inner, sincePoll = 0;
  for (int64_t o = 0; o < view.outer;
       ++o, source += plane, target += view.inner) {
    if (innermost)
      *target = row(source, view.reduced, stop);
    else
      reduceColumns<T, Op>(source, target, view.reduced, view.inner, stop);
    if ((sincePoll += plane) >= reduction::elementsBetweenStops) {
      sincePoll = 0;
      KILN_RETURN_IF_ERROR(interpreter.poll());
    }
  }
  return okStatus();
}

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
  int64_t pollRows = std::max<int64_t>(
      reduction::elementsBetweenStops / std::max<int64_t>(inner, 1), 1);
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
      return reduceView<T, Op>(view, innermost,
                               static_cast<T *>(result.mutableRawData()),
                               interpreter);
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
    status =
        reduceView<bool, reduction::All>(view, innermost, flags, interpreter);
    break;
  case ReduceKind::Any:
    status =
        reduceView<bool, reduction::Any>(view, innermost, flags, interpreter);
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
