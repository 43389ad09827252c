// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs elementwise ops in blocks; an operand that repeats one element is one
// block for all.
#include "lib/Eval/ElementwiseRun.h"

#include "dialect/IntegerOps.h"
#include "lib/Eval/StreamingCopy.h"
#include "lib/Eval/StridedCopy.h"
#include "lib/Support/DataMemory.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/RunState.h"

#include <algorithm>
#include <cstring>

using namespace mlir;

namespace kiln::eval {
namespace {

Kernel elementwiseKernel(Operation *op) {
  if (!isa<ir::KilnDialect>(op->getDialect()) ||
      !op->hasTrait<OpTrait::Elementwise>())
    return nullptr;
  DType operand = ir::dtypeOf(op->getOperand(0).getType());
  DType result = ir::dtypeOf(op->getResult(0).getType());
  if (isa<ir::CastOp>(op))
    return castKernel(operand, result);
  if (isa<ir::CompareOp>(op))
    return compareKernel(op, operand);
  if (isa<ir::SelectOp>(op))
    return selectKernel(result == DType::String ? DType::Int64 : result);
  if (auto function = ir::integerFunctionOf(op);
      function && result != DType::Float32 && result != DType::Float64)
    return integerKernel(*function, result);
  return op->getNumOperands() == 1 ? unaryKernel(op, result)
                                   : binaryKernel(op, result);
}

} // namespace

BlockOp elementwiseOp(Operation *op) {
  BlockOp made{.op = op, .kernel = elementwiseKernel(op)};
  if (made.kernel)
    for (Value operand : op->getOperands())
      made.operands.push_back({operand});
  return made;
}

Status ElementwiseRun::makeBlocks(int64_t bytes) {
  if (bytes != 0 && !(blocks = allocateBuffer(static_cast<size_t>(bytes))))
    return outOfMemory("the blocks of a slice", static_cast<uint64_t>(bytes));
  return okStatus();
}

const char *ElementwiseRun::splatOf(const Tensor &element) {
  size_t size = element.byteSize(),
         numLines = blockElements * size / sizeof(Splat::Line);
  uint64_t bits = 0;
  std::memcpy(&bits, element.rawData(), size);
  // One that holds the element, or else one that may be filled anew.
  size_t found = splats.size();
  for (size_t i = 0; i < splats.size(); ++i) {
    if (splats[i].lines.size() != numLines)
      continue;
    if (i >= usedSplats)
      found = i;
    if (splats[i].element == bits) {
      found = i;
      break;
    }
  }
  if (found == splats.size())
    splats.push_back({std::vector<Splat::Line>(numLines), ~bits});
  if (found >= usedSplats) {
    std::swap(splats[found], splats[usedSplats]);
    found = usedSplats++;
  }
  Splat &splat = splats[found];
  if (splat.element != bits)
    copyStrided(splat.lines.data(), &bits, {{blockElements, 1, 0}}, size);
  splat.element = bits;
  return splat.lines.front().bytes.data();
}

void ElementwiseRun::setInput(Call &call, size_t index,
                              const BlockOp::Operand &operand, bool isSplat) {
  if (operand.block >= 0) {
    call.inputs[index] = static_cast<char *>(blocks->data) + operand.block;
    return;
  }
  const EvalValue &value = interpreter.contents(operand.value);
  if (value.isSplat && !isSplat) {
    call.inputs[index] = splatOf(value.tensor);
    return;
  }
  call.inputs[index] = value.tensor.rawData();
  call.inputSteps[index] = blockBytes(value.tensor.dtype());
}

Status ElementwiseRun::add(const BlockOp &op) {
  bool isSplat =
      llvm::all_of(op.operands, [&](const BlockOp::Operand &operand) {
        return operand.block < 0 && interpreter.contents(operand.value).isSplat;
      });
  Value resultValue = op.op->getResult(0);
  DType type = ir::dtypeOf(resultValue.getType());
  Tensor result;
  int64_t elements;
  if (!op.isBound) {
    KILN_ASSIGN_OR_RETURN(Shape shape,
                          interpreter.shapeOf(resultValue.getType()));
    KILN_ASSIGN_OR_RETURN(elements, shape.numElements());
  } else {
    if (isSplat) {
      KILN_ASSIGN_OR_RETURN(result, interpreter.allocate(type, Shape()));
    } else {
      KILN_ASSIGN_OR_RETURN(result, interpreter.allocateFor(resultValue));
    }
    elements = result.numElements();
  }
  if (isSplat || elements != count)
    KILN_RETURN_IF_ERROR(run());
  count = elements;

  Call call{.op = op.op, .kernel = op.kernel};
  for (auto [index, operand] : llvm::enumerate(op.operands))
    setInput(call, index, operand, isSplat);
  if (op.isBound) {
    call.out = static_cast<char *>(result.mutableRawData());
    call.outStep = blockBytes(type);
  }
  if (op.block >= 0) {
    call.streamed =
        std::exchange(call.out, static_cast<char *>(blocks->data) + op.block);
    call.streamedStep = std::exchange(call.outStep, 0);
  }
  calls.push_back(call);
  if (op.isBound)
    interpreter.bindOwned(resultValue, std::move(result), isSplat);
  // Others may ask for its element at once.
  return isSplat ? run() : okStatus();
}

Status ElementwiseRun::run() {
  int64_t block = 0;
  for (int64_t begin = 0; begin < count; begin += blockElements) {
    int64_t length = std::min(blockElements, count - begin);
    for (Call &call : calls) {
      ErrorKind error = call.kernel(call.inputs.data(), call.out, length);
      if (error != ErrorKind::None) {
        KILN_ASSIGN_OR_RETURN(
            Shape shape, interpreter.shapeOf(call.op->getResult(0).getType()));
        KILN_ASSIGN_OR_RETURN(int64_t elements, shape.numElements());
        if (elements != 0) // not a splat that is nowhere
          return errorStatus(error, nodeOf(call.op));
      }
      if (call.streamed)
        copyStreaming(call.streamed + block * call.streamedStep, call.out,
                      length * call.streamedStep / blockElements);
      for (size_t i = 0; i < maxInputs; ++i)
        call.inputs[i] =
            static_cast<const char *>(call.inputs[i]) + call.inputSteps[i];
      call.out += call.outStep;
    }
    if (++block % blocksBetweenPolls == 0)
      KILN_RETURN_IF_ERROR(interpreter.poll());
  }
  if (llvm::any_of(calls, [](const Call &call) { return call.streamed; }))
    finishStreaming();
  calls.clear();
  count = 0;
  usedSplats = 0;
  return okStatus();
}

Status evaluateElementwise(Operation *op, Interpreter &interpreter) {
  BlockOp own = elementwiseOp(op);
  if (!own.kernel)
    return internalError(strCat("expected an elementwise op, got ",
                                op->getName().getStringRef().str()));
  ElementwiseRun single(interpreter);
  KILN_RETURN_IF_ERROR(single.add(own));
  return single.run();
}

} // namespace kiln::eval
