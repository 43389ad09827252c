// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of integers by name, and what they give for numbers whose type
// is known in the run.
#ifndef KILN_LIB_SUPPORT_INTEGERS_H
#define KILN_LIB_SUPPORT_INTEGERS_H

#include "kiln/DType.h"

#include <cstdint>
#include <optional>

namespace kiln {

enum class IntegerFunction : uint8_t {
#define KILN_INTEGER_UNARY(Enum, name, types) Enum,
#define KILN_INTEGER_BINARY(Enum, name, types, domain) Enum,
#include "lib/Support/Integers.def"
};

/// What a function takes: numbers alone, or bools as well.
enum class IntegerTypes : uint8_t { Numbers, Bits };

/// The right operands for which a function is defined: others are errors of the
/// run.
enum class IntegerDomain : uint8_t { All, NonZero, NonNegative };
IntegerDomain domainOf(IntegerFunction function);

/// The function of elements of an integer type or bool, wrapped to it; y counts
/// for functions of two operands. Nothing outside of the domain, for another
/// type, and for arithmetic on bools.
std::optional<int64_t> evaluateInteger(IntegerFunction function, DType dtype,
                                       int64_t x, int64_t y = 0);

} // namespace kiln

#endif // KILN_LIB_SUPPORT_INTEGERS_H
