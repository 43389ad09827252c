// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels on sparse tensors that embeddings are made of, for the table of
// selections.
#ifndef KILN_RUNTIME_KERNELS_SPARSEINDICES_H
#define KILN_RUNTIME_KERNELS_SPARSEINDICES_H

#include "runtime/abi/Abi.h"

#include <cstdint>

namespace kiln {

/// Indices [count, rank], values, shape, a default -> both with the default in
/// empty rows, which rows are empty, where elements went; finds out how many
/// elements there are then, and rows.
int32_t fillEmptyRows(const KilnKernelCall *raw) noexcept;
/// Where elements went, gradients -> those of the elements, and the sum of the
/// others.
int32_t fillEmptyRowsGradient(const KilnKernelCall *raw) noexcept;
/// Indices [count, rank], values, shape -> both, in the order of the indices.
int32_t sparseReorder(const KilnKernelCall *raw) noexcept;
/// Indices, the extents that they are in, others -> the indices in these, and
/// these.
int32_t sparseReshape(const KilnKernelCall *raw) noexcept;

} // namespace kiln

#endif // KILN_RUNTIME_KERNELS_SPARSEINDICES_H
