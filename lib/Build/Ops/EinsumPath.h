// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In which order the tensors of an einsum are multiplied.
#ifndef KILN_LIB_BUILD_OPS_EINSUMPATH_H
#define KILN_LIB_BUILD_OPS_EINSUMPATH_H

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace kiln::ops {

/// Two of the tensors that are left become one, which goes behind the others.
struct Contraction {
  /// Where they are among those that are left, the larger index first.
  std::vector<size_t> operands;
  /// The equation of the two.
  std::string equation;
};

/// The pairs, one after another: first tensors with the same labels, then each
/// time the pair whose product saves the most elements, then what has no label
/// in common. **Source**: the path "greedy" of the Python package opt_einsum,
/// which TensorFlow asks.
std::vector<Contraction> einsumPath(const std::vector<std::string> &inputs,
                                    const std::string &output,
                                    const std::map<char, int64_t> &extents);

} // namespace kiln::ops

#endif // KILN_LIB_BUILD_OPS_EINSUMPATH_H
