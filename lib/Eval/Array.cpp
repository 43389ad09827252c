// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluates the ops that make, move and rearrange elements.
#include "lib/Eval/ElementwiseLoops.h"
#include "lib/Eval/Interpreter.h"
#include "lib/Eval/StridedCopy.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/abi/RunState.h"
#include "runtime/arithmetic/ReductionOrder.h"

#include <cstring>

namespace kiln::eval {
namespace {

std::span<const int64_t> dimsOf(const Tensor &tensor) {
  return tensor.shape().dims();
}

const char *bytesOf(const Tensor &tensor) {
  return static_cast<const char *>(tensor.rawData());
}

/// An element of an integer tensor; one that int64_t does not hold is negative.
int64_t integerAt(const Tensor &tensor, size_t i) {
  return dispatchInteger(tensor.dtype(), [&]<class T>(T) {
    return static_cast<int64_t>(tensor.data<T>()[i]);
  });
}

/// Binds a result whose elements are copies of a splat operand's one element.
/// Returns false for other operands.
bool forwardSplat(ValueId operand, ValueId result, Interpreter &interpreter) {
  EvalValue value = interpreter.contents(operand);
  if (!value.isSplat)
    return false;
  interpreter.bind(result, std::move(value));
  return true;
}

/// Copies the whole operand into the box of the result that begins at `offset`
/// elements.
Status copyBox(Tensor &result, int64_t offset, const Tensor &operand,
               Interpreter &interpreter) {
  auto from = rowMajorStrides(dimsOf(operand)),
       to = rowMajorStrides(dimsOf(result));
  CopyLoops loops;
  for (size_t i = 0; i < from.size(); ++i)
    loops.push_back({operand.dim(static_cast<int>(i)), to[i], from[i]});
  size_t size = dtypeSize(result.dtype());
  return copyStrided(static_cast<char *>(result.mutableRawData()) +
                         offset * static_cast<int64_t>(size),
                     operand.rawData(), loops, size, interpreter);
}

} // namespace

Status evaluateOp(const Op &op, const ConstantOp &constant,
                  Interpreter &interpreter) {
  interpreter.drop(interpreter.resultOf(op)); // one that is made again
  interpreter.bind(interpreter.resultOf(op),
                   EvalValue{interpreter.program.constants[constant.index],
                             constant.isSplat});
  return okStatus();
}

Status evaluateOp(const Op &op, const ConstantRefOp &constant,
                  Interpreter &interpreter) {
  std::span<const Tensor> constants = interpreter.environment().constants;
  if (constant.index >= constants.size())
    return internalError(strCat("expected a constant below ", constants.size(),
                                ", got ", constant.index));
  KILN_ASSIGN_OR_RETURN(Tensor movable, movableForm(constants[constant.index]));
  interpreter.bind(interpreter.resultOf(op), EvalValue{std::move(movable)});
  return okStatus();
}

Status evaluateOp(const Op &op, const DimsOp &dims, Interpreter &interpreter) {
  KILN_ASSIGN_OR_RETURN(Tensor result,
                        interpreter.allocateFor(interpreter.resultOf(op)));
  std::span<const Dim> elements = interpreter.program.dimsOf(dims.elements);
  for (size_t i = 0; i < elements.size(); ++i) {
    KILN_ASSIGN_OR_RETURN(int64_t number, interpreter.numberOf(elements[i]));
    dispatchInteger(result.dtype(), [&]<class T>(T) {
      result.mutableData<T>()[i] = static_cast<T>(number);
    });
  }
  interpreter.bindOwned(interpreter.resultOf(op), std::move(result));
  return okStatus();
}

Status evaluateOp(const Op &op, const IotaOp &iota, Interpreter &interpreter) {
  KILN_ASSIGN_OR_RETURN(Tensor result,
                        interpreter.allocateFor(interpreter.resultOf(op)));
  int axis = iota.axis;
  int64_t extent = result.dim(axis);
  KILN_ASSIGN_OR_RETURN(Tensor line,
                        interpreter.allocate(result.dtype(), Shape{extent}));
  dispatchNumber(result.dtype(), [&]<class T>(T) {
    T start = interpreter.scalar<T>(interpreter.operandOf(op, 0)),
      step = interpreter.scalar<T>(interpreter.operandOf(op, 1));
    std::span<T> elements = line.mutableData<T>();
    for (int64_t i = 0; i < extent; ++i)
      elements[static_cast<size_t>(i)] = reduction::Sum::combine<T>(
          start, reduction::Prod::combine<T>(static_cast<T>(i), step));
  });
  auto strides = rowMajorStrides(dimsOf(result));
  CopyLoops loops;
  for (int i = 0; i < result.rank(); ++i)
    loops.push_back(
        {result.dim(i), strides[static_cast<size_t>(i)], i == axis ? 1 : 0});
  KILN_RETURN_IF_ERROR(copyStrided(result.mutableRawData(), line.rawData(),
                                   loops, dtypeSize(result.dtype()),
                                   interpreter));
  interpreter.release(line);
  interpreter.bindOwned(interpreter.resultOf(op), std::move(result));
  return okStatus();
}

Status evaluateOp(const Op &op, const BroadcastOp &broadcast,
                  Interpreter &interpreter) {
  ValueId from = interpreter.operandOf(op), to = interpreter.resultOf(op);
  if (forwardSplat(from, to, interpreter))
    return okStatus();
  EvalValue value = interpreter.contents(from);
  const Tensor &operand = value.tensor;
  if (operand.numElements() == 1) {
    KILN_ASSIGN_OR_RETURN(Tensor element, operand.reshaped(Shape()));
    interpreter.bind(to, EvalValue{std::move(element), /*isSplat=*/true,
                                   value.isOwned, value.variable});
    return okStatus();
  }
  KILN_ASSIGN_OR_RETURN(Tensor result, interpreter.allocateFor(to));
  auto sourceStrides = rowMajorStrides(dimsOf(operand)),
       targetStrides = rowMajorStrides(dimsOf(result));
  std::span<const int64_t> map = interpreter.program.numbersOf(broadcast.map);
  CopyLoops loops;
  for (int i = 0; i < result.rank(); ++i)
    loops.push_back({result.dim(i), targetStrides[static_cast<size_t>(i)], 0});
  for (size_t i = 0; i < map.size(); ++i)
    if (operand.dim(static_cast<int>(i)) != 1)
      loops[static_cast<size_t>(map[i])].sourceStride = sourceStrides[i];
  KILN_RETURN_IF_ERROR(copyStrided(result.mutableRawData(), operand.rawData(),
                                   loops, dtypeSize(result.dtype()),
                                   interpreter));
  interpreter.bindOwned(interpreter.resultOf(op), std::move(result));
  return okStatus();
}

Status evaluateOp(const Op &op, const ReshapeOp &, Interpreter &interpreter) {
  ValueId from = interpreter.operandOf(op), to = interpreter.resultOf(op);
  if (forwardSplat(from, to, interpreter))
    return okStatus();
  EvalValue value = interpreter.contents(from);
  KILN_ASSIGN_OR_RETURN(Shape shape, interpreter.shapeOf(to));
  KILN_ASSIGN_OR_RETURN(value.tensor, value.tensor.reshaped(shape));
  interpreter.bind(to, std::move(value));
  return okStatus();
}

Status evaluateOp(const Op &op, const TransposeOp &transpose,
                  Interpreter &interpreter) {
  if (forwardSplat(interpreter.operandOf(op), interpreter.resultOf(op),
                   interpreter))
    return okStatus();
  Tensor operand = interpreter.contents(interpreter.operandOf(op)).tensor;
  KILN_ASSIGN_OR_RETURN(Tensor result,
                        interpreter.allocateFor(interpreter.resultOf(op)));
  auto from = rowMajorStrides(dimsOf(operand)),
       to = rowMajorStrides(dimsOf(result));
  CopyLoops loops;
  std::span<const int64_t> permutation =
      interpreter.program.numbersOf(transpose.permutation);
  for (size_t i = 0; i < permutation.size(); ++i)
    loops.push_back({result.dim(static_cast<int>(i)), to[i],
                     from[static_cast<size_t>(permutation[i])]});
  KILN_RETURN_IF_ERROR(copyStrided(result.mutableRawData(), operand.rawData(),
                                   loops, dtypeSize(result.dtype()),
                                   interpreter));
  interpreter.bindOwned(interpreter.resultOf(op), std::move(result));
  return okStatus();
}

/// Adds what the run computes to starts or paddings. What does not fit is out
/// of range like any other number below zero.
static Status addDynamic(InlineVector<int64_t, 6> &numbers, ValueId value,
                         Interpreter &interpreter) {
  KILN_ASSIGN_OR_RETURN(Tensor dynamic, interpreter.dense(value));
  for (size_t i = 0; i < numbers.size(); ++i)
    if (__builtin_add_overflow(numbers[i], integerAt(dynamic, i), &numbers[i]))
      numbers[i] = -1;
  return okStatus();
}

Status evaluateOp(const Op &op, const SliceOp &slice,
                  Interpreter &interpreter) {
  bool isDynamic = op.operands.size > 1;
  if (!isDynamic && forwardSplat(interpreter.operandOf(op),
                                 interpreter.resultOf(op), interpreter))
    return okStatus();
  KILN_ASSIGN_OR_RETURN(Tensor operand,
                        interpreter.dense(interpreter.operandOf(op)));
  KILN_ASSIGN_OR_RETURN(Tensor result,
                        interpreter.allocateFor(interpreter.resultOf(op)));
  std::span<const int64_t> known = interpreter.program.numbersOf(slice.starts),
                           strides =
                               interpreter.program.numbersOf(slice.strides);
  InlineVector<int64_t, 6> starts(known.begin(), known.end());
  if (isDynamic)
    KILN_RETURN_IF_ERROR(
        addDynamic(starts, interpreter.operandOf(op, 1), interpreter));
  auto from = rowMajorStrides(dimsOf(operand)),
       to = rowMajorStrides(dimsOf(result));
  CopyLoops loops;
  int64_t offset = 0;
  for (size_t i = 0; i < starts.size(); ++i) {
    int64_t extent = result.dim(static_cast<int>(i));
    int64_t available = operand.dim(static_cast<int>(i));
    // Where there is one element the stride does not count: any number is
    // right.
    int64_t stride = extent > 1 ? strides[i] : 0, last;
    bool overflows = __builtin_mul_overflow(extent - 1, stride, &last) ||
                     __builtin_add_overflow(last, starts[i], &last);
    if (result.numElements() != 0 &&
        (overflows || starts[i] < 0 || starts[i] >= available || last < 0 ||
         last >= available)) {
      int64_t values[] = {static_cast<int64_t>(i), available, starts[i]};
      return errorStatus(ErrorKind::SliceBeginOutOfRange, {}, values);
    }
    loops.push_back({extent, to[i], from[i] * stride});
    if (result.numElements() != 0)
      offset += starts[i] * from[i];
  }
  size_t size = dtypeSize(result.dtype());
  if (result.numElements() != 0)
    KILN_RETURN_IF_ERROR(
        copyStrided(result.mutableRawData(),
                    bytesOf(operand) + offset * static_cast<int64_t>(size),
                    loops, size, interpreter));
  interpreter.bindOwned(interpreter.resultOf(op), std::move(result));
  return okStatus();
}

Status evaluateOp(const Op &op, const ConcatOp &concat,
                  Interpreter &interpreter) {
  KILN_ASSIGN_OR_RETURN(Tensor result,
                        interpreter.allocateFor(interpreter.resultOf(op)));
  int axis = concat.axis;
  int64_t stride = rowMajorStrides(dimsOf(result))[static_cast<size_t>(axis)],
          begin = 0;
  for (ValueId value : interpreter.operandsOf(op)) {
    KILN_ASSIGN_OR_RETURN(Tensor operand, interpreter.dense(value));
    if (operand.dim(axis) > result.dim(axis) - begin)
      return internalError("expected the joined tensors to fill the result");
    KILN_RETURN_IF_ERROR(copyBox(result, begin * stride, operand, interpreter));
    begin += operand.dim(axis);
  }
  interpreter.bindOwned(interpreter.resultOf(op), std::move(result));
  return okStatus();
}

/// Allocates the op's result, full of its operand 1.
static StatusOr<Tensor> allocatePadded(const Op &op, Interpreter &interpreter) {
  KILN_ASSIGN_OR_RETURN(Tensor result,
                        interpreter.allocateFor(interpreter.resultOf(op)));
  KILN_RETURN_IF_ERROR(copyStrided(
      result.mutableRawData(),
      interpreter.contents(interpreter.operandOf(op, 1)).tensor.rawData(),
      {{result.numElements(), 1, 0}}, dtypeSize(result.dtype()), interpreter));
  return result;
}

Status evaluateOp(const Op &op, const PadOp &pad, Interpreter &interpreter) {
  KILN_ASSIGN_OR_RETURN(Tensor operand,
                        interpreter.dense(interpreter.operandOf(op)));
  KILN_ASSIGN_OR_RETURN(Tensor result, allocatePadded(op, interpreter));
  auto strides = rowMajorStrides(dimsOf(result));
  int64_t offset = 0;
  std::span<const int64_t> fixed = interpreter.program.numbersOf(pad.low);
  InlineVector<int64_t, 6> low(fixed.begin(), fixed.end());
  if (op.operands.size > 2)
    KILN_RETURN_IF_ERROR(
        addDynamic(low, interpreter.operandOf(op, 2), interpreter));
  for (size_t i = 0; i < low.size(); ++i) {
    int dim = static_cast<int>(i);
    if (low[i] < 0 || low[i] > result.dim(dim) - operand.dim(dim))
      return internalError("expected the padded result to hold the operand");
    offset += low[i] * strides[i];
  }
  KILN_RETURN_IF_ERROR(copyBox(result, offset, operand, interpreter));
  interpreter.bindOwned(interpreter.resultOf(op), std::move(result));
  return okStatus();
}

Status evaluateOp(const Op &op, const WindowOp &window,
                  Interpreter &interpreter) {
  KILN_ASSIGN_OR_RETURN(Tensor operand,
                        interpreter.dense(interpreter.operandOf(op)));
  KILN_ASSIGN_OR_RETURN(Tensor result, allocatePadded(op, interpreter));
  std::span<const int64_t> starts =
                               interpreter.program.numbersOf(window.starts),
                           strides =
                               interpreter.program.numbersOf(window.strides);
  auto from = rowMajorStrides(dimsOf(operand)),
       to = rowMajorStrides(dimsOf(result));
  CopyLoops loops;
  int64_t source = 0, target = 0;
  bool isEmpty = false;
  for (size_t i = 0; i < starts.size(); ++i) {
    // The first index whose element lies inside, and how many do.
    int64_t first =
                starts[i] < 0 ? (strides[i] - 1 - starts[i]) / strides[i] : 0,
            left = operand.dim(static_cast<int>(i)) - starts[i] -
                   first * strides[i],
            count = std::min(left <= 0 ? 0 : (left - 1) / strides[i] + 1,
                             result.dim(static_cast<int>(i)) - first);
    isEmpty |= count <= 0;
    source += (starts[i] + first * strides[i]) * from[i];
    target += first * to[i];
    loops.push_back({count, to[i], from[i] * strides[i]});
  }
  auto size = static_cast<int64_t>(dtypeSize(result.dtype()));
  if (!isEmpty)
    KILN_RETURN_IF_ERROR(copyStrided(
        static_cast<char *>(result.mutableRawData()) + target * size,
        bytesOf(operand) + source * size, loops, dtypeSize(result.dtype()),
        interpreter));
  interpreter.bindOwned(interpreter.resultOf(op), std::move(result));
  return okStatus();
}

Status evaluateOp(const Op &op, const GatherOp &gather,
                  Interpreter &interpreter) {
  KILN_ASSIGN_OR_RETURN(Tensor operand,
                        interpreter.dense(interpreter.operandOf(op)));
  KILN_ASSIGN_OR_RETURN(Tensor indices,
                        interpreter.dense(interpreter.operandOf(op, 1)));
  KILN_ASSIGN_OR_RETURN(Tensor result,
                        interpreter.allocateFor(interpreter.resultOf(op)));
  int axis = gather.axis, batchRank = gather.batch;
  int64_t batch = 1, outer = 1, inner = 1, available = operand.dim(axis),
          count = indices.numElements();
  for (int i = 0; i < operand.rank(); ++i)
    (i < batchRank ? batch
     : i < axis    ? outer
                   : inner) *= i == axis ? 1 : operand.dim(i);
  auto indexAt = [&](int64_t i) {
    return integerAt(indices, static_cast<size_t>(i));
  };
  // An empty result picks nothing, so no index is wrong: as TensorFlow and the
  // native loops have it.
  for (int64_t i = 0; i < count && result.numElements() != 0; ++i)
    if (int64_t index = indexAt(i); index < 0 || index >= available) {
      int64_t values[] = {i, index, available};
      return errorStatus(indices.rank() == 0 ? ErrorKind::ScalarIndexOutOfRange
                                             : ErrorKind::IndexOutOfRange,
                         {}, values);
    }
  int64_t row = inner * static_cast<int64_t>(dtypeSize(result.dtype()));
  char *target = static_cast<char *>(result.mutableRawData());
  int64_t picks = batch == 0 ? 0 : count / batch;
  for (int64_t o = 0; o < batch * outer && row != 0; ++o)
    for (int64_t i = 0; i < picks; ++i, target += row) {
      int64_t index = indexAt(o / outer * picks + i);
      std::memcpy(target, bytesOf(operand) + (o * available + index) * row,
                  static_cast<size_t>(row));
    }
  interpreter.bindOwned(interpreter.resultOf(op), std::move(result));
  return okStatus();
}

} // namespace kiln::eval
