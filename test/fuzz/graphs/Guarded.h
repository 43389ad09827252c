// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors that lie beside pages which no code may touch.
#ifndef KILN_TEST_FUZZ_GRAPHS_GUARDED_H
#define KILN_TEST_FUZZ_GRAPHS_GUARDED_H

#include "kiln/Tensor.h"

namespace kiln::fuzz {

enum class Side { Before, Behind };

/// A copy that begins at the end of one guard page, or ends where another
/// begins: an access outside of it ends the process. Strings stay as they are:
/// their elements own memory elsewhere.
Tensor guardedCopy(const Tensor &tensor, Side side);

} // namespace kiln::fuzz

#endif // KILN_TEST_FUZZ_GRAPHS_GUARDED_H
