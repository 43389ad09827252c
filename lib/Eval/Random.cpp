// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluates the random generators by runtime/random/RandomScalar.h.
#include "lib/Eval/Interpreter.h"
#include "lib/Support/CheckedMath.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/abi/RunState.h"
#include "runtime/random/RandomScalar.h"

#include <algorithm>
#include <cstring>

namespace kiln::eval {
namespace {

/// Calls `fill(part, first)` on parts of the result, polling between them.
template <class T, class Fill>
Status fillInParts(Tensor &result, Interpreter &interpreter, Fill &&fill) {
  constexpr size_t part = size_t(1) << 18;
  std::span<T> elements = result.mutableData<T>();
  for (size_t begin = 0; begin < elements.size(); begin += part) {
    KILN_RETURN_IF_ERROR(interpreter.poll());
    fill(elements.subspan(begin, std::min(part, elements.size() - begin)),
         static_cast<int64_t>(begin));
  }
  return okStatus();
}

StatusOr<random::PhiloxState> stateOf(ValueId value, Interpreter &interpreter) {
  KILN_ASSIGN_OR_RETURN(Tensor words, interpreter.dense(value));
  random::PhiloxState state;
  if (words.byteSize() != sizeof state)
    return internalError(
        strCat("expected a generator state of 6 words, got shape ",
               words.shape().toString()));
  std::memcpy(&state, words.rawData(), sizeof state);
  return state;
}

template <class T>
Status fillDistribution(RandomKind kind, const random::PhiloxState &state,
                        Tensor &result, Interpreter &interpreter) {
  return fillInParts<T>(
      result, interpreter, [&](std::span<T> part, int64_t first) {
        kind == RandomKind::Uniform ? random::fillUniform(state, part, first)
                                    : random::fillNormal(state, part, first);
      });
}

template <class T>
Status fillIntegers(const random::PhiloxState &state, T low, T high,
                    Tensor &result, Interpreter &interpreter) {
  if (result.numElements() == 0)
    return okStatus();
  if (low >= high) {
    int64_t values[] = {low, high};
    return errorStatus(ErrorKind::RandomIntRangeEmpty, {}, values);
  }
  return fillInParts<T>(result, interpreter,
                        [&](std::span<T> part, int64_t first) {
                          random::fillUniformInt(state, low, high, part, first);
                        });
}

} // namespace

Status evaluateOp(const Op &op, const RandomReserveOp &reserve,
                  Interpreter &interpreter) {
  const EvalEnvironment &env = interpreter.environment();
  CheckedInt64 samples = static_cast<int64_t>(random::samplesTaken(1));
  bool isEmpty = false;
  for (const Dim &dim : interpreter.program.dimsOf(reserve.extents)) {
    KILN_ASSIGN_OR_RETURN(int64_t extent, interpreter.numberOf(dim));
    samples *= extent;
    isEmpty |= extent == 0;
  }
  if (isEmpty)
    samples = 0;
  if (samples.overflowed() || !env.reserveRandom)
    return internalError(
        "expected a random stream and a number of outputs that fits");
  KILN_ASSIGN_OR_RETURN(Tensor result,
                        interpreter.allocateFor(interpreter.resultOf(op)));
  KILN_RETURN_IF_ERROR(
      env.reserveRandom(reserve.stream, *samples.value(),
                        static_cast<uint32_t *>(result.mutableRawData())));
  interpreter.bindOwned(interpreter.resultOf(op), std::move(result));
  return okStatus();
}

Status evaluateOp(const Op &op, const RandomOp &random,
                  Interpreter &interpreter) {
  KILN_ASSIGN_OR_RETURN(random::PhiloxState state,
                        stateOf(interpreter.operandOf(op), interpreter));
  KILN_ASSIGN_OR_RETURN(Tensor result,
                        interpreter.allocateFor(interpreter.resultOf(op)));
  KILN_RETURN_IF_ERROR(
      result.dtype() == DType::Float32
          ? fillDistribution<float>(random.kind, state, result, interpreter)
          : fillDistribution<double>(random.kind, state, result, interpreter));
  interpreter.bindOwned(interpreter.resultOf(op), std::move(result));
  return okStatus();
}

Status evaluateOp(const Op &op, const RandomIntOp &, Interpreter &interpreter) {
  KILN_ASSIGN_OR_RETURN(random::PhiloxState state,
                        stateOf(interpreter.operandOf(op), interpreter));
  KILN_ASSIGN_OR_RETURN(Tensor result,
                        interpreter.allocateFor(interpreter.resultOf(op)));
  auto fill = [&]<class T>(T) {
    return fillIntegers<T>(state,
                           interpreter.scalar<T>(interpreter.operandOf(op, 1)),
                           interpreter.scalar<T>(interpreter.operandOf(op, 2)),
                           result, interpreter);
  };
  KILN_RETURN_IF_ERROR(result.dtype() == DType::Int32 ? fill(int32_t())
                                                      : fill(int64_t()));
  interpreter.bindOwned(interpreter.resultOf(op), std::move(result));
  return okStatus();
}

} // namespace kiln::eval
