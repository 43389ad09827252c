// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies elements between tensors, strings as strings.
#ifndef KILN_LIB_SUPPORT_ELEMENTS_H
#define KILN_LIB_SUPPORT_ELEMENTS_H

#include "kiln/Tensor.h"

namespace kiln {

/// Copies elements [begin, begin + count) of `from`, in row-major order, over
/// those of `to` from `at` on. Both have one dtype and that many elements, and
/// `to` may be written.
void copyElements(Tensor &to, int64_t at, const Tensor &from, int64_t begin,
                  int64_t count) noexcept;

} // namespace kiln

#endif // KILN_LIB_SUPPORT_ELEMENTS_H
