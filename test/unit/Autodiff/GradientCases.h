// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One node of each differentiable op, for checks of its gradient.
#ifndef KILN_TEST_UNIT_AUTODIFF_GRADIENTCASES_H
#define KILN_TEST_UNIT_AUTODIFF_GRADIENTCASES_H

#include "kiln/GraphBuilder.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace kiln::testing {

/// Where the elements of an input lie; distinct, and off the places where
/// functions have no derivative.
enum class Range {
  Any,      ///< -2 to 2, not near a multiple of 0.5
  Positive, ///< 0.5 to 2
  Unit,     ///< -0.8 to 0.8
  Portion,  ///< 0.1 to 0.9
  AboveOne, ///< 1.2 to 3
  Square,   ///< well conditioned matrices
  Symmetric ///< positive definite ones
};

/// An input that is differentiated.
struct Varied {
  Shape shape;
  Range range = Range::Any;
};
using CaseInput = std::variant<Varied, Input, std::vector<Varied>, InputList>;

struct GradientCase {
  std::string op;
  std::vector<CaseInput> inputs;
  AttrMap attrs = {};
  /// The op's dtype; where it is not float64 the step is larger.
  DType dtype = DType::Float64;
  /// The outputs that are summed; all floats where it is empty.
  std::vector<int> outputs = {};
  /// Whether shapes may be left unknown as well.
  bool mayBeUnknown = true;
};

std::vector<GradientCase> elementCases();
std::vector<GradientCase> arrayCases();
std::vector<GradientCase> networkCases();

} // namespace kiln::testing

#endif // KILN_TEST_UNIT_AUTODIFF_GRADIENTCASES_H
