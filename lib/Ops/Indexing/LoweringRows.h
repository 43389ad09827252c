// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How lowerings take tensors apart into rows that an index names.
#ifndef KILN_LIB_OPS_INDEXING_LOWERINGROWS_H
#define KILN_LIB_OPS_INDEXING_LOWERINGROWS_H

#include "lib/Import/LoweringContext.h"
#include "runtime/abi/IndexCheck.h"

namespace kiln {

/// A tensor [D..., I...] as rows [product of D, I...].
struct Rows {
  /// \p tuple is how many dimensions are D.
  Rows(LoweringContext &ctx, const Dims &dims, size_t tuple);

  /// The type of \p count rows.
  RankedTensorType type(LoweringContext &ctx, Dim count,
                        mlir::Type element) const;
  RankedTensorType type(LoweringContext &ctx, mlir::Type element) const {
    return type(ctx, count, element);
  }
  /// A value of these elements as so many rows.
  Value of(LoweringContext &ctx, Value value, Dim count) const;

  Dims extents; ///< D
  Dim count;
  Dims inner; ///< I
};

/// The extents of a value as dimensions of inference.
Dims dimsOf(Value value);

/// The row that each index names, in row-major order of the indices: i64.
struct RowIndices {
  Value value; ///< [count]
  Dim count;
};

/// Checks indices of a tensor of the dimensions `dims`: each is a row of the
/// first one, or, with `tuple` not below 0, so many of the last dimension are
/// one of the first dimensions. What is dropped is -1. With `inner`, the
/// dimensions of a row, nothing is checked where a row has no elements.
RowIndices rowIndices(LoweringContext &ctx, Value indices,
                      const Dims &indexDims, const Dims &dims, IndexCheck check,
                      int64_t tuple = -1, const Dims &inner = {});

} // namespace kiln

#endif // KILN_LIB_OPS_INDEXING_LOWERINGROWS_H
