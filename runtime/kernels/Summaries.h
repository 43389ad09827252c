// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors as text for people, cut short.
#ifndef KILN_RUNTIME_KERNELS_SUMMARIES_H
#define KILN_RUNTIME_KERNELS_SUMMARIES_H

#include "runtime/abi/Abi.h"

#include <string>

namespace kiln {

/// The first `count` elements, all for a negative count, as Assert and Print
/// show them: "[1 2][3...]..." for [[1, 2], [3, 4]]. **Errors**: throws
/// std::bad_alloc.
std::string summaryOfFirst(const KilnTensor &tensor, int64_t count);
/// At most `count` elements, all for a negative count, at either edge of each
/// dimension, as StringFormat shows them: "[1 2 ... 8 9]"; strings are quoted.
/// **Errors**: throws std::bad_alloc.
std::string summaryOfEdges(const KilnTensor &tensor, int64_t count);

} // namespace kiln

#endif // KILN_RUNTIME_KERNELS_SUMMARIES_H
