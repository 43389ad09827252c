// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types that TensorFlow's op definitions allow and its CPU kernels do not.
#ifndef KILN_LIB_OPDEFS_MISSINGKERNELS_H
#define KILN_LIB_OPDEFS_MISSINGKERNELS_H

#include "kiln/DType.h"

#include <string_view>

namespace kiln {

/// True where a graph may hold such a node, and a run of it fails.
bool isKernelMissing(std::string_view op, std::string_view attr, DType dtype);

} // namespace kiln

#endif // KILN_LIB_OPDEFS_MISSINGKERNELS_H
