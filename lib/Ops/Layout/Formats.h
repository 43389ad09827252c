// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Data formats: a letter for each dimension.
#ifndef KILN_LIB_OPS_LAYOUT_FORMATS_H
#define KILN_LIB_OPS_LAYOUT_FORMATS_H

#include "kiln/Status.h"

#include <cstdint>
#include <string>
#include <vector>

namespace kiln {

/// The place in `source` of each letter of `target`, for which both must have
/// the same letters, each once. **Errors**: INVALID_ARGUMENT with TensorFlow's
/// texts.
StatusOr<std::vector<int64_t>> formatPermutation(const std::string &source,
                                                 const std::string &target);

/// A format without images and channels.
std::string spatialFormat(std::string format);

} // namespace kiln

#endif // KILN_LIB_OPS_LAYOUT_FORMATS_H
