// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The equations of Einsum.
#ifndef KILN_LIB_OPS_LINALG_EINSUM_H
#define KILN_LIB_OPS_LINALG_EINSUM_H

#include "kiln/Status.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// The label of each dimension: a character, or, of an ellipsis's dimensions
/// counted from the last, ellipsisLabel and the numbers behind it.
using EinsumLabels = std::vector<int>;
inline constexpr int ellipsisLabel = 1 << 10;

struct EinsumEquation {
  std::vector<std::string> inputs; ///< one or two
  std::string output;
};

/// **Errors**: INVALID_ARGUMENT, in TensorFlow's words, for an equation that is
/// none or not of so many inputs.
StatusOr<EinsumEquation> parseEinsum(std::string_view equation, int numInputs);

/// The labels of one tensor, whose ellipsis has so many dimensions.
EinsumLabels einsumLabels(std::string_view text, int ellipsisDims);

/// How many dimensions the ellipsis of an input of this rank has. **Errors**:
/// "Expected input 1 to have rank 2 but got: 1".
StatusOr<int> einsumEllipsisDims(std::string_view text, int input, int rank);

} // namespace kiln

#endif // KILN_LIB_OPS_LINALG_EINSUM_H
