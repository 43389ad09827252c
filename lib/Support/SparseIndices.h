// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the indices of a sparse tensor must be.
#ifndef KILN_LIB_SUPPORT_SPARSEINDICES_H
#define KILN_LIB_SUPPORT_SPARSEINDICES_H

#include "kiln/Status.h"

#include <cstdint>
#include <span>

namespace kiln {

/// The rows of `indices`, of as many numbers as the shape has dimensions, are
/// in bounds, ordered and no two alike. **Errors**: INVALID_ARGUMENT with the
/// texts of TensorFlow's SparseTensor::IndicesValid.
Status checkOrderedIndices(std::span<const int64_t> indices,
                           std::span<const int64_t> shape);

} // namespace kiln

#endif // KILN_LIB_SUPPORT_SPARSEINDICES_H
