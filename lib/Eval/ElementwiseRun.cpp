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

#include "llvm/ADT/SmallPtrSet.h"

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
  BlockOp made;
  made.op = op;
  made.kernel = elementwiseKernel(op);
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

/// Shares out among the calls what they fetch of the next blocks of bound
/// inputs, a few lines each: more at a time than the processor keeps track of
/// would hold up the op behind. Where the ops are too few, it sees by itself
/// what they are about to read.
void ElementwiseRun::planFetches() {
  fetchedLines = 0;
  if (count < minFetchingBlocks * blockElements)
    return;
  struct Input {
    const char *next;
    int64_t step;
  };
  llvm::SmallVector<Input, 8> inputs;
  llvm::SmallPtrSet<const void *, 16> seen;
  for (const Call &call : calls)
    seen.insert(call.out);
  for (const Call &call : calls)
    for (auto [data, step] : llvm::zip(call.inputs, call.inputSteps))
      if (step != 0 && seen.insert(data).second)
        inputs.push_back({static_cast<const char *>(data) + step, step});
  auto callsFor = [&](int64_t lines) {
    uint64_t needed = 0;
    for (const Input &input : inputs)
      needed += llvm::divideCeil(input.step, lines * lineBytes);
    return needed;
  };
  int64_t lines = 1;
  while (lines <= maxFetchedLines && callsFor(lines) > calls.size())
    ++lines;
  if (lines > maxFetchedLines || inputs.empty())
    return;
  fetchedLines = lines;
  auto *call = calls.begin();
  for (const Input &input : inputs)
    for (int64_t offset = 0; offset < input.step;
         offset += lines * lineBytes, ++call) {
      call->fetched = input.next + offset;
      call->fetchedStep = input.step;
    }
  // The others, as often, what is there already.
  for (; call != calls.end(); ++call)
    call->fetched = reinterpret_cast<const char *>(call);
}

inline ErrorKind ElementwiseRun::runBlock(Call &call, int64_t block,
                                          int64_t length) const {
  for (int64_t i = 0; i < fetchedLines; ++i)
    __builtin_prefetch(call.fetched + i * lineBytes);
  call.fetched += call.fetchedStep;
  ErrorKind error = call.kernel(call.inputs.data(), call.out, length);
  if (call.streamed)
    copyStreaming(call.streamed + block * call.streamedStep, call.out,
                  length * call.streamedStep / blockElements);
  for (size_t i = 0; i < maxInputs; ++i)
    call.inputs[i] =
        static_cast<const char *>(call.inputs[i]) + call.inputSteps[i];
  call.out += call.outStep;
  return error;
}

/// Each of the first calls has an instruction of its own that calls its kernel:
/// a single one, with another target each time, is predicted by what was run
/// before it, and the branches of a kernel's loop tell nothing of it.
template <size_t first>
inline ErrorKind ElementwiseRun::runBlocks(int64_t block, int64_t length,
                                           size_t &failed) {
  if constexpr (first < numUnrolledCalls) {
    if (first == calls.size())
      return ErrorKind::None;
    failed = first;
    ErrorKind error = runBlock(calls[first], block, length);
    return error == ErrorKind::None
               ? runBlocks<first + 1>(block, length, failed)
               : error;
  }
  for (size_t i = first; i < calls.size(); ++i) {
    failed = i;
    if (ErrorKind error = runBlock(calls[i], block, length);
        error != ErrorKind::None)
      return error;
  }
  return ErrorKind::None;
}

Status ElementwiseRun::run() {
  planFetches();
  int64_t block = 0;
  for (int64_t begin = 0; begin < count; begin += blockElements) {
    int64_t length = std::min(blockElements, count - begin);
    size_t failed = 0;
    ErrorKind error = runBlocks<0>(block, length, failed);
    if (error != ErrorKind::None) {
      Operation *op = calls[failed].op;
      KILN_ASSIGN_OR_RETURN(Shape shape,
                            interpreter.shapeOf(op->getResult(0).getType()));
      KILN_ASSIGN_OR_RETURN(int64_t elements, shape.numElements());
      if (elements != 0) // not a splat that is nowhere
        return errorStatus(error, nodeOf(op));
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
