// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors whose extents are sums, products and quotients of open ones, or found
// in the run.
#ifndef KILN_TEST_FUZZ_GRAPHS_SIZES_H
#define KILN_TEST_FUZZ_GRAPHS_SIZES_H

#include "test/fuzz/graphs/Maker.h"

namespace kiln::fuzz {

/// A tensor of these extents one of which is computed; nothing where no way to
/// do so fits.
std::optional<Value> ofComputedSizes(Maker &maker, DType dtype,
                                     const Extents &dims);

/// The vector of these numbers, -1 among them, packed from constants, fed
/// numbers and sizes of tensors.
std::optional<Value> sizesTogether(Maker &maker, DType dtype,
                                   const Extents &numbers);

} // namespace kiln::fuzz

#endif // KILN_TEST_FUZZ_GRAPHS_SIZES_H
