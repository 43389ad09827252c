// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops of the ops with two floats, comparisons and select.
#include "dialect/Kiln.h"
#include "lib/Eval/ElementwiseKernels.h"
#include "runtime/ElementaryScalar.h"
#include "runtime/ReductionOrder.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cmath>
#include <functional>
#include <type_traits>

namespace kiln::eval {
namespace {

// Arithmetic on floats.
#define KILN_REAL(Name, value)                                                 \
  struct Name {                                                                \
    template <class T> T operator()(T x, T y) const { return value; }          \
  };

template <class T> T floorModulo(T x, T y) {
  T rest = std::fmod(x, y);
  bool moves = rest != 0 && (y < 0) != (rest < 0);
  return moves ? rest + y : rest;
}

KILN_REAL(Add, x + y)
KILN_REAL(Sub, x - y)
KILN_REAL(Mul, (x * y))
KILN_REAL(Max, reduction::flushed((bool(x > y) | bool(x != x)) ? x : y))
KILN_REAL(Min, reduction::flushed((bool(x < y) | bool(x != x)) ? x : y))
KILN_REAL(Div, x / y)
KILN_REAL(Rem, std::fmod(x, y))
KILN_REAL(FloorDiv, std::floor(x / y))
KILN_REAL(FloorMod, floorModulo(x, y))
#undef KILN_REAL

template <elementary::ElementaryFunction function, class T>
ErrorKind elementaryLoop(const void *const *ins, void *out, int64_t count) {
  static const auto loop = elementary::binaryLoop<T>(function);
  loop(static_cast<const T *>(ins[0]), static_cast<const T *>(ins[1]),
       static_cast<T *>(out), count);
  return ErrorKind::None;
}

template <class T>
[[gnu::always_inline]] inline ErrorKind select(const void *const *ins,
                                               void *out, int64_t count) {
  const bool *condition = static_cast<const bool *>(ins[0]);
  const T *onTrue = static_cast<const T *>(ins[1]);
  const T *onFalse = static_cast<const T *>(ins[2]);
  T *result = static_cast<T *>(out);
  KILN_MAP_LOOP
  for (int64_t i = 0; i < count; ++i) {
    T a = onTrue[i], b = onFalse[i];
    result[i] = condition[i] ? a : b;
  }
  return ErrorKind::None;
}

template <class T, class Function>
[[gnu::always_inline]] inline ErrorKind
comparedSelect(const void *const *ins, void *out, int64_t count) {
  const T *left = static_cast<const T *>(ins[0]);
  const T *right = static_cast<const T *>(ins[1]);
  const T *onTrue = static_cast<const T *>(ins[2]);
  const T *onFalse = static_cast<const T *>(ins[3]);
  T *result = static_cast<T *>(out);
  KILN_MAP_LOOP
  for (int64_t i = 0; i < count; ++i) {
    T a = onTrue[i], b = onFalse[i];
    result[i] = Function()(left[i], right[i]) ? a : b;
  }
  return ErrorKind::None;
}

template <class Function> Kernel floating(DType type) {
  return type == DType::Float32
             ? bestVariant<&mapBinary<float, float, Function>>()
             : bestVariant<&mapBinary<double, double, Function>>();
}
template <elementary::ElementaryFunction function>
Kernel elementaryKernel(DType type) {
  return type == DType::Float32 ? Kernel(&elementaryLoop<function, float>)
                                : &elementaryLoop<function, double>;
}
template <class Function> Kernel comparison(DType operand) {
  return dispatchOrdered(operand, []<class T>(T) -> Kernel {
    if constexpr (std::is_floating_point_v<T>)
      return bestVariant<&mapBinary<T, bool, Function>>();
    else
      return &mapBinary<T, bool, Function>;
  });
}

/// Calls body with the function of a comparison.
template <class Body> Kernel dispatchPredicate(mlir::Operation *op, Body body) {
  switch (llvm::cast<ir::CompareOp>(op).getPredicate()) {
  case ir::Predicate::eq:
    return body(std::equal_to<>());
  case ir::Predicate::ne:
    return body(std::not_equal_to<>());
  case ir::Predicate::lt:
    return body(std::less<>());
  case ir::Predicate::le:
    return body(std::less_equal<>());
  case ir::Predicate::gt:
    return body(std::greater<>());
  case ir::Predicate::ge:
    return body(std::greater_equal<>());
  }
  return nullptr;
}

} // namespace

Kernel binaryKernel(mlir::Operation *op, DType type) {
  using F = elementary::ElementaryFunction;
  return llvm::TypeSwitch<mlir::Operation *, Kernel>(op)
      .Case<ir::AddOp>([&](auto) { return floating<Add>(type); })
      .Case<ir::SubOp>([&](auto) { return floating<Sub>(type); })
      .Case<ir::MulOp>([&](auto) { return floating<Mul>(type); })
      .Case<ir::MaxOp>([&](auto) { return floating<Max>(type); })
      .Case<ir::MinOp>([&](auto) { return floating<Min>(type); })
      .Case<ir::DivOp>([&](auto) { return floating<Div>(type); })
      .Case<ir::RemOp>([&](auto) { return floating<Rem>(type); })
      .Case<ir::FloorDivOp>([&](auto) { return floating<FloorDiv>(type); })
      .Case<ir::FloorModOp>([&](auto) { return floating<FloorMod>(type); })
#define KILN_ELEMENTARY_BINARY(Enum, Name)                                     \
  .Case<ir::Enum##Op>([&](auto) { return elementaryKernel<F::Enum>(type); })
#include "runtime/Elementary.def"
      .Default([](auto) { return nullptr; });
}

Kernel compareKernel(mlir::Operation *op, DType operand) {
  return dispatchPredicate(op, [&]<class Function>(Function) {
    return comparison<Function>(operand);
  });
}

Kernel comparedSelectKernel(mlir::Operation *compare, DType compared,
                            DType selected) {
  if (compared != selected)
    return nullptr;
  return dispatchPredicate(compare, [&]<class Function>(Function) -> Kernel {
    switch (compared) {
    case DType::Float32:
      return bestVariant<&comparedSelect<float, Function>>();
    case DType::Float64:
      return bestVariant<&comparedSelect<double, Function>>();
    default:
      return nullptr;
    }
  });
}

Kernel selectKernel(DType type) {
  return dispatchElement(
      type, []<class T>(T) -> Kernel { return bestVariant<&select<T>>(); });
}

} // namespace kiln::eval
