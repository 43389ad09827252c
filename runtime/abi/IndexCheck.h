// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the kernels IndexRows and UpdatedRows say of an index that is out of
// range.
#ifndef KILN_RUNTIME_ABI_INDEXCHECK_H
#define KILN_RUNTIME_ABI_INDEXCHECK_H

#include <cstdint>

namespace kiln {

/// By the ops of TensorFlow whose text it is.
enum class IndexCheck : int64_t {
  None,             ///< nothing: the row is dropped
  Rows,             ///< ScatterAdd: indices[1] = 7 is not in [0, 3)
  ScatterNd,        ///< indices[1] = [7] does not index into shape [3,2]
  GatherNd,         ///< indices[1] = [7] does not index into param shape [3,2]
  Segments,         ///< UnsortedSegmentSum; an id below 0 is dropped
  SparseRows,       ///< SparseSegmentSum
  GradientRows,     ///< SparseSegmentSumGrad, of its indices
  GradientSegments, ///< and of its segments
  Dense,            ///< SparseToDense
  UpdatedRows,      ///< SparseApply*: Index 7 at offset 1 in indices is out of
                    ///< range
  ProductRows,      ///< SparseTensorDenseMatMul, of its first column
  ProductColumns,   ///< of its second one, which the other matrix shares
  AdjointRows,      ///< and of the second column
  AdjointColumns,   ///< and the first, where that is transposed
  SortedDense,      ///< the same, where the indices must be sorted
};

} // namespace kiln

#endif // KILN_RUNTIME_ABI_INDEXCHECK_H
