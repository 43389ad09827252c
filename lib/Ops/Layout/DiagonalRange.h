// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which diagonals of matrices an op is about.
#ifndef KILN_LIB_OPS_LAYOUT_DIAGONALRANGE_H
#define KILN_LIB_OPS_LAYOUT_DIAGONALRANGE_H

#include "lib/Shape/DimSpace.h"

namespace kiln {

/// Diagonals by column less row, the lowest and the highest.
struct DiagonalRange {
  int64_t lower = 0, upper = 0;
  int64_t count() const { return upper - lower + 1; }
};

namespace shapes {

/// The length of the longest of them in a matrix: the extent of the dimension
/// that they lie in, packed.
Dim longestDiagonal(DimSpace &space, DiagonalRange range, Dim rows,
                    Dim columns);

} // namespace shapes
} // namespace kiln

#endif // KILN_LIB_OPS_LAYOUT_DIAGONALRANGE_H
