// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Python's arithmetic of values that may be numbers or tensors.
#ifndef KILN_LIB_TRAIN_HELPERS_H
#define KILN_LIB_TRAIN_HELPERS_H

#include "kiln/Operators.h"

#include <optional>
#include <string_view>

namespace kiln {

/// The number, where the input is one.
inline std::optional<double> numberOf(const Input &input) {
  if (const double *number = std::get_if<double>(&input.value()))
    return *number;
  if (const int64_t *number = std::get_if<int64_t>(&input.value()))
    return static_cast<double>(*number);
  return std::nullopt;
}

/// Whether the input is a tensor of a graph or a variable.
inline bool isSymbolic(const Input &input) {
  return input.output() ||
         std::holds_alternative<std::shared_ptr<const VariableData>>(
             input.value());
}

/// x OP y, of which one is a tensor or variable: "add", "sub", "mul",
/// "truediv".
inline Output binary(std::string_view name, const Input &x, const Input &y) {
  return detail::binaryOperator(name, x, y, !isSymbolic(x));
}

} // namespace kiln

#endif // KILN_LIB_TRAIN_HELPERS_H
