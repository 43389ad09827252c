// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs elementwise ops in blocks; an operand that repeats one element is one
// block for all.
#include "lib/Eval/ElementwiseRun.h"

#include "lib/Eval/StreamingCopy.h"
#include "lib/Eval/StridedCopy.h"
#include "lib/Support/DataMemory.h"
#include "lib/Support/StatusMacros.h"
#include "runtime/abi/RunState.h"

#include <algorithm>
#include <cstring>

namespace kiln::eval {

BlockOp elementwiseOp(const Op &op, const Program &program) {
  BlockOp made;
  made.op = &op;
  const auto *elementwise = std::get_if<ElementwiseOp>(&op.what);
  if (!elementwise)
    return made;
  made.loop = elementwise->loop;
  for (ValueId operand : program.idsOf(op.operands))
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
  Splat::Element bits = {};
  std::memcpy(bits.data(), element.rawData(), size);
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
    splats.push_back({std::vector<Splat::Line>(numLines), {~bits[0]}});
  if (found >= usedSplats) {
    std::swap(splats[found], splats[usedSplats]);
    found = usedSplats++;
  }
  Splat &splat = splats[found];
  if (splat.element != bits)
    copyStrided(splat.lines.data(), bits.data(), {{blockElements, 1, 0}}, size);
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
      std::ranges::all_of(op.operands, [&](const BlockOp::Operand &operand) {
        return operand.block < 0 && interpreter.contents(operand.value).isSplat;
      });
  ValueId resultValue = interpreter.resultOf(*op.op);
  DType type = interpreter.program.dtypeOf(resultValue);
  Tensor result;
  int64_t elements;
  if (!op.isBound) {
    KILN_ASSIGN_OR_RETURN(Shape shape, interpreter.shapeOf(resultValue));
    KILN_ASSIGN_OR_RETURN(elements, shape.numElements());
  } else {
    if (isSplat) {
      KILN_ASSIGN_OR_RETURN(result, interpreter.allocate(type, Shape()));
    } else {
      KILN_ASSIGN_OR_RETURN(result, interpreter.allocateFor(resultValue));
    }
    elements = result.numElements();
  }
  return append(op, isSplat, std::move(result), elements);
}

Status ElementwiseRun::append(const BlockOp &op, bool isSplat, Tensor result,
                              int64_t elements) {
  if (isSplat || elements != count)
    KILN_RETURN_IF_ERROR(run());
  count = elements;

  Call call{.op = op.op, .loop = op.loop};
  for (size_t i = 0; i < op.operands.size(); ++i)
    setInput(call, i, op.operands[i], isSplat);
  ValueId target = interpreter.resultOf(*op.op);
  if (op.isBound) {
    call.out = static_cast<char *>(result.mutableRawData());
    call.outStep = blockBytes(result.dtype());
  }
  if (op.block >= 0) {
    call.streamed =
        std::exchange(call.out, static_cast<char *>(blocks->data) + op.block);
    call.streamedStep = std::exchange(call.outStep, 0);
  }
  calls.push_back(call);
  if (op.isBound)
    interpreter.bindOwned(target, std::move(result), isSplat);
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
    const char *data;
    int64_t step;
  };
  std::vector<Input> inputs;
  std::vector<const char *> made;
  for (const Call &call : calls) {
    made.push_back(call.out);
    for (size_t i = 0; i < maxInputs; ++i)
      if (int64_t step = call.inputSteps[i]; step != 0)
        inputs.push_back({static_cast<const char *>(call.inputs[i]), step});
  }
  std::ranges::sort(made);
  std::ranges::sort(inputs, {}, &Input::data);
  auto repeated = std::ranges::unique(inputs, {}, &Input::data);
  inputs.erase(repeated.begin(), repeated.end());
  std::erase_if(inputs, [&](const Input &input) {
    return std::ranges::binary_search(made, input.data);
  });
  auto callsFor = [&](int64_t lines) {
    size_t needed = 0;
    for (const Input &input : inputs)
      needed += static_cast<size_t>((input.step + lines * lineBytes - 1) /
                                    (lines * lineBytes));
    return needed;
  };
  int64_t lines = 1;
  while (lines <= maxFetchedLines && callsFor(lines) > calls.size())
    ++lines;
  if (lines > maxFetchedLines || inputs.empty())
    return;
  fetchedLines = lines;
  auto call = calls.begin();
  for (const Input &input : inputs)
    for (int64_t offset = 0; offset < input.step;
         offset += lines * lineBytes, ++call) {
      call->fetched = input.data + input.step + offset;
      call->fetchedStep = input.step;
    }
  // The others, as often, what is there already.
  for (; call != calls.end(); ++call)
    call->fetched = reinterpret_cast<const char *>(&*call);
}

inline ErrorKind ElementwiseRun::runBlock(Call &call, int64_t block,
                                          int64_t length) const {
  for (int64_t i = 0; i < fetchedLines; ++i)
    __builtin_prefetch(call.fetched + i * lineBytes);
  call.fetched += call.fetchedStep;
  ErrorKind error = call.loop(call.inputs.data(), call.out, length);
  if (call.streamed)
    copyStreaming(call.streamed + block * call.streamedStep, call.out,
                  length * call.streamedStep / blockElements);
  for (size_t i = 0; i < maxInputs; ++i)
    call.inputs[i] =
        static_cast<const char *>(call.inputs[i]) + call.inputSteps[i];
  call.out += call.outStep;
  return error;
}

/// Each of the first calls has an instruction of its own that calls its loop:
/// a single one, with another target each time, is predicted by what was run
/// before it, and the branches of a loop tell nothing of it.
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

/// Whether an error of an element is one: a splat may be of a value without
/// any.
static StatusOr<bool> hasElements(const Op &op,
                                  const Interpreter &interpreter) {
  KILN_ASSIGN_OR_RETURN(Shape shape,
                        interpreter.shapeOf(interpreter.resultOf(op)));
  KILN_ASSIGN_OR_RETURN(int64_t elements, shape.numElements());
  return elements != 0;
}

Status ElementwiseRun::run() {
  planFetches();
  int64_t block = 0;
  for (int64_t begin = 0; begin < count; begin += blockElements) {
    int64_t length = std::min(blockElements, count - begin);
    size_t failed = 0;
    ErrorKind error = runBlocks<0>(block, length, failed);
    if (error != ErrorKind::None) {
      const Op &op = *calls[failed].op;
      KILN_ASSIGN_OR_RETURN(bool isThere, hasElements(op, interpreter));
      if (isThere)
        return errorStatus(error, interpreter.program.nameOf(op.node));
    }
    if (++block % blocksBetweenPolls == 0)
      KILN_RETURN_IF_ERROR(interpreter.poll());
  }
  if (std::ranges::any_of(calls,
                          [](const Call &call) { return call.streamed; }))
    finishStreaming();
  calls.clear();
  count = 0;
  usedSplats = 0;
  return okStatus();
}

/// One of few elements, without a run's preparations.
static Status runShort(const Op &op, ElementLoop loop, bool isSplat,
                       Tensor &result, const Interpreter &interpreter) {
  constexpr size_t maxOperands = 3;
  alignas(64) char splats[maxOperands][ElementwiseRun::blockElements *
                                       ElementwiseRun::maxElementBytes];
  const void *inputs[maxOperands] = {};
  int64_t count = result.numElements();
  for (uint32_t i = 0; i < op.operands.size; ++i) {
    const EvalValue &value = interpreter.contents(interpreter.operandOf(op, i));
    inputs[i] = value.tensor.rawData();
    if (!value.isSplat || isSplat || count == 1)
      continue;
    copyStrided(splats[i], inputs[i], {{count, 1, 0}},
                dtypeSize(value.tensor.dtype()));
    inputs[i] = splats[i];
  }
  ErrorKind error = loop(inputs, result.mutableRawData(), count);
  if (error == ErrorKind::None)
    return okStatus();
  KILN_ASSIGN_OR_RETURN(bool isThere, hasElements(op, interpreter));
  return isThere ? errorStatus(error, {}) : okStatus();
}

Status evaluateOp(const Op &op, const ElementwiseOp &elementwise,
                  Interpreter &interpreter) {
  bool isSplat =
      std::ranges::all_of(interpreter.operandsOf(op), [&](ValueId operand) {
        return interpreter.contents(operand).isSplat;
      });
  ValueId target = interpreter.resultOf(op);
  Tensor result;
  if (isSplat) {
    KILN_ASSIGN_OR_RETURN(
        result,
        interpreter.allocate(interpreter.program.dtypeOf(target), Shape()));
  } else {
    KILN_ASSIGN_OR_RETURN(result, interpreter.allocateFor(target));
  }
  if (result.numElements() <= ElementwiseRun::blockElements) {
    KILN_RETURN_IF_ERROR(
        runShort(op, elementwise.loop, isSplat, result, interpreter));
    interpreter.bindOwned(target, std::move(result), isSplat);
    return okStatus();
  }
  ElementwiseRun single(interpreter);
  int64_t elements = result.numElements();
  KILN_RETURN_IF_ERROR(single.append(elementwiseOp(op, interpreter.program),
                                     isSplat, std::move(result), elements));
  return single.run();
}

} // namespace kiln::eval
