// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many elements a range of floats has: asked before a run and in it.
#ifndef KILN_LIB_SUPPORT_RANGELENGTH_H
#define KILN_LIB_SUPPORT_RANGELENGTH_H

#include "kiln/DType.h"
#include "kiln/Status.h"

#include <cstdint>

namespace kiln {

/// The number of start, start + delta … before limit; the numbers are of
/// `dtype`, a floating type, and each step is rounded to it, so that
/// range(0, 0.3, 0.1) has three elements. **Errors**: INVALID_ARGUMENT, with
/// TensorFlow's texts (Range).
StatusOr<int64_t> floatRangeLength(DType dtype, double start, double limit,
                                   double delta);

} // namespace kiln

#endif // KILN_LIB_SUPPORT_RANGELENGTH_H
