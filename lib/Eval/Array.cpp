// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluates the ops that make, move and rearrange elements.
#include "lib/Eval/ElementwiseKernels.h"
#include "lib/Eval/Interpreter.h"
#include "lib/Eval/StridedCopy.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/ReductionOrder.h"
#include "runtime/RunState.h"

#include "llvm/Support/MathExtras.h"

#include <cstring>

using namespace mlir;

namespace kiln::eval {
namespace {

ArrayRef<int64_t> dimsOf(const Tensor &tensor) {
  std::span<const int64_t> dims = tensor.shape().dims();
  return {dims.data(), dims.size()};
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
bool forwardSplat(Value operand, Value result, Interpreter &interpreter) {
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
                     operand.rawData(), std::move(loops), size, interpreter);
}

} // namespace

bool mayGiveView(Operation *op) {
  if (auto slice = dyn_cast<ir::SliceOp>(op))
    return !slice.getDynamicStarts();
  return isa<ir::BroadcastOp, ir::ReshapeOp, ir::TransposeOp>(op);
}

Status evaluateOp(ir::ConstantOp op, Interpreter &interpreter) {
  KILN_ASSIGN_OR_RETURN(EvalValue value,
                        valueOfAttribute(op.getValue(), interpreter));
  interpreter.bind(op.getResult(), std::move(value));
  return okStatus();
}

Status evaluateOp(ir::ConstantRefOp op, Interpreter &interpreter) {
  std::span<const Tensor> constants = interpreter.environment().constants;
  if (op.getIndex() >= constants.size())
    return internalError(strCat("expected a constant below ", constants.size(),
                                ", got ", op.getIndex()));
  KILN_ASSIGN_OR_RETURN(Tensor movable, movableForm(constants[op.getIndex()]));
  interpreter.bind(op.getResult(), EvalValue{std::move(movable)});
  return okStatus();
}

Status evaluateOp(ir::DimsOp op, Interpreter &interpreter) {
  KILN_ASSIGN_OR_RETURN(Tensor result, interpreter.allocateFor(op.getResult()));
  std::span<const int64_t> symbols = interpreter.environment().symbols;
  for (auto [index, symbol] : llvm::enumerate(op.getSymbols())) {
    if (symbol >= static_cast<int64_t>(symbols.size()))
      return internalError(strCat("expected a value for symbol s", symbol));
    int64_t value = symbol < 0 ? op.getValues()[index]
                               : symbols[static_cast<size_t>(symbol)];
    dispatchInteger(result.dtype(), [&]<class T>(T) {
      result.mutableData<T>()[index] = static_cast<T>(value);
    });
  }
  interpreter.bindOwned(op.getResult(), std::move(result));
  return okStatus();
}

Status evaluateOp(ir::IotaOp op, Interpreter &interpreter) {
  KILN_ASSIGN_OR_RETURN(Tensor result, interpreter.allocateFor(op.getResult()));
  int axis = static_cast<int>(op.getAxis());
  int64_t extent = result.dim(axis);
  KILN_ASSIGN_OR_RETURN(Tensor line,
                        interpreter.allocate(result.dtype(), Shape{extent}));
  dispatchNumber(result.dtype(), [&]<class T>(T) {
    T start = interpreter.scalar<T>(op.getStart()),
      step = interpreter.scalar<T>(op.getStep());
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
                                   std::move(loops), dtypeSize(result.dtype()),
                                   interpreter));
  interpreter.release(line);
  interpreter.bindOwned(op.getResult(), std::move(result));
  return okStatus();
}

Status evaluateOp(ir::BroadcastOp op, Interpreter &interpreter) {
  if (forwardSplat(op.getOperand(), op.getResult(), interpreter))
    return okStatus();
  Tensor operand = interpreter.contents(op.getOperand()).tensor;
  if (operand.numElements() == 1) {
    KILN_ASSIGN_OR_RETURN(Tensor element, operand.reshaped(Shape()));
    interpreter.bind(op.getResult(),
                     EvalValue{std::move(element), /*isSplat=*/true,
                               interpreter.contents(op.getOperand()).isOwned,
                               interpreter.contents(op.getOperand()).variable});
    return okStatus();
  }
  KILN_ASSIGN_OR_RETURN(Tensor result, interpreter.allocateFor(op.getResult()));
  auto from = rowMajorStrides(dimsOf(operand)),
       to = rowMajorStrides(dimsOf(result));
  CopyLoops loops;
  for (int i = 0; i < result.rank(); ++i)
    loops.push_back({result.dim(i), to[static_cast<size_t>(i)], 0});
  for (auto [index, target] : llvm::enumerate(op.getMap()))
    if (operand.dim(static_cast<int>(index)) != 1)
      loops[static_cast<size_t>(target)].sourceStride = from[index];
  KILN_RETURN_IF_ERROR(copyStrided(result.mutableRawData(), operand.rawData(),
                                   std::move(loops), dtypeSize(result.dtype()),
                                   interpreter));
  interpreter.bindOwned(op.getResult(), std::move(result));
  return okStatus();
}

Status evaluateOp(ir::ReshapeOp op, Interpreter &interpreter) {
  if (forwardSplat(op.getOperand(), op.getResult(), interpreter))
    return okStatus();
  EvalValue value = interpreter.contents(op.getOperand());
  KILN_ASSIGN_OR_RETURN(Shape shape, interpreter.shapeOf(op.getType()));
  KILN_ASSIGN_OR_RETURN(value.tensor, value.tensor.reshaped(shape));
  interpreter.bind(op.getResult(), std::move(value));
  return okStatus();
}

Status evaluateOp(ir::TransposeOp op, Interpreter &interpreter) {
  if (forwardSplat(op.getOperand(), op.getResult(), interpreter))
    return okStatus();
  Tensor operand = interpreter.contents(op.getOperand()).tensor;
  KILN_ASSIGN_OR_RETURN(Tensor result, interpreter.allocateFor(op.getResult()));
  auto from = rowMajorStrides(dimsOf(operand)),
       to = rowMajorStrides(dimsOf(result));
  CopyLoops loops;
  for (auto [index, source] : llvm::enumerate(op.getPermutation()))
    loops.push_back({result.dim(static_cast<int>(index)), to[index],
                     from[static_cast<size_t>(source)]});
  KILN_RETURN_IF_ERROR(copyStrided(result.mutableRawData(), operand.rawData(),
                                   std::move(loops), dtypeSize(result.dtype()),
                                   interpreter));
  interpreter.bindOwned(op.getResult(), std::move(result));
  return okStatus();
}

Status evaluateOp(ir::SliceOp op, Interpreter &interpreter) {
  if (!op.getDynamicStarts() &&
      forwardSplat(op.getOperand(), op.getResult(), interpreter))
    return okStatus();
  KILN_ASSIGN_OR_RETURN(Tensor operand, interpreter.dense(op.getOperand()));
  KILN_ASSIGN_OR_RETURN(Tensor result, interpreter.allocateFor(op.getResult()));
  SmallVector<int64_t> starts(op.getStarts());
  if (op.getDynamicStarts()) {
    KILN_ASSIGN_OR_RETURN(Tensor dynamic,
                          interpreter.dense(op.getDynamicStarts()));
    // What does not fit is out of range like any other start below zero.
    for (size_t i = 0; i < starts.size(); ++i)
      if (llvm::AddOverflow(starts[i], integerAt(dynamic, i), starts[i]))
        starts[i] = -1;
  }
  auto from = rowMajorStrides(dimsOf(operand)),
       to = rowMajorStrides(dimsOf(result));
  CopyLoops loops;
  int64_t offset = 0;
  for (size_t i = 0; i < starts.size(); ++i) {
    int64_t extent = result.dim(static_cast<int>(i));
    int64_t available = operand.dim(static_cast<int>(i));
    // Of one element the stride does not count, and may be any number.
    int64_t stride = extent > 1 ? op.getStrides()[i] : 0, last;
    bool overflows = llvm::MulOverflow(extent - 1, stride, last) ||
                     llvm::AddOverflow(last, starts[i], last);
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
                    std::move(loops), size, interpreter));
  interpreter.bindOwned(op.getResult(), std::move(result));
  return okStatus();
}

Status evaluateOp(ir::ConcatOp op, Interpreter &interpreter) {
  KILN_ASSIGN_OR_RETURN(Tensor result, interpreter.allocateFor(op.getResult()));
  int axis = static_cast<int>(op.getAxis());
  int64_t stride = rowMajorStrides(dimsOf(result))[op.getAxis()], begin = 0;
  for (Value value : op.getOperands()) {
    KILN_ASSIGN_OR_RETURN(Tensor operand, interpreter.dense(value));
    if (operand.dim(axis) > result.dim(axis) - begin)
      return internalError("expected the joined tensors to fill the result");
    KILN_RETURN_IF_ERROR(copyBox(result, begin * stride, operand, interpreter));
    begin += operand.dim(axis);
  }
  interpreter.bindOwned(op.getResult(), std::move(result));
  return okStatus();
}

Status evaluateOp(ir::PadOp op, Interpreter &interpreter) {
  KILN_ASSIGN_OR_RETURN(Tensor operand, interpreter.dense(op.getOperand()));
  KILN_ASSIGN_OR_RETURN(Tensor result, interpreter.allocateFor(op.getResult()));
  auto strides = rowMajorStrides(dimsOf(result));
  int64_t offset = 0;
  for (auto [index, low] : llvm::enumerate(op.getLow())) {
    int dim = static_cast<int>(index);
    if (low + operand.dim(dim) > result.dim(dim))
      return internalError("expected the padded result to hold the operand");
    offset += low * strides[index];
  }
  KILN_RETURN_IF_ERROR(copyStrided(
      result.mutableRawData(),
      interpreter.contents(op.getPadding()).tensor.rawData(),
      {{result.numElements(), 1, 0}}, dtypeSize(result.dtype()), interpreter));
  KILN_RETURN_IF_ERROR(copyBox(result, offset, operand, interpreter));
  interpreter.bindOwned(op.getResult(), std::move(result));
  return okStatus();
}

Status evaluateOp(ir::GatherOp op, Interpreter &interpreter) {
  KILN_ASSIGN_OR_RETURN(Tensor operand, interpreter.dense(op.getOperand()));
  KILN_ASSIGN_OR_RETURN(Tensor indices, interpreter.dense(op.getIndices()));
  KILN_ASSIGN_OR_RETURN(Tensor result, interpreter.allocateFor(op.getResult()));
  int axis = static_cast<int>(op.getAxis()),
      batchRank = static_cast<int>(op.getBatch());
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
      return errorStatus(ErrorKind::IndexOutOfRange, {}, values);
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
  interpreter.bindOwned(op.getResult(), std::move(result));
  return okStatus();
}

} // namespace kiln::eval
