// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops of the functions of integers.
#include "lib/Eval/ElementwiseLoops.h"
#include "lib/Support/IntegerFunctions.h"

#include <type_traits>

// Divisions and powers stay scalar.
#pragma clang diagnostic ignored "-Wpass-failed"

namespace kiln::eval {
namespace {

using integers::ScalarIntegers;

#define KILN_INTEGER_UNARY(Enum, name, types)                                  \
  struct Enum {                                                                \
    template <class T> T operator()(T x) const {                               \
      return integers::name(ScalarIntegers<T>(), x);                           \
    }                                                                          \
  };
#define KILN_INTEGER_BINARY(Enum, name, types, domain)                         \
  struct Enum {                                                                \
    template <class T> T operator()(T x, T y) const {                          \
      return integers::name(ScalarIntegers<T>(), x, y);                        \
    }                                                                          \
  };
#include "lib/Support/Integers.def"

/// Stops before an operand for which the function is not defined.
template <class T, class Function, IntegerDomain domain>
ErrorKind mapDefined(const void *const *ins, void *out, int64_t count) {
  [[maybe_unused]] const T *right = static_cast<const T *>(ins[1]);
  if constexpr (domain == IntegerDomain::NonZero)
    for (int64_t i = 0; i < count; ++i)
      if (right[i] == 0)
        return ErrorKind::IntegerDivisionByZero;
  if constexpr (domain == IntegerDomain::NonNegative && std::is_signed_v<T>)
    for (int64_t i = 0; i < count; ++i)
      if (right[i] < 0)
        return ErrorKind::NegativeIntegerPower;
  return mapBinary<T, T, Function>(ins, out, count);
}

template <class Body>
ElementLoop dispatch(IntegerTypes types, DType type, Body &&body) {
  return type == DType::Bool && types == IntegerTypes::Bits
             ? body(bool())
             : dispatchInteger(type, body);
}

} // namespace

ElementLoop integerLoop(IntegerFunction function, DType type) {
  switch (function) {
#define KILN_INTEGER_UNARY(Enum, name, types)                                  \
  case IntegerFunction::Enum:                                                  \
    return dispatch(IntegerTypes::types, type, []<class T>(T) -> ElementLoop { \
      return &mapUnary<T, T, Enum>;                                            \
    });
#define KILN_INTEGER_BINARY(Enum, name, types, domain)                         \
  case IntegerFunction::Enum:                                                  \
    return dispatch(IntegerTypes::types, type, []<class T>(T) -> ElementLoop { \
      return &mapDefined<T, Enum, IntegerDomain::domain>;                      \
    });
#include "lib/Support/Integers.def"
  }
  return nullptr;
}

} // namespace kiln::eval
