// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Picks the instance of a function for a type.
#include "lib/Support/Integers.h"

#include "lib/Support/DTypeDispatch.h"
#include "lib/Support/IntegerFunctions.h"

namespace kiln {
namespace {

using integers::ScalarIntegers;

template <class T>
std::optional<int64_t> evaluate(IntegerFunction function, T x, T y) {
  [[maybe_unused]] ScalarIntegers<T> ops;
  constexpr bool isBool = std::is_same_v<T, bool>;
  switch (function) {
#define KILN_INTEGER_UNARY(Enum, name, types)                                  \
  case IntegerFunction::Enum:                                                  \
    if constexpr (!isBool || IntegerTypes::types == IntegerTypes::Bits)        \
      return static_cast<int64_t>(integers::name(ops, x));                     \
    break;
#define KILN_INTEGER_BINARY(Enum, name, types, domain)                         \
  case IntegerFunction::Enum:                                                  \
    if constexpr (!isBool || IntegerTypes::types == IntegerTypes::Bits)        \
      return static_cast<int64_t>(integers::name(ops, x, y));                  \
    break;
#include "lib/Support/Integers.def"
  }
  return std::nullopt;
}

} // namespace

IntegerDomain domainOf(IntegerFunction function) {
  switch (function) {
#define KILN_INTEGER_BINARY(Enum, name, types, domain)                         \
  case IntegerFunction::Enum:                                                  \
    return IntegerDomain::domain;
#include "lib/Support/Integers.def"
  default:
    return IntegerDomain::All;
  }
}

std::optional<int64_t> evaluateInteger(IntegerFunction function, DType dtype,
                                       int64_t x, int64_t y) {
  if (dtype == DType::Bool)
    return evaluate(function, x != 0, y != 0);
  IntegerDomain domain = domainOf(function);
  return dispatchInteger(dtype, [&]<class T>(T) -> std::optional<int64_t> {
    T left = static_cast<T>(x), right = static_cast<T>(y);
    if ((domain == IntegerDomain::NonZero && right == 0) ||
        (domain == IntegerDomain::NonNegative && right < 0))
      return std::nullopt;
    return evaluate(function, left, right);
  });
}

} // namespace kiln
