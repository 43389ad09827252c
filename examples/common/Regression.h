// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Data for a linear regression.
#ifndef KILN_EXAMPLES_COMMON_REGRESSION_H
#define KILN_EXAMPLES_COMMON_REGRESSION_H

#include "examples/common/Csv.h"
#include "kiln/Tensor.h"

#include <cstdint>

namespace kiln::examples {

/// Features with a column of ones before them, and labels, as float32.
struct RegressionData {
  Tensor x; ///< [rows, features]
  Tensor y; ///< [rows, 1]
  int64_t rows() const { return x.dim(0); }
  /// The ones among them.
  int64_t features() const { return x.dim(1); }
};

/// Takes the last column as labels and standardizes the others: mean 0,
/// population standard deviation 1. **Edges**: a constant column becomes zeros.
/// **Errors**: RESOURCE_EXHAUSTED.
StatusOr<RegressionData> standardize(const Table &table);

/// At most `size` rows from row `begin` on: views, nothing is copied; the data
/// must outlive them.
StatusOr<RegressionData> batch(const RegressionData &data, int64_t begin,
                               int64_t size);

} // namespace kiln::examples

#endif // KILN_EXAMPLES_COMMON_REGRESSION_H
