// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether two tensors have the same bits: the one notion of it that comparisons
// of executors, golden cases, fuzzers and tests share.
#ifndef KILN_TOOLS_COMPARE_TENSORS_H
#define KILN_TOOLS_COMPARE_TENSORS_H

#include "kiln/Tensor.h"

#include <cstdint>
#include <optional>
#include <string>

namespace kiln::compare {

/// Where two tensors part.
struct TensorDifference {
  int64_t element = 0; ///< row-major; -1 where dtype, shape or status differ
  int64_t count = 0;   ///< elements that differ
  std::string first, second; ///< both values, or both statuses
  /// Floats between the two, of that type; 0 for other types.
  uint64_t ulps = 0;
};

/// Compares bit by bit, strings byte by byte; but every NaN is equal to every
/// NaN of its type: which of two an addition keeps is left to the processor by
/// LLVM and C++ alike. Both are valid; their memory may be misaligned.
std::optional<TensorDifference> compareTensors(const Tensor &first,
                                               const Tensor &second);

/// A hash of dtype, shape and elements that is the same for tensors without a
/// difference.
uint64_t hashTensor(const Tensor &tensor, uint64_t seed = 0);

} // namespace kiln::compare

#endif // KILN_TOOLS_COMPARE_TENSORS_H
