// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluates scatters: rows of updates, one by one, into rows of the result.
#include "lib/Eval/Interpreter.h"
#include "lib/Support/DTypeDispatch.h"
#include "lib/Support/StatusMacros.h"
#include "runtime/abi/RunState.h"
#include "runtime/arithmetic/ReductionOps.h"

#include <cstring>

namespace kiln::eval {
namespace {

/// a / b, which is not 0; integers round towards zero and wrap.
template <class T> T quotient(T a, T b) {
  if constexpr (std::is_integral_v<T> && std::is_signed_v<T>)
    if (b == -1)
      return static_cast<T>(0U - static_cast<std::make_unsigned_t<T>>(a));
  return static_cast<T>(a / b);
}

/// What a minimum or a maximum chose: a denormal is a zero, as in native code.
template <class T> T chosen(T x) {
  if constexpr (std::is_floating_point_v<T>)
    return reduction::flushed(x);
  else
    return x;
}

template <class T> T combine(ScatterKind kind, T a, T b) {
  switch (kind) {
  case ScatterKind::Update:
    return b;
  case ScatterKind::Add:
    return reduction::Sum::combine<T>(a, b);
  case ScatterKind::Sub:
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) -
                            static_cast<std::make_unsigned_t<T>>(b));
    else
      return a - b;
  case ScatterKind::Mul:
    return reduction::Prod::combine<T>(a, b);
  case ScatterKind::Div:
    return quotient<T>(a, b);
  case ScatterKind::Min:
    return chosen<T>(b < a ? b : a);
  case ScatterKind::Max:
    return chosen<T>(a < b ? b : a);
  case ScatterKind::SegmentMin:
    return chosen<T>(a < b ? a : b);
  case ScatterKind::SegmentMax:
    return chosen<T>(b < a ? a : b);
  }
  return a;
}

/// Combines a row of updates into one of the result. False for a division by
/// zero.
template <class T>
bool combineRow(ScatterKind kind, T *to, const T *from, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    if constexpr (std::is_same_v<T, bool>) {
      to[i] = kind == ScatterKind::Sub   ? to[i] != from[i]
              : kind == ScatterKind::Min ? to[i] && from[i]
                                         : to[i] || from[i];
    } else if constexpr (std::is_class_v<T>) { // 16 bits
      to[i] = T(combine<float>(kind, static_cast<float>(to[i]),
                               static_cast<float>(from[i])));
    } else {
      if constexpr (std::is_integral_v<T>)
        if (kind == ScatterKind::Div && from[i] == 0)
          return false;
      to[i] = combine<T>(kind, to[i], from[i]);
    }
  }
  return true;
}

Status putBase(Tensor &result, const EvalValue &base) {
  size_t size = dtypeSize(result.dtype());
  auto *to = static_cast<char *>(result.mutableRawData());
  const void *from = base.tensor.rawData();
  if (base.tensor.numElements() == result.numElements() && !base.isSplat)
    std::memcpy(to, from, static_cast<size_t>(result.byteSize()));
  else
    for (int64_t i = 0; i < result.numElements(); ++i, to += size)
      std::memcpy(to, from, size);
  return okStatus();
}

} // namespace

Status evaluateOp(const Op &op, const ScatterOp &scatter,
                  Interpreter &interpreter) {
  KILN_ASSIGN_OR_RETURN(Tensor indices,
                        interpreter.dense(interpreter.operandOf(op, 1)));
  KILN_ASSIGN_OR_RETURN(Tensor updates,
                        interpreter.dense(interpreter.operandOf(op, 2)));
  KILN_ASSIGN_OR_RETURN(Tensor result,
                        interpreter.allocateFor(interpreter.resultOf(op)));
  KILN_RETURN_IF_ERROR(
      putBase(result, interpreter.contents(interpreter.operandOf(op))));
  int64_t rows = indices.numElements(), available = result.dim(0);
  int64_t width = available == 0 ? 0 : result.numElements() / available;
  auto rowBytes = static_cast<size_t>(width) * dtypeSize(result.dtype());
  auto *to = static_cast<char *>(result.mutableRawData());
  const auto *from = static_cast<const char *>(updates.rawData());
  constexpr int64_t rowsBetweenPolls = 1 << 12;
  for (int64_t row = 0; row < rows && width != 0; ++row, from += rowBytes) {
    if (row % rowsBetweenPolls == 0)
      KILN_RETURN_IF_ERROR(interpreter.poll());
    auto index = dispatchInteger(indices.dtype(), [&]<class T>(T) {
      return static_cast<int64_t>(indices.data<T>()[static_cast<size_t>(row)]);
    });
    if (index < 0 || index >= available)
      continue;
    char *place = to + static_cast<size_t>(index) * rowBytes;
    if (scatter.kind == ScatterKind::Update) {
      std::memcpy(place, from, rowBytes);
      continue;
    }
    bool isGood = dispatchElement(result.dtype(), [&]<class T>(T) {
      return combineRow<T>(scatter.kind, reinterpret_cast<T *>(place),
                           reinterpret_cast<const T *>(from), width);
    });
    if (!isGood)
      return errorStatus(ErrorKind::IntegerDivisionByZero, {}, {});
  }
  interpreter.bindOwned(interpreter.resultOf(op), std::move(result));
  return okStatus();
}

} // namespace kiln::eval
