// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the indices and extents of a sparse tensor must be, and where rows go.
#ifndef KILN_LIB_SUPPORT_SPARSEINDICES_H
#define KILN_LIB_SUPPORT_SPARSEINDICES_H

#include "kiln/Status.h"
#include "kiln/Tensor.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace kiln {

/// The rows of `indices`, of as many numbers as the shape has dimensions, are
/// in bounds, ordered and no two alike. **Errors**: INVALID_ARGUMENT with the
/// texts of TensorFlow's SparseTensor::IndicesValid.
Status checkOrderedIndices(std::span<const int64_t> indices,
                           std::span<const int64_t> shape);

/// The numbers are the extents of a tensor: none below 0, and their product
/// fits. Returns the product.
StatusOr<int64_t> checkExtents(std::span<const int64_t> extents);

/// The extents that SparseReshape gives a tensor of `elements` elements: at
/// most one of the target's is -1.
StatusOr<std::vector<int64_t>> reshapedExtents(std::span<const int64_t> from,
                                               int64_t elements,
                                               std::span<const int64_t> target);

/// Where the elements of rows go, ordered by rows, when each empty row gets
/// one: sets `places`, of a zero more than there are rows, to the first place
/// of each and their number, and `empty`. The first of the `width` numbers of
/// an element's index is its row. **Errors**: INVALID_ARGUMENT with the texts
/// of TensorFlow's FillEmptyRows.
Status placeRows(std::span<const int64_t> indices, int64_t width, int64_t count,
                 std::span<int64_t> places, std::span<bool> empty);

/// The parts of a sparse tensor are a matrix and two vectors. **Errors**:
/// INVALID_ARGUMENT with TensorFlow's texts.
Status checkSparseRanks(std::span<const Tensor> parts);

/// The elements from `begin` to `end` of a vector; strings share their bytes.
StatusOr<Tensor> elementsOf(const Tensor &vector, int64_t begin, int64_t end);

/// "[2,3]"
std::string listText(std::span<const int64_t> numbers);

} // namespace kiln

#endif // KILN_LIB_SUPPORT_SPARSEINDICES_H
