// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops of the ops with two floats, comparisons and select.
#include "lib/Eval/ElementwiseLoops.h"
#include "runtime/arithmetic/ReductionOrder.h"
#include "runtime/elementary/ElementaryScalar.h"

#include <array>
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

/// std::fmod works on the bits, where native code computes: it takes and gives
/// denormals, which in a run are zeros.
template <class T> T remainder(T x, T y) {
  using reduction::flushed;
  return flushed(std::fmod(flushed(x), flushed(y)));
}

template <class T> T floorModulo(T x, T y) {
  T rest = remainder(x, y);
  bool moves = rest != 0 && (y < 0) != (rest < 0);
  return moves ? rest + y : rest;
}

KILN_REAL(Add, x + y)
KILN_REAL(Sub, x - y)
KILN_REAL(Mul, (x * y))
KILN_REAL(Max, reduction::flushed((bool(x > y) | bool(x != x)) ? x : y))
KILN_REAL(Min, reduction::flushed((bool(x < y) | bool(x != x)) ? x : y))
KILN_REAL(Div, x / y)
KILN_REAL(Rem, remainder(x, y))
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

/// What is only moved stands as an integer of its size; of 16 bytes there is
/// none.
ErrorKind selectBytes16(const void *const *ins, void *out, int64_t count) {
  using Element = std::array<uint64_t, 2>;
  const bool *condition = static_cast<const bool *>(ins[0]);
  for (int64_t i = 0; i < count; ++i)
    static_cast<Element *>(out)[i] =
        static_cast<const Element *>(ins[condition[i] ? 1 : 2])[i];
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

template <class Function> ElementLoop floating(DType type) {
  return type == DType::Float32
             ? bestVariant<&mapBinary<float, float, Function>>()
             : bestVariant<&mapBinary<double, double, Function>>();
}
template <elementary::ElementaryFunction function>
ElementLoop elementaryLoopOf(DType type) {
  return type == DType::Float32 ? ElementLoop(&elementaryLoop<function, float>)
                                : &elementaryLoop<function, double>;
}
template <class Function> ElementLoop comparison(DType operand) {
  return dispatchOrdered(operand, []<class T>(T) -> ElementLoop {
    if constexpr (std::is_floating_point_v<T>)
      return bestVariant<&mapBinary<T, bool, Function>>();
    else
      return &mapBinary<T, bool, Function>;
  });
}

/// Calls body with the function of a comparison.
template <class Body>
ElementLoop dispatchPredicate(Predicate predicate, Body body) {
  switch (predicate) {
  case Predicate::Eq:
    return body(std::equal_to<>());
  case Predicate::Ne:
    return body(std::not_equal_to<>());
  case Predicate::Lt:
    return body(std::less<>());
  case Predicate::Le:
    return body(std::less_equal<>());
  case Predicate::Gt:
    return body(std::greater<>());
  case Predicate::Ge:
    return body(std::greater_equal<>());
  }
  return nullptr;
}

} // namespace

ElementLoop binaryLoop(BinaryFloat function, DType type) {
  switch (function) {
#define KILN_FUNCTION(Name)                                                    \
  case BinaryFloat::Name:                                                      \
    return floating<Name>(type);
#define KILN_ELEMENTARY_BINARY(Enum, Name)                                     \
  case BinaryFloat::Enum:                                                      \
    return elementaryLoopOf<elementary::ElementaryFunction::Enum>(type);
    KILN_FOR_EACH_BINARY_FLOAT(KILN_FUNCTION)
#include "runtime/elementary/Elementary.def"
#undef KILN_FUNCTION
  }
  return nullptr;
}

ElementLoop compareLoop(Predicate predicate, DType operand) {
  return dispatchPredicate(predicate, [&]<class Function>(Function) {
    return comparison<Function>(operand);
  });
}

ElementLoop comparedSelectLoop(Predicate predicate, DType compared,
                               DType selected) {
  if (compared != selected)
    return nullptr;
  return dispatchPredicate(
      predicate, [&]<class Function>(Function) -> ElementLoop {
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

ElementLoop selectLoop(DType type) {
  if (type == DType::Complex128)
    return &selectBytes16;
  return dispatchElement(type, []<class T>(T) -> ElementLoop {
    return bestVariant<&select<T>>();
  });
}

} // namespace kiln::eval
